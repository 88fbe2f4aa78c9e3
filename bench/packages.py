#!/usr/bin/env python3
"""Programs with threads from the distribution's source packages, built with the drivers.

For each package: what the audit of its machine code says, what a search says of one small input, and what the repair of
accesses that the compiler left out costs. The sources are fetched at run time with apt-get (deb-src lines must be
enabled) and are never stored here. `--table` writes the rows of docs/manual/packages.md.
"""
import argparse
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

AUTOTOOLS = "./configure -q --disable-shared --disable-dependency-tracking {options} && make -s -j2 {targets}"


def autotools(options="", targets=""):
    return AUTOTOOLS.format(options=options, targets=targets)


def cmake(options, target):
    return (f"cmake -S . -B heddle-build -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF {options} >/dev/null "
            f"&& cmake --build heddle-build -j2 --target {target} >/dev/null")


@dataclasses.dataclass(frozen=True)
class Package:
    name: str
    build: str                # a shell command in the unpacked source; CC, CXX, CFLAGS are set
    program: str              # what it builds
    arguments: str            # of one run; %i is a folder with small inputs, %o one for outputs
    needs: str = ""           # packages to install before
    source: str = ""          # of the source package, if it has another name
    prepare: str = ""         # a shell command that makes inputs in %i, beside the common ones

    @property
    def source_name(self):
        return self.source or self.name


