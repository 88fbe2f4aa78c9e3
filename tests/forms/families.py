"""Forms that come in rows: a type, a size or a function after another."""
from forms import Form

SCALARS = {
    "char": "1", "signed char": "1", "unsigned char": "1", "short": "2", "unsigned short": "2", "int": "3", "unsigned": "3",
    "long": "4", "unsigned long": "4", "long long": "4", "float": "1.5f", "double": "2.5", "long double": "3.5L",
    "__int128": "(__int128)5", "_Bool": "1", "wchar_t": "L'a'", "void *": "(void *)8", "float _Complex": "1.5f + 1.0if",
    "double _Complex": "1.5 + 1.0i", "long double _Complex": "1.5L + 1.0iL", "__float128": "(__float128)2.5",
}
COUNTABLE = [name for name in SCALARS if name != "void *"]
SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 16, 17, 20, 24, 31, 32, 33, 40, 48, 63, 64]
BLOCKS = [1, 3, 4, 7, 8, 16, 24, 33, 64, 200]
VECTORS = {"v8": ("int", 8), "v16": ("int", 16), "v16d": ("double", 16), "v32": ("float", 32), "v64": ("long", 64)}


def _word(text):
    return text.replace(" *", "_pointer").replace(" ", "_").strip("_")


def scalars():
    for name, value in SCALARS.items():
        yield Form(f"scalar_{_word(name)}", f"{name} x;", f"x = OPAQUE(({name})({value}));", "KEEP(x);")
    for name in COUNTABLE:
        yield Form(f"add_{_word(name)}", f"{name} x;", "x += 1;", "KEEP(x);")


def struct_copies():
    for size in SIZES:
        struct = f"struct S {{ char c[{size}]; }} s, t;"
        last = f"s.c[{size - 1}]"
        yield Form(f"struct_assign_{size}", struct, "s = t;", f"KEEP({last});")
        yield Form(f"struct_argument_{size}",
                   struct + "\n__attribute__((noinline)) void take(struct S x) { KEEP(x); }",
                   "take(s);", f"{last} = OPAQUE(1);")
        yield Form(f"struct_return_{size}",
                   struct + "\n__attribute__((noinline)) struct S make(int n) { struct S x; "
                   f"for (int i = 0; i < {size}; ++i) x.c[i] = (char)(n + i); return x; }}",
                   "s = make(OPAQUE(1));", f"KEEP({last});")


def vectors():
    for name, (element, size) in VECTORS.items():
        count = size // {"int": 4, "float": 4, "double": 8, "long": 8}[element]
        kind = f"typedef {element} V __attribute__((vector_size({size})));\nV x, y;"
        yield Form(f"vector_{name}_assign", kind, "x = y;", f"KEEP((({element} *)&x)[{count - 1}]);")
        yield Form(f"vector_{name}_add", kind, "x += y;", f"(({element} *)&y)[{count - 1}] = OPAQUE(({element})3);")
        yield Form(f"vector_{name}_element", kind, f"x[OPAQUE({count - 1})] = 1;", f"KEEP((({element} *)&x)[{count - 1}]);")


def blocks():
    for size in BLOCKS + ["n"]:
        room = 200
        count = "OPAQUE(24)" if size == "n" else str(size)
        last = 23 if size == "n" else size - 1
        two = f"char a[{room}] = \"x\", b[{room}] = \"x\";"
        rows = {
            "memcpy_to": (f"memcpy(a, b, {count});", f"KEEP(a[{last}]);"),
            "memcpy_from": (f"memcpy(a, b, {count});", f"b[{last}] = OPAQUE(1);"),
            "memmove": (f"memmove(a, b, {count});", f"KEEP(a[{last}]);"),
            "memset": (f"memset(a, OPAQUE(3), {count});", f"KEEP(a[{last}]);"),
            "memset_zero": (f"memset(a, 0, {count});", f"KEEP(a[{last}]);"),
            "memcmp": (f"KEEP(memcmp(a, b, {count}));", "b[0] = OPAQUE(1);"),
            "memcmp_equal": (f"if (memcmp(a, b, {count}) == 0) KEEP(1);", "b[0] = OPAQUE(1);"),
            "bzero": (f"bzero(a, {count});", f"KEEP(a[{last}]);"),
            "mempcpy": (f"KEEP(mempcpy(a, b, {count}));", f"KEEP(a[{last}]);"),
        }
        for name, (a, b) in rows.items():
            if name in ("bzero", "mempcpy") and size not in (4, 16, 64, "n"):
                continue
            yield Form(f"{name}_{size}", two, a, b)


