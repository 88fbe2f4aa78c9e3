#include "report/function_name.h"

#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace heddle {
namespace {

constexpr std::size_t kLongestArguments = 24;

// Operators contain brackets that open nothing.
std::size_t operator_symbol_length(std::string_view rest) {
  constexpr std::string_view kOperator = "operator";
  if (!rest.starts_with(kOperator)) return 0;
  for (std::string_view symbol : {"()", "<<=", ">>=", "<=>", "<<", ">>", "<=", ">=", "->*", "->", "<", ">"})
    if (rest.substr(kOperator.size()).starts_with(symbol)) return kOperator.size() + symbol.size();
  return 0;
}

// Position after the bracket that closes the one at `open`.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (std::size_t n = operator_symbol_length(text.substr(i))) {
      i += n - 1;
      continue;
    }
    const char c = text[i];
    if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '>' || c == '}' || c == ']') --depth;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

bool is_anonymous(std::string_view bracket) { return bracket == "(anonymous namespace)"; }

}  // namespace

std::string shorten_name(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (std::size_t n = operator_symbol_length(text.substr(i))) {
      out += text.substr(i, n);
      i += n;
    } else if (c == '(') {
      const std::size_t end = closing(text, i);
      if (std::string_view bracket = text.substr(i, end - i); is_anonymous(bracket)) out += bracket;
      i = end;
      if (text.substr(i).starts_with(" const")) i += 6;
    } else if (c == '<') {
      const std::size_t end = closing(text, i);
      const std::string_view arguments = text.substr(i, end - i);
      out += arguments.size() <= kLongestArguments ? std::string(arguments) : "<...>";
      i = end;
    } else if (c == '{') {  // {lambda(int)#1}: the number is what tells lambdas apart
      const std::size_t end = closing(text, i);
      const std::string_view inside = text.substr(i, end - i);
      const std::size_t number = inside.find_last_of('#');
      out += inside.starts_with("{lambda") && number != std::string_view::npos
                 ? "lambda" + std::string(inside.substr(number, inside.size() - number - 1))
                 : std::string(inside);
      i = end;
    } else if (c == ' ') {  // what stood before was the return type of a template
      out.clear();
      ++i;
    } else if (c == '[') {  // [clone .isra.0], [abi:cxx11]
      i = closing(text, i);
    } else {
      out += c;
      ++i;
    }
  }
  constexpr std::string_view kCall = "::operator()";
  if (out.ends_with(kCall) && out.find("lambda#") != std::string::npos) out.resize(out.size() - kCall.size());
  return out.empty() ? std::string(text) : out;
}

std::string readable_name(const char* symbol) {
  if (symbol == nullptr) return "?";
  if (std::string_view(symbol).substr(0, 2) != "_Z") return symbol;  // a C function called `w` is not a wchar_t
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> demangled(abi::__cxa_demangle(symbol, nullptr, nullptr, &status), std::free);
  return status == 0 ? shorten_name(demangled.get()) : symbol;
}

}  // namespace heddle