PACKAGES = [
    Package("pbzip2", "$CXX $CFLAGS -o pbzip2 *.cpp -lbz2 -lpthread", "pbzip2", "-k -f -p2 -b1 -c %i/text", "libbz2-dev"),
    Package("lbzip2", "export CFLAGS=\"$CFLAGS -D_IO_ftrylockfile=1 -D_IO_IN_BACKUP=256 -D_IO_ERR_SEEN=32\" && " + autotools(),  # its gnulib is old
            "src/lbzip2", "-k -f -n2 -c %i/text"),
    Package("lrzip", "autoreconf -fi >/dev/null 2>&1 && " + autotools("--enable-static-bin=no"), "lrzip",
            "-q -f -p 2 -l -o %o/lrz %i/text", "autoconf automake libtool libbz2-dev zlib1g-dev liblzo2-dev liblz4-dev libgcrypt20-dev"),
    Package("pixz", "autoreconf -fi >/dev/null 2>&1 && " + autotools("--without-manpage"), "src/pixz", "-p 2 -t -1 %i/text %o/text.xz",
            "autoconf automake pkg-config libarchive-dev liblzma-dev"),
    Package("zstd", "make -s -j2 -C programs zstd-nolegacy HAVE_LZMA=0 HAVE_LZ4=0 HAVE_ZLIB=0", "programs/zstd-nolegacy",
            "-q -f -T2 -c %i/text", source="libzstd"),
    Package("xz", "cmake -S . -B heddle-build -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF >/dev/null && "
                  "cmake --build heddle-build -j2 --target xz >/dev/null",
            "heddle-build/xz", "-k -f -0 -T2 --block-size=4096 -c %i/text", source="xz-utils"),
    Package("zpaq", "$CXX $CFLAGS -Dunix -DNOJIT -o zpaq zpaq.cpp libzpaq.cpp -lpthread", "zpaq", "add %o/a.zpaq %i/text -m1 -t2"),
    Package("ag", "autoreconf -fi >/dev/null 2>&1 && " + autotools(), "ag", "--workers 2 --nocolor words %i",
            "autoconf automake pkg-config libpcre3-dev zlib1g-dev liblzma-dev", source="silversearcher-ag"),
    Package("mksquashfs", "make -s -j2 -C squashfs-tools mksquashfs CC=\"$CC\" EXTRA_CFLAGS=\"$CFLAGS\" XATTR_SUPPORT=0",
            "squashfs-tools/mksquashfs", "%i %o/squash -noappend -processors 2 -quiet -no-progress", "zlib1g-dev", source="squashfs-tools"),
    Package("bgzip", "make -s -j2 bgzip CC=\"$CC\" CFLAGS=\"$CFLAGS\" HTSCODECS_SOURCES= htslib_default_libs='-lhtscodecs -lz -lm -lbz2 -llzma -lcurl -ldeflate'",
            "bgzip", "-@ 2 -c %i/text", "zlib1g-dev libbz2-dev liblzma-dev libcurl4-gnutls-dev libhtscodecs-dev libdeflate-dev", source="htslib"),
    Package("minimap2", "make -s -j2 CC=\"$CC\" CFLAGS=\"$CFLAGS -DHAVE_KALLOC\" minimap2", "minimap2", "-t 2 %i/a.fa %i/a.fa", "zlib1g-dev"),
    Package("openjpeg2", cmake("-DBUILD_CODEC=ON", "opj_compress"), "heddle-build/bin/opj_compress",
            "-i %i/a.pgm -o %o/a.jp2 -threads 2", "libpng-dev libtiff-dev liblcms2-dev"),
    Package("cwebp", cmake("-DWEBP_BUILD_CWEBP=ON", "cwebp"), "heddle-build/cwebp", "-quiet -mt -m 0 %i/a.pgm -o %o/a.webp", source="libwebp"),
    Package("liburcu", autotools("", "-C src && make -s -C tests/common && make -s -C tests/unit"),
            "tests/unit/test_uatomic", "", source="liburcu"),
    Package("ck", "./configure >/dev/null && make -s -j2 >/dev/null && make -s -C regressions/ck_stack/validate CC=\"$CC\" serial",
            "regressions/ck_stack/validate/serial", ""),
    Package("leveldb", cmake("-DLEVELDB_BUILD_TESTS=OFF -DLEVELDB_BUILD_BENCHMARKS=OFF -DHAVE_SNAPPY=OFF -DHAVE_TCMALLOC=OFF", "leveldb leveldbutil"),
            "heddle-build/leveldbutil", "dump %i/none"),
    Package("x264", "./configure --disable-asm --disable-lavf --disable-swscale --disable-gpac --disable-opencl >/dev/null && make -s -j2 x264",
            "x264", "--quiet --threads 2 --preset ultrafast --input-res 64x64 --frames 2 -o %o/a.264 %i/a.yuv"),
    Package("libuv1", cmake("-DLIBUV_BUILD_TESTS=ON", "uv_run_tests_a"), "heddle-build/uv_run_tests_a", "rwlock_trylock rwlock_trylock"),
    Package("fio", "./configure --disable-native --disable-http --disable-rados --disable-rbd >/dev/null && make -s -j2 fio",
            "fio", "--name=a --thread --numjobs=2 --ioengine=sync --rw=read --filename=%i/text --size=8k --bs=4k --gtod_cpu=0", "zlib1g-dev"),
    Package("onetbb", cmake("-DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBB_EXAMPLES=OFF", "tbb") +
            " && $CXX $CFLAGS -Iinclude -o polygon examples/parallel_for_each/parallel_preorder/*.cpp -Iexamples heddle-build/*/libtbb*.a -lpthread -ldl"
            " || $CXX $CFLAGS -Iinclude -o polygon %s/tbb_sum.cpp heddle-build/*/libtbb*.a -lpthread -ldl", "polygon", "2"),
    Package("jemalloc", "autoconf && ./configure --disable-cxx >/dev/null && make -s -j2 test/unit/mtx", "test/unit/mtx", "", "autoconf"),
    Package("mimalloc", cmake("-DMI_OVERRIDE=OFF -DMI_BUILD_SHARED=OFF", "mimalloc-test-stress"), "heddle-build/mimalloc-test-stress", "2 1 1"),
    Package("apr", "./buildconf >/dev/null 2>&1; ./configure --disable-shared >/dev/null && make -s -j2 && make -s -C test testall",
            "test/testall", "testthread", "autoconf automake libtool libtool-bin python3"),
    Package("hmmer", "./configure --disable-sse >/dev/null && make -s -j2", "src/hmmsearch", "--cpu 2 testsuite/20aa.hmm testsuite/20aa-alitest.fa"),
    Package("p7zip", "make -s -j2 -C CPP/7zip/Bundles/Alone7z -f makefile.gcc CC=\"$CC\" CXX=\"$CXX\" DISABLE_RAR=1 CFLAGS_BASE2=\"$CFLAGS\"",
            "CPP/7zip/Bundles/Alone7z/_o/7zr", "a -mmt2 -mx1 -bd %o/a.7z %i/text"),
    Package("c-blosc", cmake("-DBUILD_BENCHMARKS=OFF -DBUILD_TESTS=ON -DBUILD_SHARED=OFF", "test_nthreads"), "heddle-build/tests/test_nthreads", ""),
    Package("spdlog", cmake("-DSPDLOG_BUILD_EXAMPLE=ON", "example"), "heddle-build/example/example", ""),
    Package("dav1d", "meson setup heddle-build -Denable_asm=false -Ddefault_library=static -Dbuildtype=plain >/dev/null && ninja -C heddle-build tools/dav1d >/dev/null",
            "heddle-build/tools/dav1d", "--threads 2 -i %i/none -o /dev/null", "meson"),
]


