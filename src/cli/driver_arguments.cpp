#include "cli/driver_arguments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace heddle {
namespace {

template <std::size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Options of gcc or clang whose value is the next word. A value must never be mistaken for an input file.
constexpr auto kTakesNextWord = std::to_array<std::string_view>({
    "-o", "-x", "-I", "-D", "-U", "-L", "-l", "-A", "-B", "-F", "-T", "-u", "-z", "-e", "-G", "-include", "-imacros",
    "-isystem", "-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-iquote", "-isysroot", "-imultilib",
    "-imultiarch", "-include-pch", "-iframework", "-iwithsysroot", "-cxx-isystem", "-ivfsoverlay", "-MF", "-MT", "-MQ",
    "-MJ", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xclang", "-Xanalyzer", "-mllvm", "-arch", "-target",
    "-aux-info", "--param", "-dumpbase", "-dumpbase-ext", "-dumpdir", "-wrapper", "-framework", "-rpath", "-Tbss",
    "-Tdata", "-Ttext", "-install_name", "-gcc-toolchain", "-ccc-gcc-name", "-working-directory",
    "-serialize-diagnostics", "--serialize-diagnostics", "-mthread-model", "-main-file-name", "-meabi", "--sysroot",
    "--output", "--include", "--imacros", "--define-macro", "--undefine-macro", "--include-directory",
    "--include-directory-after", "--library-directory", "--language", "--specs", "--config", "--entry", "--force-link",
    "--prefix", "--for-linker", "--for-assembler", "--dump", "--assert", "--std", "--target",
});

constexpr auto kStopsBeforeLinking = std::to_array<std::string_view>({
    "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-emit-ast", "--analyze", "-analyze", "--precompile", "--compile",
    "--assemble", "--preprocess", "--dependencies", "--user-dependencies",
});

constexpr auto kSourceSuffixes = std::to_array<std::string_view>({
    "c", "i", "ii", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "m", "mi", "mm", "mii", "M", "cppm", "ixx", "ll", "bc",
    "h", "hh", "H", "hp", "hxx", "hpp", "HPP", "h++", "tcc", "f", "for", "f90", "F90", "f95", "d", "go", "adb",
});
constexpr auto kHeaderSuffixes =
    std::to_array<std::string_view>({"h", "hh", "H", "hp", "hxx", "hpp", "HPP", "h++", "tcc"});

// Sanitizers with a runtime or a shadow memory of their own; gcc and clang refuse most of them beside thread as well.
constexpr auto kForeignSanitizers = std::to_array<std::string_view>({
    "address", "kernel-address", "hwaddress", "kernel-hwaddress", "pointer-compare", "pointer-subtract", "memory",
    "kernel-memory", "leak", "dataflow", "memtag", "safe-stack",
});

constexpr auto kCounters = std::to_array<std::string_view>({
    "--coverage", "-coverage", "-fprofile-arcs", "-fprofile-generate", "-fprofile-instr-generate", "-fcoverage-mapping",
});

std::string_view suffix_of(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

std::vector<std::string> split_commas(std::string_view text) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

class Parser {
 public:
  Arguments parse(const std::vector<std::string>& words) {
    for (const std::string& word : words) add(word);
    result_.links = result_.has_input && !stops_ && !only_headers();
    return std::move(result_);
  }

 private:
  bool only_headers() const { return inputs_ > 0 && headers_ == inputs_; }

  void add(const std::string& word) {
    if (!word.empty() && word[0] == '@' && !value_of_.size() && add_response_file(word)) return;
    if (std::optional<std::string> kept = read(word)) result_.words.push_back(*kept);
  }

  // Hands the @file on as it is unless a word in it has to go or change; then its words take its place.
  bool add_response_file(const std::string& word) {
    std::ifstream file(word.substr(1));
    if (!file || depth_ == kMaxDepth) return false;
    ++depth_;
    std::stringstream text;
    text << file.rdbuf();
    std::vector<std::string> inner = split_response_file(text.str());
    std::vector<std::string> outer = std::exchange(result_.words, {});
    for (const std::string& each : inner) add(each);
    std::vector<std::string> kept = std::exchange(result_.words, std::move(outer));
    if (kept == inner)
      result_.words.push_back(word);
    else
      result_.words.insert(result_.words.end(), kept.begin(), kept.end());
    --depth_;
    return true;
  }

  // Takes notice of one word. Answers what to hand on in its place: nothing if it must not reach the compiler.
  std::optional<std::string> read(const std::string& word) {
    if (!value_of_.empty()) {
      read_value(std::exchange(value_of_, ""), word);
      return word;
    }
    if (word.empty() || word[0] != '-' || word == "-") {
      read_input(word);
      return word;
    }
    if (word.starts_with("-fsanitize=")) return read_sanitizers(word);
    if (word == "-ltsan") return std::nullopt;
    if (counts_executions(word)) return without_counters(word);
    read_option(word);
    return word;
  }

  // Counters of executed lines are plain variables that all threads write to: nothing but races, and no fault of the program.
  static bool counts_executions(const std::string& word) {
    return one_of(word, kCounters) || word.starts_with("-fprofile-generate=") || word.starts_with("-fprofile-instr-generate=");
  }

  // The notes that a compiler makes beside the object are what build systems may look for.
  std::optional<std::string> without_counters(const std::string& word) {
    result_.counts = true;
    if (word == "--coverage" || word == "-coverage") return "-ftest-coverage";
    return std::nullopt;
  }

  void read_value(const std::string& option, const std::string& value) {
    if (option == "-x" || option == "--language") language_ = value;
    if (option == "-l") result_.has_input = true;
    if (option == "-z") read_linker_word("-z" + value);
    if (option == "-Xlinker" || option == "--for-linker") read_linker_word(value);
  }

  void read_option(const std::string& word) {
    if (one_of(word, kTakesNextWord)) {
      value_of_ = word;
    } else if (one_of(word, kStopsBeforeLinking)) {
      stops_ = true;
    } else if (word.starts_with("-Wl,")) {
      for (const std::string& each : split_commas(std::string_view(word).substr(4))) read_linker_word(each);
    } else if (word.starts_with("-x")) {
      language_ = word.substr(2);
    } else if (word.starts_with("--language=")) {
      language_ = word.substr(11);
    } else if (word.starts_with("-l")) {
      result_.has_input = true;
    } else if (word.starts_with("-z")) {
      read_linker_word(word);
    } else {
      read_switch(word);
    }
  }

  void read_switch(const std::string& word) {
    if (word == "-shared" || word == "--shared" || word == "-dynamiclib") result_.shared = true;
    if (word == "-r") result_.relocatable = true;
    if (word == "-nostdlib" || word == "--no-standard-libraries") result_.no_standard_library = true;
    if (word == "-static" || word == "--static" || word == "-static-pie") result_.fully_static = true;
    if (word == "-m32" || word == "-mx32" || word == "-m16") result_.other_machine = word;
    if (word == "-m64") result_.other_machine = "";
    if (word == "-g0" || word == "-ggdb0") result_.drops_debug_info = true;
    if (word == "-fno-sanitize=all") result_.instrument = false;
    if (word.starts_with("-fno-sanitize=")) {
      for (const std::string& name : split_commas(std::string_view(word).substr(14)))
        if (name == "thread") result_.instrument = false;
    }
  }

  // -z defs reaches us as "-zdefs", as "-z" "defs" or inside -Wl; the last one wins in the linker.
  void read_linker_word(const std::string& word) {
    const std::string previous = std::exchange(linker_word_, word);
    const bool keyword = previous == "-z";
    if (word == "-zdefs" || word == "--no-undefined" || word == "-no-undefined" || (keyword && word == "defs"))
      result_.forbids_undefined = true;
    if (word == "-r" || word == "--relocatable" || word == "-i") result_.relocatable = true;
    if (word == "-shared" || word == "-Bshareable") result_.shared = true;
  }

  // `thread` is ours already and would make the compiler link its own runtime.
  std::optional<std::string> read_sanitizers(const std::string& word) {
    std::string kept;
    for (const std::string& name : split_commas(std::string_view(word).substr(11))) {
      if (one_of(name, kForeignSanitizers)) result_.foreign_sanitizer = name;
      if (name == "thread") {
        result_.instrument = true;
        continue;
      }
      kept += (kept.empty() ? "" : ",") + name;
    }
    if (kept.empty()) return std::nullopt;
    return "-fsanitize=" + kept;
  }

  void read_input(const std::string& path) {
    result_.has_input = true;
    ++inputs_;
    const bool by_name = language_.empty() || language_ == "none";
    if (by_name ? one_of(suffix_of(path), kHeaderSuffixes) : language_.ends_with("-header")) ++headers_;
    if (by_name ? one_of(suffix_of(path), kSourceSuffixes) || path == "-" : !language_.starts_with("assembler"))
      result_.compiles = true;
  }

  static constexpr int kMaxDepth = 16;  // an @file may name itself

  Arguments result_;
  std::string value_of_;     // the option whose value comes next
  std::string language_;     // of -x
  std::string linker_word_;  // the last one seen
  bool stops_ = false;
  int inputs_ = 0;
  int headers_ = 0;
  int depth_ = 0;            // of nested @files
};

}  // namespace

Arguments parse_arguments(const std::vector<std::string>& words) { return Parser().parse(words); }

std::vector<std::string> split_response_file(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      inside = true;
    } else if (quote) {
      if (c == quote) quote = 0;
      else word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (!std::isspace(static_cast<unsigned char>(c))) {
      word += c;
      inside = true;
    } else if (inside) {
      words.push_back(std::exchange(word, ""));
      inside = false;
    }
  }
  if (inside) words.push_back(word);
  return words;
}

}  // namespace heddle
