# The commands of daily work. The build itself is CMake (CMakePresets.json); these only call it.
#   make            a release, as ./heddle uses it
#   make test       set up, build preset `ci`, run all tests
#   make bench ONLY=engine
#   make format | tidy | clean
#   make install PREFIX=/usr/local
PREFIX ?= /usr/local
ONLY ?= engine

.PHONY: all test bench format tidy clean install
all:
	@scripts/build.sh release

test:
	@scripts/test.sh

bench:
	@scripts/bench.sh $(ONLY)

format:
	@scripts/setup.sh dev
	find src bench include examples -name '*.cpp' -o -name '*.h' -o -name '*.c' | xargs clang-format -i

tidy:
	@scripts/tidy.sh

install: all
	cmake --install build/release --prefix $(DESTDIR)$(PREFIX)

clean:
	rm -rf build
