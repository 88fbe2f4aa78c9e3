#!/usr/bin/env python3
"""generate.py TABLE [--state TABLE] --hooks FILE | --notes FILE | --rows FILE | --manual FILE: what is made of the tables of
library functions.

functions.txt and state.txt say what their lines mean.
"""
import argparse
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

KINDS = {"own", "pure", "state", "noreturn", "callback", "private", "unmodelled", "data"}
# Clauses, and how many arguments they may have.
CLAUSES = {
    "in": (2, 2), "str": (1, 1), "strn": (2, 2), "strings": (1, 1), "buffers": (2, 2), "set": (2, 2),
    "out": (2, 3), "outstr": (2, 2), "into": (3, 3), "late": (2, 3), "number": (2, 2), "fresh": (1, 1),
    "fresh_at": (1, 1), "keep": (2, 2), "uses": (1, 2), "changes": (1, 2), "format": (2, 2),
    "scan": (2, 2), "options": (1, 1), "messages": (2, 2), "control_file": (2, 2),
    "control_device": (2, 2), "control_process": (2, 2),
}
PROTOTYPE = re.compile(r"^(.*?[ *])([A-Za-z_0-9|]+)\((.*?)\)(?:: (.*)| = ([a-z_A-Z0-9]+)\((.*)\))?$")


class Mistake(Exception):
    pass


@dataclass
class Clause:
    name: str
    arguments: list
    condition: str


@dataclass
class Function:
    result: str
    names: list
    parameters: list  # (type, name)
    variadic: bool
    clauses: list
    target: str = ""
    target_arguments: str = ""


@dataclass
class Names:
    kind: str
    detail: str
    names: list


@dataclass
class Family:
    title: str
    remarks: list = field(default_factory=list)
    rows: list = field(default_factory=list)