def strings():
    text = 'char s[40] = "some text", t[40] = "some text, more";'
    reads = {
        "strlen": "strlen(s)", "strnlen": "strnlen(s, 20)", "strcmp": "strcmp(t, s)", "strncmp": "strncmp(s, t, 8)",
        "strcasecmp": "strcasecmp(s, t)", "strncasecmp": "strncasecmp(s, t, 5)", "strchr": "strchr(s, 'x')",
        "strrchr": "strrchr(s, 'x')", "strchrnul": "strchrnul(s, 'x')", "strstr": 'strstr(s, "te")',
        "strcasestr": 'strcasestr(s, "TE")', "strspn": 'strspn(s, "some")', "strcspn": 'strcspn(s, "x")',
        "strpbrk": 'strpbrk(s, "x")', "strdup": "strdup(s)", "strndup": "strndup(s, 5)", "strcoll": "strcoll(s, t)",
        "memchr": "memchr(s, 'x', 9)", "memrchr": "memrchr(s, 'o', 9)", "rawmemchr": "rawmemchr(s, 'x')",
        "memmem": 'memmem(s, 9, "te", 2)', "bcmp": "bcmp(s, t, 9)", "index": "index(s, 'x')", "rindex": "rindex(s, 'x')",
        "strverscmp": "strverscmp(s, t)", "atol": "atol(s)", "strtoul": "strtoul(s, 0, 36)",
    }
    writes = {
        "strcpy": "strcpy(s, t)", "stpcpy": "stpcpy(s, t)", "strncpy": "strncpy(s, t, 12)", "stpncpy": "stpncpy(s, t, 12)",
        "strcat": 'strcat(strcpy(s, "x"), t)', "strncat": "strncat(s, t, 3)", "memccpy": "memccpy(s, t, 'x', 12)",
        "strcpy_constant": 'strcpy(s, "const")', "strxfrm": "strxfrm(s, t, 12)", "strsep": 'strsep(&(char *){s}, " ")',
        "strfry": "strfry(s)", "memfrob": "memfrob(s, 5)", "explicit_bzero": "explicit_bzero(s, 8)",
    }
    for name, call in reads.items():
        yield Form(f"{name}_reads", text, f"KEEP({call});", "s[1] = OPAQUE('z');")
    for name, call in writes.items():
        spot = {"strncat": 10, "strsep": 4, "strcpy_constant": 3}.get(name, 2)
        effect = f"{call};" if name in ("memfrob", "explicit_bzero") else f"KEEP({call});"
        yield Form(f"{name}_writes", text, effect, f"KEEP(s[{spot}]);")


def all_c():
    for family in (scalars, struct_copies, vectors, blocks, strings):
        yield from family()


# ---- C++

