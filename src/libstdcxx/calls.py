#!/usr/bin/env python3
"""calls.py LIBRARY NM GROUP OUT: functions of libstdc++.so that tell what they access, and go on to the real ones.

By the standard a library function reads the objects that it is given as const and may write the others
([res.on.data.races]). So what a function of the classes below accesses stands in its name: the object of a const member and
what a parameter of type `const T&` refers to are read, the others are written. Each function becomes an entry in assembly
that announces these objects (calls.h) and jumps to the real function with its arguments as they were.

Where that rule says too little or too much, EXCEPTIONS does.
"""
import re
import subprocess
import sys

# Classes that programs use as objects, and their sizes: part of the library's ABI.
CLASSES = {
    "files": {
        "std::filesystem::__cxx11::path": 40, "std::filesystem::__cxx11::directory_iterator": 16,
        "std::filesystem::__cxx11::recursive_directory_iterator": 16, "std::filesystem::directory_entry": 48,
        "std::__basic_file<char>": 16, "std::filesystem::__cxx11::path::_List": 8,
    },
    "streams": {"std::ios_base": 216, "std::locale": 8},
    "errors": {
        "std::error_code": 16, "std::error_condition": 16, "std::logic_error": 16, "std::runtime_error": 16,
        "std::domain_error": 16, "std::invalid_argument": 16, "std::length_error": 16, "std::out_of_range": 16,
        "std::range_error": 16, "std::overflow_error": 16, "std::underflow_error": 16, "std::system_error": 32,
        "std::__exception_ptr::exception_ptr": 8,
    },
    "others": {"std::thread": 8, "std::random_device": 24, "std::pmr::monotonic_buffer_resource": 64},
}
HEADERS = {"files": ["filesystem", "fstream"], "streams": ["ios", "locale"], "errors": ["system_error"],
           "others": ["memory_resource", "thread"]}
NOT_WHOLE = {"std::random_device", "std::filesystem::__cxx11::path::_List"}  # a part is told of; private
SIZES = {name: size for group in CLASSES.values() for name, size in group.items()}
STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
PATH = "std::filesystem::__cxx11::path"
FREE = {"files": "std::filesystem::"}  # functions that belong to no class

# Results that are returned in memory: the place for them comes first among the arguments.
RETURNS_OBJECT = re.compile(
    r"::path::(parent_path|filename|stem|extension|root_name|root_directory|root_path|relative_path|lexically_\w+)\("
    r"|^std::filesystem::(absolute|canonical|current_path|read_symlink|relative|proximate|temp_directory_path"
    r"|weakly_canonical|space)\("
    r"|^std::locale::name|::error_condition::message|::error_code::message|^std::locale::locale_name")

# By the beginning of the function's name. An empty text: not watched.
EXCEPTIONS = {
    "std::__exception_ptr::exception_ptr::_M_addref": "read 0 8",   # the count is atomic
    "std::__exception_ptr::exception_ptr::_M_release": "read 0 8",
    "std::ios_base::sync_with_stdio": None,   # in synchronise.cpp
    "std::ios_base::Init": "",                # guarded inside
    "std::ios_base::failure": "",
    "std::ios_base::xalloc": "",              # static
    "std::filesystem::__cxx11::path::_S_": "",
    "std::__basic_file<char>::xsgetn": "write 0 16; out 1 2",
    "std::__basic_file<char>::xsputn(": "write 0 16; in 1 2",
    "std::__basic_file<char>::xsputn_2": "write 0 16; in 1 2; in 3 4",
    "std::random_device::_M_getval": "read 0 24",
    "std::random_device::_M_getentropy": "read 0 24",
    "std::pmr::monotonic_buffer_resource::~": None,  # in memory_resource.cpp
    "std::ios_base::_M_call_callbacks": "read 0 216",
    "std::locale::classic": "", "std::locale::global": "", "std::locale::facet": "", "std::locale::id": "",
    "std::locale::_Impl": "", "std::locale::_S_": "", "std::locale::_M_coalesce": "",
    "std::thread::_State": "", "std::thread::hardware_concurrency": "",
    "std::thread::join": None, "std::thread::detach": None,  # in thread.cpp
    "std::thread::_M_start_thread": "write 0 8",
    "std::filesystem::filesystem_error": "",
}

# Functions of templates, by symbol: facets that convert what they are given.
BY_SYMBOL = {
    "streams": {
        "_ZNKSt8time_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecPK2tmPKcSB_": "read 5 56; range 6 7",
        "_ZNKSt8time_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basecPK2tmcc": "read 5 56",
        "_ZNKSt8time_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE3getES3_S3_RSt8ios_baseRSt12_Ios_IostateP2tmPKcSC_":
            "write 7 56; range 8 9",
        "_ZNKSt7__cxx118time_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE3getES4_S4_RSt8ios_baseRSt12_Ios_IostateP2tmPKcSD_":
            "write 7 56; range 8 9",
        "_ZNKSt7__cxx117collateIcE9transformEPKcS3_": "range 2 3",
        "_ZNKSt7__cxx117collateIcE7compareEPKcS3_S3_S3_": "range 1 2; range 3 4",
        "_ZNKSt7__cxx117collateIcE4hashEPKcS3_": "range 1 2",
    },
    "errors": {"__dynamic_cast": "read 0 8"},
}


