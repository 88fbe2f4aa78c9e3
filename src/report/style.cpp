#include "report/style.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <unistd.h>

namespace heddle {

Style style_for(int fd, bool no_colour) {
  Style style;
  if (!isatty(fd)) return style;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::strcmp(term, "dumb") == 0;
  style.colour = !no_colour && (no_color == nullptr || *no_color == 0) && !dumb;
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) style.width = std::max<int>(size.ws_col, 20);
  return style;
}

}  // namespace heddle