def split_at(text, separator):
    """The parts of `text` between separators that are not in brackets."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if depth == 0 and text.startswith(separator, i):
            parts.append(text[begin:i].strip())
            begin = i + len(separator)
    parts.append(text[begin:].strip())
    return parts


def clause_of(text):
    parts = split_at(text, " when ")
    match = re.match(r"^([a-z_]+)\((.*)\)$", parts[0])
    if not match or match[1] not in CLAUSES:
        raise Mistake(f"not a clause: {text}")
    arguments = split_at(match[2], ",")
    low, high = CLAUSES[match[1]]
    if not low <= len(arguments) <= high:
        raise Mistake(f"{match[1]} has {low} to {high} arguments: {text}")
    return Clause(match[1], arguments, parts[1] if len(parts) > 1 else "")


def parameters_of(text):
    variadic = text.endswith("...")
    parts = [p for p in split_at(text.removesuffix("...").rstrip().rstrip(","), ",") if p and p != "void"]
    out = []
    for part in parts:
        match = re.match(r"^(.*?)([A-Za-z_]\w*)$", part)
        if not match or not match[1].strip():
            raise Mistake(f"not a parameter: {part}")
        out.append((match[1].strip(), match[2]))
    return out, variadic


def function_of(line):
    # The parameters end at the bracket that is followed by a colon, an equals sign or nothing.
    match = PROTOTYPE.match(line)
    if not match:
        raise Mistake(f"neither a prototype nor a list of names: {line}")
    result, names, parameters, clauses, target, target_arguments = match.groups()
    parameters, variadic = parameters_of(parameters)
    parsed = [clause_of(c) for c in split_at(clauses, ";")] if clauses else []
    return Function(result.strip(), names.split("|"), parameters, variadic, parsed, target or "",
                    target_arguments or "")


def names_of(line):
    match = re.match(r"^([a-z]+)( [^:]+)?: (.*)$", line)
    if not match or match[1] not in KINDS:
        return None
    return Names(match[1], (match[2] or "").strip(), match[3].split())


def lines_of(path):
    """(number, line); a line that begins with a space goes on with the one before it."""
    lines = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" ") and lines:
            lines[-1] = (lines[-1][0], lines[-1][1] + " " + line.strip())
        else:
            lines.append((number, line.strip()))
    return lines


def read_table(path):
    families, seen = [], {}
    for number, line in lines_of(path):
        try:
            if line.startswith("== "):
                families.append(Family(line[3:]))
            elif line.startswith("-- "):
                families[-1].remarks.append(line[3:])
            else:
                row = names_of(line) or function_of(line)
                families[-1].rows.append(row)
                for name in row.names:
                    if name in seen:
                        raise Mistake(f"{name} has a row already, in line {seen[name]}")
                    seen[name] = number
        except Mistake as mistake:
            raise Mistake(f"{path}:{number}: {mistake}") from None
    return families


def functions_in(families):
    return [row for family in families for row in family.rows if isinstance(row, Function)]


# ---- the hooks

class Hook:
    """The C++ code of one function's hook."""

    def __init__(self, function, is_told):
        self.f = function
        self.is_told = is_told
        self.before, self.after = [], []
        self.call = {name: name for _, name in function.parameters}
        for clause in function.clauses:
            self.add(clause)

    def given(self, clause, statement):
        return f"if ({clause.condition}) {statement}" if clause.condition else statement

    def is_parameter(self, expression):
        return any(expression == name for _, name in self.f.parameters)

    def is_text(self, expression):
        types = {name: kind for kind, name in self.f.parameters}
        return types.get(expression, "") in ("const char*", "char*", "const wchar_t*", "wchar_t*")

    def add(self, clause):
        getattr(self, "add_" + clause.name)(clause, *clause.arguments)

    def first(self, clause, statement):
        self.before.append(self.given(clause, statement))

    def then(self, clause, statement):
        self.after.append(self.given(clause, statement))

    def add_in(self, c, p, n): self.first(c, f"reads({p}, {n}, pc);")
    def add_str(self, c, p): self.first(c, f"reads_text({p}, pc);")
    def add_strn(self, c, p, n): self.first(c, f"reads_text({p}, {n}, pc);")
    def add_strings(self, c, v): self.first(c, f"reads_strings({v}, pc);")
    def add_options(self, c, v): self.first(c, f"reads_options({v}, pc);")
    def add_buffers(self, c, v, n): self.first(c, f"reads_buffers({v}, {n}, pc);")
    def add_set(self, c, p, n): self.first(c, f"writes({p}, {n}, pc);")
    def add_keep(self, c, name, e): self.before.append(f"const auto {name} = {e};")
    def add_into(self, c, v, n, m): self.then(c, f"wrote_buffers({v}, {n}, {m}, pc);")
    def add_messages(self, c, m, n): self.then(c, f"wrote_messages({m}, {n}, pc);")
    def add_format(self, c, f, a): self.first(c, f"announce_format({f}, {a}, pc);")
    def add_control_file(self, c, what, a): self.first(c, f"control_file({what}, {a}, pc);")
    def add_control_device(self, c, what, a): self.first(c, f"control_device({what}, {a}, pc);")
    def add_control_process(self, c, what, a): self.first(c, f"control_process({what}, {a}, pc);")
    def add_fresh(self, c, n): self.then(c, f"if (result) wrote(result, {n}, pc);")
    def add_fresh_at(self, c, p): self.then(c, f"wrote(*{p}, text(*{p}), pc);")

    def visible(self, statement):
        """How wide an access can become is worked out only where it matters: a text may be long."""
        self.before.append(f"if (HEDDLE_UNLIKELY(R().visible_mode)) {statement}")

    def add_out(self, c, p, room, n=None):
        if self.is_parameter(p):
            self.visible(f"will_write({p}, {room}, pc);")
        self.then(c, f"wrote({p}, {n or room}, pc);")

    def add_outstr(self, c, p, room):
        self.visible(f"will_write({p}, {room}, pc);")
        self.then(c, f"wrote({p}, text({p}), pc);")

    def add_late(self, c, p, n, room=None):
        if room or self.is_text(p):
            self.visible(f"will_read({p}, {room or f'{p} ? text({p}) : 0'}, pc);")
        self.then(c, f"have_read({p}, {n}, pc);")

    def add_number(self, c, s, end):
        self.visible(f"will_read({s}, text({s}), pc);")
        self.visible(f"will_write({end}, 8, pc);")
        self.before.append(f"auto* stop = const_cast<std::remove_cvref_t<decltype(**{end})>*>({s});")
        self.call[end] = "&stop"
        self.after.append(f"have_read({s}, number_extent({s}, stop), pc);")
        self.after.append(f"wrote({end}, 8, pc);")
        self.after.append(f"if ({end}) *{end} = stop;")

    def add_scan(self, c, f, a):
        self.before.append(f"Scan scan({f}, {a});")
        self.before.append("scan.will_write(pc);")
        self.after.append("scan.wrote(result, pc);")

    # What becomes of hidden objects is told by state.txt; those that all their users name alike, here.
    def state(self, c, name, use):
        if name in SHARED_STATE and not self.is_told:
            self.first(c, f'HiddenCall("{self.f.names[0]}", pc).unsafe(Hidden::{SHARED_STATE[name]}, {use});')

    def add_uses(self, c, name, instance=""): self.state(c, name, "Look")
    def add_changes(self, c, name, instance=""): self.state(c, name, "Change")

    def body(self):
        f = self.f
        parameters = "".join(f", {kind} {name}" for kind, name in f.parameters)
        types = ", ".join(kind for kind, _ in f.parameters)
        plain = ", ".join(name for _, name in f.parameters)
        call = ", ".join(self.call[name] for _, name in f.parameters)
        returns = f.result != "void"
        lines = [f"static {f.result} body_{f.names[0]}(void* next, uint64_t pc{parameters}) {{",
                 f"  auto* real = reinterpret_cast<{f.result} (*)({types})>(next);",
                 f"  if (!counts(pc)) return real({plain});"]
        lines += [f"  {line}" for line in self.before]
        lines.append(f"  {f.result + ' result = ' if returns else ''}real({call});")
        lines += [f"  {line}" for line in self.after]
        if returns:
            lines.append("  return result;")
        return lines + ["}"]