def split_parameters(text):
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "<([") - (c in ">)]")
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return [p for p in [*parts, part.strip()] if p and p != "void"]


def bare(kind):
    return re.sub(r"( const)?(&&|&|\*)$", "", kind).removesuffix(" const").strip()


def of_object(position, kind, writes):
    """What is told of an object of this class at the address that is the argument in this position."""
    if kind == STRING:
        return [f"{'write' if writes else 'string'} {position} 32"]
    if kind == PATH and not writes:
        return [f"string {position} 40"]
    if kind in SIZES:
        return [f"{'write' if writes else 'read'} {position} {SIZES[kind]}"]
    return []


def accesses(demangled):
    """Clauses for a function, None if it is not ours to define."""
    demangled = demangled.replace("[abi:cxx11]", "")
    match = re.match(r"^(.*?)\((.*)\)( const)?( &&?)?$", demangled)
    if not match:
        return None
    name, parameters, const = match[1], match[2], bool(match[3])
    if "error::~" in demangled:  # of an exception that threads share: the count that orders this is not seen
        return None
    exceptions = [key for key in EXCEPTIONS if demangled.startswith(key)]
    if exceptions:
        text = EXCEPTIONS[max(exceptions, key=len)]
        return text.split("; ") if text else None
    owner = name.rpartition("::")[0]
    position = int(bool(RETURNS_OBJECT.search(demangled)))
    clauses = []
    if owner in SIZES:
        clauses += of_object(position, owner, not const)
        position += 1
    for kind in split_parameters(parameters):
        if kind in ("float", "double", "long double"):
            continue
        if kind == "char const*":
            clauses.append(f"text {position} 0")
            position += 1
        elif kind.endswith("&") or kind.endswith("*"):
            reads = " const" in kind or kind.endswith("&&")
            clauses += of_object(position, bare(kind), not reads)
            if kind.endswith("&&") and bare(kind) in SIZES:
                clauses += of_object(position, bare(kind), True)
            position += 1
        elif kind in (STRING, PATH, "std::locale") or kind.startswith("std::unique_ptr"):
            position += 1  # by value: in memory of the caller
        elif kind.startswith("std::basic_string_view<char,"):
            clauses.append(f"in {position + 1} {position}")  # the length comes first
            position += 2
        elif "buf_iterator" in kind:
            position += 2
        else:
            position += 1
    return clauses


def group_of(demangled):
    owner = demangled.partition("(")[0].rpartition("::")[0]
    for group, classes in CLASSES.items():
        if owner in classes:
            return group
    for group, prefix in FREE.items():
        if owner == prefix.removesuffix("::"):
            return group
    return None


def exported(library, nm):
    def table(*options):
        text = subprocess.run([nm, "-D", "--defined-only", *options, library], capture_output=True, text=True, check=True).stdout
        return [line.split(" ", 2) for line in text.splitlines()]
    seen = set()
    for (_, kind, symbol), (_, _, demangled) in zip(table(), table("-C"), strict=True):
        symbol, demangled = symbol.partition("@")[0], demangled.partition("@")[0]
        if kind in "TW" and symbol not in seen and "[clone" not in demangled:
            seen.add(symbol)
            yield symbol, demangled


def calls_of(library, nm, group):
    for symbol, demangled in exported(library, nm):
        if symbol in BY_SYMBOL.get(group, {}):
            yield symbol, BY_SYMBOL[group][symbol].split("; ")
        elif group_of(demangled) == group and not demangled.startswith(("transaction clone", "virtual thunk")):
            clauses = accesses(demangled)
            if clauses:
                yield symbol, clauses


def source_of(group, calls):
    lines = [f"// Made by calls.py: the group '{group}'.", '#include "calls.h"', "namespace {"]
    lines[1:1] = [f"#include <{header}>" for header in HEADERS[group]]
    lines += [f"static_assert(sizeof({name}) == {size});" for name, size in CLASSES[group].items() if name not in NOT_WHOLE]
    rows = []
    for number, (symbol, clauses) in enumerate(calls):
        entries = []
        for clause in clauses:
            kind, first, last = clause.split()
            entries.append(f"{{heddle::libstdcxx::Announced::k{kind.capitalize()}, {first}, {last}}}")
        lines.append(f"const heddle::libstdcxx::Announced access_{number}[] = {{{', '.join(entries)}}};")
        rows.append(f'  {{"{symbol}", access_{number}, {len(entries)}, nullptr}},')
    lines += ["}  // namespace", f'extern "C" {{ __attribute__((visibility("hidden"))) heddle::libstdcxx::Call heddle_calls_{group}[] = {{', *rows, "}; }"]
    lines.append(f"HEDDLE_ANNOUNCED_CALLS(heddle_calls_{group})")
    for number, (symbol, _) in enumerate(calls):
        lines.append(f'HEDDLE_ENTRY("{symbol}", "heddle_calls_{group}", {number})')
    return "\n".join(lines) + "\n"


def main():
    library, nm, group, out = sys.argv[1:]
    with open(out, "w", encoding="ascii") as file:
        file.write(source_of(group, list(calls_of(library, nm, group))))


if __name__ == "__main__":
    main()