CONTAINERS = {
    "vector": ("std::vector<int> c{1, 2, 3};", {
        "push_back": "c.push_back(4);", "pop_back": "c.pop_back();", "insert": "c.insert(c.begin(), 4);",
        "erase": "c.erase(c.begin());", "resize": "c.resize(20);", "clear": "c.clear();", "assign": "c.assign(2, 7);",
        "copy_assign": "std::vector<int> d(9); c = d;", "move_assign": "std::vector<int> d(9); c = std::move(d);",
        "swap": "std::vector<int> d(9); c.swap(d);", "element": "c[OPAQUE(1)] = 5;", "reserve": "c.reserve(100);",
        "emplace": "c.emplace_back(5);", "shrink": "c.resize(1); c.shrink_to_fit();"}),
    "string": ('std::string c = "some text";', {
        "append": "c += 'x';", "append_long": 'c += " and a longer text that needs the heap";', "assign": 'c = "text";',
        "replace": 'c.replace(0, 4, "a few words more");', "erase": "c.erase(1, 2);", "insert": 'c.insert(2, "xyz");',
        "resize": "c.resize(60);", "clear": "c.clear();", "reserve": "c.reserve(100);", "push_back": "c.push_back('x');",
        "pop_back": "c.pop_back();", "copy_assign": 'std::string d = "other"; c = d;',
        "move_assign": 'std::string d(50, \'x\'); c = std::move(d);', "swap": 'std::string d(50, \'x\'); c.swap(d);',
        "element": "c[OPAQUE(0)] = 'x';"}),
    "deque": ("std::deque<int> c{1, 2, 3};", {
        "push_back": "c.push_back(4);", "pop_front": "c.pop_front();", "insert": "c.insert(c.begin() + 1, 4);",
        "clear": "c.clear();", "element": "c[OPAQUE(1)] = 5;"}),
    "list": ("std::list<int> c{1, 2, 3};", {
        "push_back": "c.push_back(4);", "push_front": "c.push_front(4);", "pop_front": "c.pop_front();",
        "insert": "c.insert(++c.begin(), 4);", "clear": "c.clear();", "assign": "c = {4, 5};"}),
    "forward_list": ("std::forward_list<int> c{1, 2, 3};", {
        "push_front": "c.push_front(4);", "clear": "c.clear();", "reverse": "c.reverse();"}),
    "map": ("std::map<int, int> c{{1, 1}, {2, 2}, {3, 3}};", {
        "insert": "c.insert({4, 4});", "erase": "c.erase(1);", "clear": "c.clear();", "index": "c[9] = 1;"}),
    "set": ("std::set<int> c{1, 2, 3};", {"insert": "c.insert(4);", "erase": "c.erase(1);", "clear": "c.clear();"}),
    "unordered_map": ("std::unordered_map<int, int> c{{1, 1}, {2, 2}};", {
        "insert": "c.insert({4, 4});", "erase": "c.erase(1);", "clear": "c.clear();", "index": "c[1] = 9;"}),
    "unordered_set": ("std::unordered_set<int> c{1, 2, 3};", {"insert": "c.insert(4);", "erase": "c.erase(1);"}),
}

ALGORITHMS = {
    "sort": "std::sort(a, a + 12);", "stable_sort": "std::stable_sort(a, a + 12);", "fill": "std::fill(a, a + 12, 7);",
    "fill_n": "std::fill_n(a, 12, 0);", "copy": "std::copy(b, b + 12, a);", "copy_backward": "std::copy_backward(b, b + 12, a + 12);",
    "copy_if": "std::copy_if(b, b + 12, a, [](int n) { return n >= 0; });", "move": "std::move(b, b + 12, a);",
    "swap_ranges": "std::swap_ranges(a, a + 12, b);", "iter_swap": "std::iter_swap(a + 5, b);",
    "rotate": "std::rotate(a, a + 5, a + 12);", "reverse": "std::reverse(a, a + 12);",
    "iota": "std::iota(a, a + 12, 3);", "generate": "std::generate(a, a + 12, [n = 0]() mutable { return ++n; });",
    "transform": "std::transform(b, b + 12, a, [](int n) { return n + 1; });",
    "partial_sum": "std::partial_sum(b, b + 12, a);", "adjacent_difference": "std::adjacent_difference(b, b + 12, a);",
    "merge": "std::merge(b, b + 6, b + 6, b + 12, a);", "inplace_merge": "std::inplace_merge(a, a + 6, a + 12);",
    "replace": "std::replace(a, a + 12, a[5], 99);", "remove": "KEEP(std::remove(a, a + 12, 3));",
    "nth_element": "std::nth_element(a, a + 5, a + 12);", "make_heap": "std::make_heap(a, a + 12);",
    "shuffle": "std::shuffle(a, a + 12, std::mt19937(1));",
    "for_each": "std::for_each(a, a + 12, [](int& n) { ++n; });", "exchange": "KEEP(std::exchange(a[5], 4));",
    "uninitialized_fill": "std::uninitialized_fill(a, a + 12, 4);",
}
ALGORITHMS_THAT_READ = {
    "accumulate": "std::accumulate(a, a + 12, 0)", "find": "std::find(a, a + 12, 999)",
    "find_if": "std::find_if(a, a + 12, [](int n) { return n > 999; })", "count": "std::count(a, a + 12, 3)",
    "lower_bound": "std::lower_bound(a + 5, a + 6, 3)", "binary_search": "std::binary_search(a + 5, a + 6, 3)",
    "equal": "std::equal(a + 5, a + 12, b)", "mismatch": "std::mismatch(a + 5, a + 12, b).first",
    "max_element": "std::max_element(a, a + 12)", "minmax_element": "std::minmax_element(a, a + 12).first",
    "inner_product": "std::inner_product(a, a + 12, b, 0)", "is_sorted": "std::is_sorted(a + 4, a + 12)",
    "all_of": "std::all_of(a, a + 12, [](int n) { return n < 999; })", "search": "std::search(a + 5, a + 12, b, b + 1)",
    "lexicographical": "std::lexicographical_compare(a + 5, a + 12, b, b + 12)", "unique_copy": "std::unique_copy(a, a + 12, b)",
    "partition": "std::partition(a, a + 12, [](int n) { return n > 6; })",
    "next_permutation": "std::next_permutation(a, a + 7)", "reduce": "std::reduce(a, a + 12)", "adjacent_find": "std::adjacent_find(a + 5, a + 7)",
}
READS_OF_STRINGS = {
    "compare": "s.compare(t)", "equal": "s == t", "less": "s < t", "find": 's.find("ext")', "rfind": "s.rfind('q')",
    "find_first_of": 's.find_first_of("xq")', "find_last_not_of": 's.find_last_not_of("text")', "substr": "s.substr(3).size()",
    "plus": "(s + t).size()", "copy": "std::string(s).size()", "c_str": "strlen(s.c_str())",
    "hash": "std::hash<std::string>{}(s)", "starts_with": 's.starts_with("some t")', "count": "std::count(s.begin(), s.end(), 'x')",
    "view": "std::string_view(s).find('q')", "range_for": "[&] { int n = 0; for (char c : s) n += c; return n; }()",
}


