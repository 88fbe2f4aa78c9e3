// Does every algorithm see of a program what plain enumeration sees?
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "explore/reduction/reference/enumeration.h"
#include "target/scripted/script.h"

namespace heddle::generated {

enum class Judgement { Agree, TooBig, Disagree };

struct Agreement {
  Judgement judgement = Judgement::Agree;
  std::string text;  // who saw what else
  std::uint64_t interleavings = 0;
  std::uint64_t traces = 0;
};

// Every algorithm and option against the enumeration of at most `limit` interleavings.
Agreement compare(const scripted::Script& script, std::uint64_t limit);

// Every algorithm within these bounds against the enumeration of what they allow.
Agreement compare_within(const reference::Bounds& bounds, const scripted::Script& script, std::uint64_t limit);

// The same in a process of its own: a failed assertion of ours is a disagreement too.
Agreement compare_isolated(const scripted::Script& script, std::uint64_t limit, const reference::Bounds& bounds = {});

// Any comparison in a process of its own.
Agreement isolated(const std::function<Agreement()>& compare_them);

// A disagreement as a test to paste into tests/issues/.
std::string as_issue(const scripted::Script& script, const std::string& text, const char* expectation = "expect_agreement");

}  // namespace heddle::generated
