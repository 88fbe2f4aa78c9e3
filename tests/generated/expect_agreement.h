// For tests of single programs: every algorithm sees what plain enumeration sees.
#pragma once
#include <gtest/gtest.h>

#include "agreement.h"
#include "stateful_agreement.h"

namespace heddle::generated {

inline void expect_agreement(const scripted::Script& script) {
  const Agreement a = compare(script, 100'000);
  EXPECT_EQ(a.judgement, Judgement::Agree) << a.text;
}

// The same for stateful searches and the enumeration of states. `seed` is that of random orders.
inline void expect_stateful_agreement(const scripted::Script& script, std::uint64_t seed = 1) {
  const Agreement a = compare_stateful(script, 100'000, seed);
  EXPECT_EQ(a.judgement, Judgement::Agree) << a.text;
}

}  // namespace heddle::generated
