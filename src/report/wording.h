// The words that all text views share: threads, places, stacks, steps.
#pragma once
#include <string>
#include <vector>

#include "replay/trace_file.h"

namespace heddle {

std::string thread_name(int thread);  // "main", "thread 2"

// A file of the system rather than of the user: shown only where nothing better is known.
bool is_library(const SourceFrame& frame);

// All source frames of a call stack, inlined ones included, innermost first.
std::vector<SourceFrame> expand(const std::vector<Address>& stack, Places& places);

// The innermost frame that the user wrote; the innermost at all where there is none.
SourceFrame user_frame(const std::vector<Address>& stack, Places& places);

// "account.cpp:12", relative to where the program ran; "libfoo.so+0x12f0" without debug information.
std::string place_of(const SourceFrame& frame, const std::string& directory);

// Only the user's frames of a stack; all of it where there are none.
std::vector<SourceFrame> user_stack(const std::vector<Address>& stack, Places& places);

// The stack recorded for one owner, or the one frame that is always known.
std::vector<Address> recorded_stack(const Trace& trace, wire::StackRecord::Owner owner, std::uint32_t index, Address pc);

// "lock to.mutex", "create thread 2", "cond resume (timed out) ready".
std::string step_text(const Event& event, Places& places);
std::string pending_text(const Pending& pending, Places& places);

}  // namespace heddle
