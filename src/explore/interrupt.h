// Ctrl-C and SIGTERM end a search with what it has so far. A second one ends the tool at once, unless it comes right after the first: `timeout` sends its signal
// twice.
// A process that searches for another one of ours may get them from the terminal and from that one: to it they are all the same interrupt.
#pragma once

namespace heddle {

enum class SecondInterrupt { Ends, IsTheSame };

void catch_interrupts(SecondInterrupt second = SecondInterrupt::Ends);
bool interrupted();

}  // namespace heddle