def containers():
    for name, (declaration, changes) in CONTAINERS.items():
        read = "for (auto& e : c) KEEP(e.second);" if name.endswith("map") else "for (auto e : c) KEEP(e);"
        for change, code in changes.items():
            yield Form(f"{name}_{change}", declaration, code, read)
        if name not in ("forward_list", "string"):
            yield Form(f"{name}_copy_construct", declaration, "auto d = c; KEEP(d.size());", next(iter(changes.values())))
        if name != "forward_list":
            yield Form(f"{name}_size", declaration, next(iter(changes.values())), "KEEP(c.size());")


def algorithms():
    arrays = "int a[12] = {3, 1, 2, 9, 8, 7, 6, 5, 4, 10, 12, 11}, b[12] = {7, 8};"
    for name, code in ALGORITHMS.items():
        yield Form(f"algorithm_{name}", arrays, code, "KEEP(a[5]);")
    for name, code in ALGORITHMS_THAT_READ.items():
        yield Form(f"algorithm_{name}", arrays, f"KEEP({code});", "a[5] = OPAQUE(7);")
    for element in ("char", "double", "std::string", "long double"):
        word = element.replace("std::", "").replace(" ", "_")
        read = "KEEP(a[30].size());" if word == "string" else "KEEP(*(volatile char*)&a[30]);"
        yield Form(f"algorithm_fill_{word}", f"{element} a[40], v;", "std::fill(a, a + 40, v);", read)
        yield Form(f"algorithm_copy_{word}", f"{element} a[40], b[40];", "std::copy(b, b + 40, a);", read)
    yield Form("algorithm_swap_string", 'std::string s = "one", t = "two";', "std::swap(s, t);", "KEEP(t.size());")
    yield Form("algorithm_swap_struct", "struct S { int a[5]; } s, t;", "std::swap(s, t);", "KEEP(t.a[4]);")


def strings_of_cxx():
    declaration = 'std::string s = "some text", t = "some texu";'
    for name, code in READS_OF_STRINGS.items():
        yield Form(f"string_read_{name}", declaration, f"KEEP({code});", "s[5] = OPAQUE('b');")


def all_cxx():
    for family in (containers, algorithms, strings_of_cxx):
        yield from family()
