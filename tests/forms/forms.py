"""Forms: two-thread races, one for every way in which C and C++ can access memory.

A form is some shared declarations and two pieces of code that race on them. A file of forms has, for each,

    == name
    declarations, any number of lines
    I: what main does before the threads begin       (optional)
    A: what thread A does
    B: what thread B does, at the same time
    X: alone | no_twin | gcc | clang                 (optional)

`alone`: A makes thread B itself, by start_b, and has the racing code between BEGIN and END. `no_twin`: a mutex around both
would not end well. A compiler's name: only it takes the form. KEEP(v) makes the compiler believe that v is needed, OPAQUE(v) that it is not known.

A program holds many forms: `program NUMBER` runs one, `program NUMBER locked` its twin, where both threads hold a mutex.
"""
import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass
class Form:
    name: str
    declarations: str
    a: str
    b: str
    init: str = ""
    flags: tuple = ()

    @property
    def alone(self):
        return "alone" in self.flags

    @property
    def has_twin(self):
        return "no_twin" not in self.flags

    def is_for(self, compiler):
        named = [flag for flag in self.flags if flag in ("gcc", "clang")]
        return not named or compiler in named


def read(path):
    """The forms in a file."""
    forms = []
    for block in re.split(r"^== ", path.read_text(), flags=re.M)[1:]:
        name, _, rest = block.partition("\n")
        parts = {"": [], "I": [], "A": [], "B": [], "X": []}
        where = ""
        for line in rest.splitlines():
            head = re.match(r"([IABX]): ?(.*)", line)
            if head:
                where = head[1]
                line = head[2]
            if not line.startswith("#") or where:
                parts[where].append(line)
        texts = {key: "\n".join(lines).strip() for key, lines in parts.items()}
        assert texts["A"] and texts["B"], f"{path}: {name}: thread A or B is missing"
        forms.append(Form(name.strip(), texts[""], texts["A"], texts["B"], texts["I"], tuple(texts["X"].split())))
    return forms


def all_forms(language):
    import families
    generated = families.all_c() if language == "c" else families.all_cxx()
    forms = [*generated, *read(HERE / ("c.forms" if language == "c" else "cxx.forms"))]
    names = [form.name for form in forms]
    assert len(names) == len(set(names)), f"twice: {[n for n in names if names.count(n) > 1]}"
    return forms


# ---- a program of many forms

COMMON = r"""
#define KEEP(v) do { __typeof__(v) kept = (v); __asm__ volatile("" : : "r"(&kept) : "memory"); } while (0)
#define OPAQUE(v) ({ __typeof__(v) opaque = (v); __asm__ volatile("" : "+m"(opaque)); opaque; })
static pthread_mutex_t form_mutex = PTHREAD_MUTEX_INITIALIZER;
static int form_locked;
static void (*form_a)(void), (*form_b)(void), (*form_init)(void);
static void form_lock(void) { if (form_locked) pthread_mutex_lock(&form_mutex); }
static void form_unlock(void) { if (form_locked) pthread_mutex_unlock(&form_mutex); }
#define BEGIN form_lock()
#define END form_unlock()
static void *start_a(void *p) { form_lock(); form_a(); form_unlock(); return p; }
static void *start_b(void *p) { form_lock(); form_b(); form_unlock(); return p; }
"""

MAIN = r"""
struct form_entry { const char *name; int alone; void (*a)(void), (*b)(void), (*init)(void); };
static const struct form_entry form_table[] = {
%s
};
int main(int argc, char **argv) {
  const struct form_entry *f = &form_table[atoi(argv[1])];
  form_locked = argc > 2;
  form_a = f->a;
  form_b = f->b;
  form_init = f->init;
  if (form_init) form_init();
  if (f->alone) {
    form_a();
    return 0;
  }
  pthread_t a, b;
  pthread_create(&a, 0, start_a, 0);
  pthread_create(&b, 0, start_b, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  (void)start_b;
  return 0;
}
"""

C_HEADERS = """arpa/inet.h complex.h fcntl.h math.h netinet/in.h pthread.h search.h setjmp.h signal.h stdarg.h stdatomic.h
stddef.h stdint.h stdio.h stdlib.h string.h strings.h sys/time.h sys/utsname.h time.h unistd.h wchar.h"""

# Names in declarations that are not the form's own.
KNOWN = set("""int char short long float double void unsigned signed struct union enum typedef static extern volatile const
 _Atomic _Bool _Complex __int128 __float128 _Thread_local sizeof return for if while __attribute__ noinline packed vector_size
 aligned no_sanitize wchar_t size_t time_t jmp_buf va_list va_start va_arg va_end pthread_t pthread_key_t pthread_create
 pthread_join FILE tm timespec timeval random_data drand48_data hsearch_data sigset_t atomic_flag div_t in_addr utsname
 KEEP OPAQUE BEGIN END start_b malloc environ once""".split())
TOKEN = re.compile(r'L?"(?:\\.|[^"\\])*"|L?\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\d[\w.]*|\s+|.')


def _identifiers(text):
    return {t for t in TOKEN.findall(text) if re.fullmatch(r"[A-Za-z_]\w*", t) and t not in KNOWN}


def _renamed(text, names, suffix):
    return "".join(t + suffix if t in names else t for t in TOKEN.findall(text)).replace("\n", "\n  ")


def _functions(form, number):
    """The form's functions; C gives each form names of its own by a suffix."""
    names = _identifiers(form.declarations)
    suffix = f"_{number}"

    def text(part):
        return _renamed(part, names, suffix)
    yield text(form.declarations).replace("\n  ", "\n")
    if form.init:
        yield f"static void form_{number}_init(void) {{ {text(form.init)} }}"
    yield f"__attribute__((noinline)) static void form_{number}_b(void) {{ {text(form.b)} }}"
    yield f"__attribute__((noinline)) static void form_{number}_a(void) {{ {text(form.a)} }}"


def _entry(form, number, scope=""):
    init = f"{scope}form_{number}_init" if form.init else "0"
    return f'  {{"{form.name}", {int(form.alone)}, {scope}form_{number}_a, {scope}form_{number}_b, {init}}},'


def c_program(forms):
    lines = ["#define _GNU_SOURCE"]
    lines += [f"#include <{header}>" for header in C_HEADERS.split()]
    lines.append(COMMON)
    for number, form in enumerate(forms):
        lines += _functions(form, number)
    return "\n".join(lines) + MAIN % "\n".join(_entry(form, number) for number, form in enumerate(forms))


def cxx_program(forms, headers):
    lines = [f"#include <{header}>" for header in headers]
    lines.append(COMMON)
    for number, form in enumerate(forms):
        lines.append(f"namespace f{number} {{")
        lines.append(form.declarations)
        if form.init:
            lines.append(f"static void form_{number}_init() {{ {form.init} }}")
        lines.append(f"__attribute__((noinline)) static void form_{number}_b() {{ {form.b} }}")
        lines.append(f"__attribute__((noinline)) static void form_{number}_a() {{ {form.a} }}")
        lines.append("}")
    return "\n".join(lines) + MAIN % "\n".join(
        _entry(form, number, f"f{number}::") for number, form in enumerate(forms))