class Failure(Exception):
    """One line for the table: why a package has no figures."""


class Workshop:
    """A folder in which packages are unpacked, built and checked."""

    def __init__(self, heddle, folder, cflags, seconds):
        self.heddle, self.folder, self.cflags, self.seconds = heddle, folder, cflags, seconds
        self.inputs, self.sources = folder / "inputs", folder / "sources"
        self.log = folder / "commands.log"
        for place in (self.inputs, self.sources):
            place.mkdir(parents=True, exist_ok=True)
        make_inputs(self.inputs)

    def run(self, command, cwd, env=None, timeout=1800):
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(f"\n--- {command}\n")
            log.flush()
            try:
                return subprocess.run(["sh", "-c", command], cwd=cwd, env=env, stdout=log, stderr=log, timeout=timeout,
                                      stdin=subprocess.DEVNULL, check=False).returncode
            except subprocess.TimeoutExpired:
                return -1

    def fetch(self, package):
        """Upstream's source, as the distribution ships it."""
        found = list(self.sources.glob(f"{package.source_name}_*.orig.tar.*"))
        if not found:
            self.run(f"apt-get source --download-only -qq {package.source_name}", self.sources)
            found = list(self.sources.glob(f"{package.source_name}_*.orig.tar.*"))
        archives = [f for f in found if f.suffix != ".asc"]
        if not archives:
            raise Failure("no source (are deb-src lines enabled?)")
        place = self.folder / package.name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        if self.run(f"tar xf {archives[0]} -C {place}", self.folder):
            raise Failure("the source cannot be unpacked")
        inner = list(place.iterdir())
        return inner[0] if len(inner) == 1 and inner[0].is_dir() else place

    def build(self, package):
        missing = [n for n in package.needs.split() if not installed(n)]
        if missing and self.run("apt-get install -y --no-install-recommends " + " ".join(missing), self.folder):
            raise Failure("cannot install " + " ".join(missing))
        place = self.fetch(package)
        tools = self.heddle.parent
        env = {**os.environ, "CC": str(tools / "heddle-cc"), "CXX": str(tools / "heddle-c++"),
               "CFLAGS": self.cflags, "CXXFLAGS": self.cflags, "CPPFLAGS": ""}
        started = time.monotonic()
        code = self.run(package.build, place, env)
        program = place / package.program
        if code or not program.exists():
            raise Failure("the build failed")
        return program, place, time.monotonic() - started

    def ask(self, command, cwd):
        """A command of heddle's that prints JSON, with its time; None where it printed none."""
        started = time.monotonic()
        try:
            result = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                    timeout=self.seconds + 120, stdin=subprocess.DEVNULL, check=False)
            output, errors, code = result.stdout, result.stderr, result.returncode
        except subprocess.TimeoutExpired as late:
            output, errors, code = "", f"no answer within {late.timeout} s", -1
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(f"\n--- {' '.join(map(str, command))}\nexit code {code}\n{errors[-2000:]}\n{output[:20000]}\n")
        try:
            return json.loads(output), time.monotonic() - started, code
        except json.JSONDecodeError:
            return None, time.monotonic() - started, code

    def check(self, package, program, place, *options):
        outputs = self.folder / "outputs"
        shutil.rmtree(outputs, ignore_errors=True)
        outputs.mkdir()
        words = package.arguments.replace("%i", str(self.inputs)).replace("%o", str(outputs)).split()
        command = [str(self.heddle), "check", "--json=-", "-q", f"--timeout={self.seconds}", f"--trace-dir={outputs}", *options, str(program), *words]
        return self.ask(command, place)


