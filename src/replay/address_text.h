// Addresses as short text for files: "m0+1f40" (module), "h2+40" (heap of thread 2), "s1+7f0" (stack), "t3" (thread), "0".
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "model/trace.h"

namespace heddle {

std::string address_text(Address address);
std::optional<Address> parse_address(std::string_view text);

}  // namespace heddle
