// std::ios_base::sync_with_stdio: whether threads may use the standard streams without a lock.
#include <ios>

#include "real.h"

extern "C" bool heddle_streams_synchronised;  // runtime/exempt.h

namespace {

heddle::libstdcxx::Real<bool(bool)> synchronise;
constexpr const char* kSymbol = "_ZNSt8ios_base15sync_with_stdioEb";

HEDDLE_BEFORE_MAIN void find_all() { synchronise.get(kSymbol); }

}  // namespace

HEDDLE_UNSEEN bool std::ios_base::sync_with_stdio(bool now) {
  heddle_streams_synchronised = now;
  return synchronise.get(kSymbol)(now);
}