# ---- uses of hidden objects

SHARED_STATE = {"locale": "Locale", "multibyte": "WideTokens", "number_buffer": "NumberText"}


@dataclass
class State:
    result: str
    parameters: list
    uses: list
    afterwards: list


def read_state(path):
    """Functions of state.txt, by their name."""
    rows = {}
    for number, line in enumerate(path.read_text().splitlines() if path else [], 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.match(r"^(.*?[ *])([A-Za-z_0-9|]+)\((.*?)\): (.*)$", line)
        if not match:
            raise Mistake(f"{path}:{number}: not a row: {line}")
        uses, *afterwards = split_at(match[4], "->")
        for name in match[2].split("|"):
            if name in rows:
                raise Mistake(f"{path}:{number}: {name} has a row already")
            rows[name] = State(match[1].strip(), parameters_of(match[3])[0], [use for use in split_at(uses, ";") if use], afterwards)
    return rows


def use_text(use, name):
    what, arguments = re.match(r"^(\w+)\((.*)\)$", use).groups()
    if what in ("safe", "unsafe"):
        return f"call.{what}(Hidden::{arguments});"
    if what == "stream":
        stream, how = split_at(arguments, ",")
        locked = "false" if "_unlocked" in name else "true"
        return f"StreamCall stream(call.name(), {stream}, StreamUse::{how}, {locked}, call.pc());"
    return f"{what}(call{', ' + arguments if arguments else ''});"


def tell_uses(name, state):
    if not state:
        return []
    return [f'  HiddenCall call("{name}", HEDDLE_PC);'] + [f"  {use_text(use, name)}" for use in state.uses]


def called(result, call, state):
    """Statements that make the call and give its result back."""
    if result == "void":
        return [f"  {call};", "}"]
    afterwards = [f"  {text};" for text in state.afterwards] if state else []
    return [f"  {result} result = {call};"] + afterwards + ["  return result;", "}"]


def exported(function, name):
    parameters = ", ".join(f"{kind} {p}" for kind, p in function.parameters)
    if function.variadic:
        parameters += ", ..."
    head = f"heddle_library_{name}({parameters})"
    return [f'extern "C" __attribute__((visibility("default"), weak)) {function.result} {head} __asm__("{name}");',
            f"{function.result} {head} {{"]


def wrapper(function, name, index, state):
    # A row that stands for functions with a locale of their own, too, has more parameters than state.txt.
    named = state.parameters if state else []
    if len(named) > len(function.parameters):
        raise Mistake(f"{name} has other parameters in state.txt")
    parameters = named + function.parameters[len(named):]
    arguments = "".join(f", {p}" for _, p in parameters)
    call = f'body_{function.names[0]}(next_function(&g_next[{index}], "{name}"), HEDDLE_PC{arguments})'
    return (exported(Function(function.result, [name], parameters, False, []), name) + tell_uses(name, state)
            + called(function.result, call, state))


def lone_wrapper(name, index, state):
    """Of a function that touches nothing of the program's own memory."""
    types = ", ".join(kind for kind, _ in state.parameters)
    arguments = ", ".join(p for _, p in state.parameters)
    call = f'reinterpret_cast<{state.result} (*)({types})>(next_function(&g_next[{index}], "{name}"))({arguments})'
    return (exported(Function(state.result, [name], state.parameters, False, []), name) + tell_uses(name, state)
            + called(state.result, call, state))


def variadic_wrapper(function, target, index, last, state):
    returns = function.result != "void"
    call = f'body_{target}(next_function(&g_next[{index}], "{function.target}"), HEDDLE_PC, {function.target_arguments})'
    return exported(function, function.names[0]) + tell_uses(function.names[0], state) + [
        "  va_list list;", f"  va_start(list, {last});",
        f"  {function.result + ' result = ' if returns else ''}{call};",
        "  va_end(list);"] + (["  return result;"] if returns else []) + ["}"]


def write_hooks(families, states):
    functions = functions_in(families)
    index, owner = {}, {}
    for f in functions:
        if f.variadic:
            continue
        for name in f.names:
            index[name] = len(index)
            owner[name] = f.names[0]
    alone = [name for name in states if name not in index]
    for name in alone:
        index[name] = len(index)
    lines = ["// Made by generate.py of functions.txt and state.txt: what functions of the C library do to the program's memory,",
             "// and to state that lies in the library or in the kernel.", "#undef _FORTIFY_SOURCE",
             '#include "runtime/library/library.h"', "", "using namespace heddle::rt;",
             "using namespace heddle::rt::library;", "using heddle::wire::Hidden;", "using enum heddle::rt::Use;", "", "namespace {",
             f"void* g_next[{len(index)}];  // the real functions", "}", ""]
    for f in functions:
        if f.variadic:
            lines += variadic_wrapper(f, owner[f.target], index[f.target], f.parameters[-1][1],
                                      states.get(f.target))
        else:
            lines += Hook(f, any(name in states for name in f.names)).body()
            for name in f.names:
                lines += wrapper(f, name, index[name], states.get(name))
        lines.append("")
    for name in alone:
        lines += lone_wrapper(name, index[name], states[name]) + [""]
    lines += ["namespace heddle::rt {", "", "void library_hooks_prepare() {"]
    lines.append("  static const char* const names[] = {")
    lines += [f'      "{name}",' for name in index]
    lines += ["  };", f"  for (int i = 0; i < {len(index)}; ++i) (void)next_function(&g_next[i], names[i]);", "}", "",
              "}  // namespace heddle::rt"]
    return "\n".join(lines) + "\n"


# ---- functions of which nothing is known

def unmodelled_in(families):
    """(name, why), without the patterns: those have no symbol to take the place of."""
    return [(name, row.detail.lower()) for family in families for row in family.rows
            if isinstance(row, Names) and row.kind == "unmodelled" for name in row.names if "*" not in name]


def write_notes(families):
    """Entries in assembly, since nothing is known of the parameters: each leaves a note and goes on to the real function."""
    lines = ["// Made by generate.py of functions.txt: calls whose accesses nobody knows leave a note (library/notes.cpp).",
             ".text"]
    names = unmodelled_in(families)
    for i, (name, _) in enumerate(names):
        lines += [f".weak {name}", f".type {name}, @function", f"{name}:", f"  movl ${i}, %r11d",
                  "  jmp heddle_note_call", f".size {name}, . - {name}"]
    lines += ['.section .rodata.str1.1,"aMS",@progbits,1']
    for i, (name, why) in enumerate(names):
        lines += [f'.Lname{i}: .asciz "{name}"']
    whys = sorted({why for _, why in names})
    for i, why in enumerate(whys):
        lines.append(f'.Lwhy{i}: .asciz "nobody looks at what it reads and writes ({why})"')
    lines += ['.section .data.rel.local,"aw",@progbits', ".p2align 3", ".globl heddle_unmodelled_calls",
              ".hidden heddle_unmodelled_calls", "heddle_unmodelled_calls:"]
    for i, (name, why) in enumerate(names):
        lines.append(f"  .quad .Lname{i}, .Lwhy{whys.index(why)}, 0")
    lines.append('.section .note.GNU-stack,"",@progbits')
    return "\n".join(lines) + "\n"


# ---- the names

def write_rows(families):
    """One line a name: ROW(name, kind, detail). A name that ends in * stands for all that begin so."""
    rows = {}
    for family in families:
        for row in family.rows:
            if isinstance(row, Function):
                for name in row.names:
                    rows[name] = ("Watched", "")
            else:
                for name in row.names:
                    rows[name] = (row.kind.capitalize(), row.detail.lower() if row.kind == "unmodelled" else row.detail)
    return "".join(f'ROW("{name}", {kind}, "{detail}")\n' for name, (kind, detail) in sorted(rows.items()))


# ---- the manual

MANUAL = """# Functions of the C library

<!-- Made by src/runtime/library/generate.py of functions.txt: change the table, and run
     generate.py src/runtime/library/functions.txt --manual docs/manual/library-functions.md -->

The C library is not instrumented. Heddle stands in for its functions where they touch the program's memory, and
announces what they read and write with the place of the call. So a race of two calls, or of a call and an access of
the program, is a race like any other.

- **What is announced** is what the function does in this call. `strtol` reads up to the character behind the number,
  `sscanf` writes the arguments that it has assigned, `fread` as much as it has read. A call that fails writes nothing.
- **Who is watched**: calls from code that was built with the drivers. What a library without instrumentation calls is
  its own affair.
- **New blocks.** What `calloc`, `realloc` and `strdup` store in a block is a write of their caller. A pointer to it that
  is handed on without order is a race.
- **Callbacks** (of `qsort`, `bsearch`, …) are the program's code and are watched like the rest of it.
- **Names.** The fortified names (`__memcpy_chk`, …), those of older standards (`__isoc99_sscanf`, …) and of 64-bit files
  (`fopen64`, …) are the same functions. `errno` belongs to one thread.
- **With `--races=explore` and `--visible=all`** a call is one step, and a scheduling point comes before it.

Each function has one of these marks:

| mark | what it means |
|---|---|
| watched | its reads and writes of the program's memory are announced |
| object | it touches no memory of the program, but an object in the library or the kernel: a stream, a descriptor, the locale |
| nothing | it touches no memory that threads share |
| not watched | it touches memory, but none that another thread may meet; the reason stands beside it |
| noted | nobody looks at what it does: a call makes the verdict `within-bound` and is named there, with its place |

A function of the C library that is not on this page has no row: if the program imports it, the verdict says so. The
same holds for libraries that are neither instrumented nor described: they are named with the functions that are called.
"""

MARKS = {"own": "watched", "callback": "watched", "pure": "nothing", "state": "object", "noreturn": "nothing",
         "private": "not watched", "unmodelled": "noted"}


def is_public(name):
    return not name.startswith("_")


def manual_row(mark, reason, names):
    shown = [f"`{name}`" for name in sorted(names) if is_public(name)]
    return f"| {mark}{': ' + reason if reason else ''} | {' '.join(shown)} |" if shown else ""


def write_manual(families):
    text = MANUAL
    for family in families:
        groups = {}
        for row in family.rows:
            if isinstance(row, Function):
                groups.setdefault(("watched", ""), []).extend(row.names)
            elif row.kind != "data":
                mark = MARKS[row.kind]
                reason = row.detail.lower() if mark == "not watched" else row.detail.replace("_", " ") if mark == "object" else ""
                groups.setdefault((mark, reason), []).extend(row.names)
        order = ["watched", "object", "nothing", "not watched", "noted"]
        rows = [manual_row(mark, reason, names) for (mark, reason), names in sorted(groups.items(), key=lambda g: (order.index(g[0][0]), g[0][1]))]
        if not any(rows):
            continue
        text += f"\n## {family.title}\n\n"
        text += "".join(f"{remark}\n" for remark in family.remarks) + ("\n" if family.remarks else "")
        text += "| | |\n|---|---|\n" + "".join(f"{row}\n" for row in rows if row)
    return text


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("table", type=Path)
    for what in ("state", "hooks", "notes", "rows", "manual"):
        arguments.add_argument(f"--{what}", type=Path)
    chosen = arguments.parse_args()
    try:
        families = read_table(chosen.table)
        if chosen.hooks:
            chosen.hooks.write_text(write_hooks(families, read_state(chosen.state)))
        if chosen.notes:
            chosen.notes.write_text(write_notes(families))
        if chosen.rows:
            chosen.rows.write_text(write_rows(families))
        if chosen.manual:
            chosen.manual.write_text(write_manual(families))
    except Mistake as mistake:
        sys.exit(str(mistake))


if __name__ == "__main__":
    main()
