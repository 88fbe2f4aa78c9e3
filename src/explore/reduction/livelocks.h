// Which endless runs are a finding, for searches that see them.
#pragma once
namespace heddle {

enum class Livelocks {
  Ignore,
  Certain,   // no step leads out of the states that come round
  Possible,  // also where steps do, and a schedule that is fair need not take them
};

}  // namespace heddle