def installed(name):
    result = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Abbrev}", name], capture_output=True, text=True, check=False)
    return result.stdout.startswith("ii")


def make_inputs(folder):
    """Small, and the same every time."""
    (folder / "text").write_text("".join(f"{i * 7919 % 10007} words of line {i}\n" for i in range(400)))
    (folder / "a.pgm").write_bytes(b"P5\n64 64\n255\n" + bytes((x * y) % 251 for x in range(64) for y in range(64)))
    (folder / "a.yuv").write_bytes(bytes(i % 253 for i in range(2 * 64 * 64 * 3 // 2)))
    bases = "".join("ACGT"[i * i * 31 % 101 % 4] for i in range(600))
    (folder / "a.fa").write_text(f">one\n{bases}\n>two\n{bases[100:500]}\n")


def audit_figures(workshop, program, place):
    answer, seconds, _ = workshop.ask([str(workshop.heddle), "audit", "--json", str(program)], place)
    if answer is None:
        raise Failure("the audit failed")
    return {"accesses": answer["accesses"], "sites": len(answer["sites"]), "gaps": len(answer["gaps"]), "audit_s": round(seconds, 2)}


def verdict_text(answer):
    if answer is None:
        return "none"
    if answer["verdict"] == "error":
        return "error: " + answer.get("error", "")
    kinds = sorted({f["kind"] for f in answer["findings"]} | {f["kind"] + " (unknown)" for f in answer.get("unknown", [])})
    return answer["verdict"] + (": " + ", ".join(kinds) if kinds else "")


def per_execution(answer):
    return 1000 * answer["time_s"] / answer["executions"] if answer and answer["executions"] else None


def row_of(workshop, package, without):
    """One row: what the audit lists, what a search says, and the cost of an execution with and without the repair."""
    program, place, seconds = workshop.build(package)
    row = {"package": package.name, "build_s": round(seconds, 1), **audit_figures(workshop, program, place)}
    answer, _, _ = workshop.check(package, program, place)
    bare, _, _ = workshop.check(package, program, place, *without)
    row["verdict"] = verdict_text(answer)
    row["uncovered"] = len(answer.get("uncovered", [])) if answer else None
    row["executions"] = answer["executions"] if answer else None
    row["executions_without"] = bare["executions"] if bare else None
    row["ms"], row["ms_without"] = per_execution(answer), per_execution(bare)
    return row


def shown(value):
    return "-" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


COLUMNS = ["package", "accesses", "sites", "gaps", "uncovered", "verdict", "executions", "executions_without", "ms", "ms_without"]


def write_table(rows, path):
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(shown(row.get(c)) for c in COLUMNS) + " |" for row in rows]
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--folder", help="where to work; kept [a temporary folder in build/]")
    parser.add_argument("--cflags", default="-O2 -g")
    parser.add_argument("--seconds", type=int, default=20, help="of each search [20]")
    parser.add_argument("--without", default="--no-repair", help="options of the search that shows the cost [--no-repair]")
    parser.add_argument("--table", type=Path, help="write the rows as a table to this file")
    parser.add_argument("packages", nargs="*", help="only these")
    arguments = parser.parse_args()
    heddle = Path(arguments.heddle).resolve()
    folder = Path(arguments.folder).resolve() if arguments.folder else heddle.parent.parent / "packages"
    workshop = Workshop(heddle, folder, arguments.cflags, arguments.seconds)
    chosen = [p for p in PACKAGES if not arguments.packages or p.name in arguments.packages]
    rows = []
    for package in chosen:
        try:
            row = row_of(workshop, package, arguments.without.split())
        except Failure as failure:
            row = {"package": package.name, "verdict": str(failure)}
        rows.append(row)
        print("package " + " ".join(f"{key}={shown(value)}".replace(" ", "_") for key, value in row.items()), flush=True)
    if arguments.table:
        write_table(rows, arguments.table)
    with_figures = sum("accesses" in row for row in rows)
    print(f"figure packages_built {with_figures} of {len(rows)}")


if __name__ == "__main__":
    main()
