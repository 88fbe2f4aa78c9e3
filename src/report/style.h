// How text reports look: colours or not, how wide. Chosen once, from the terminal and the options.
#pragma once
#include <string>
#include <string_view>

namespace heddle {

struct Style {
  bool colour = false;
  int width = 100;

  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string bad(std::string_view text) const { return wrap("1;31", text); }
  std::string good(std::string_view text) const { return wrap("1;32", text); }
  std::string unsure(std::string_view text) const { return wrap("1;33", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }

 private:
  std::string wrap(std::string_view code, std::string_view text) const {
    if (!colour || text.empty()) return std::string(text);
    return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
  }
};

// Colours on a terminal unless NO_COLOR is set (https://no-color.org) or `no_colour` asks for none.
Style style_for(int fd, bool no_colour);

}  // namespace heddle
