// Ctrl-C and SIGTERM end a search with what it has so far. A second one ends the tool at once.
#pragma once

namespace heddle {

void catch_interrupts();
bool interrupted();

}  // namespace heddle
