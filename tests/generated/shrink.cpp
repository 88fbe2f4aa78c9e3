// From a failing program back to the smallest that still fails, and which programs are worth running at all.
#include <algorithm>
#include <utility>
#include <vector>

#include "generator.h"

namespace heddle::generated {
namespace {

using namespace scripted;

// The script without instructions [from, to) of a thread; jumps follow what they pointed to.
Script without(const Script& script, std::size_t thread, std::size_t from, std::size_t to) {
  Script smaller = script;
  auto& code = smaller.threads[thread].code;
  code.erase(code.begin() + static_cast<std::ptrdiff_t>(from), code.begin() + static_cast<std::ptrdiff_t>(to));
  const int gone = static_cast<int>(to - from);
  for (Instruction& i : code) {
    if (i.code != Code::Jump && i.code != Code::JumpIf) continue;
    if (i.object >= static_cast<int>(to)) i.object -= gone;
    else if (i.object > static_cast<int>(from)) i.object = static_cast<int>(from);
  }
  return smaller;
}

// An await for several variables stands at the end of a loop that reads them: what await_either builds.
bool reads_before(const ThreadScript& t, std::size_t k) {
  if (k < 4 || k + 1 >= t.code.size()) return false;
  const std::size_t top = k - 4;
  auto leaves = [&](const Instruction& i) { return i.code == Code::JumpIf && i.object == static_cast<int>(k + 2); };
  const Instruction& back = t.code[k + 1];
  if (back.code != Code::Jump || back.object != static_cast<int>(top)) return false;
  const bool reads = t.code[top].code == Code::AtomicLoad && t.code[top + 2].code == Code::AtomicLoad;
  if (!reads || !leaves(t.code[top + 1]) || !leaves(t.code[top + 3])) return false;
  return t.code[k].value == (1 << t.code[top].object | 1 << t.code[top + 2].object);
}

bool is_local(Code code) { return code >= Code::Set; }

}  // namespace

bool is_sensible(const Script& script, bool cycles) {
  std::vector<const ThreadScript*> creator(script.threads.size());
  for (const ThreadScript& t : script.threads)
    for (const Instruction& i : t.code)
      if (i.code == Code::Create && std::exchange(creator[static_cast<std::size_t>(i.object)], &t)) return false;
  for (const ThreadScript& t : script.threads)  // only the creator knows whom to ask
    for (const Instruction& i : t.code)
      if (i.code == Code::TryJoin && creator[static_cast<std::size_t>(i.object)] && &t != creator[static_cast<std::size_t>(i.object)]) return false;
  for (const ThreadScript& t : script.threads) {
    for (std::size_t k = 0; k < t.code.size(); ++k) {
      const Instruction& i = t.code[k];
      const bool jumps = i.code == Code::Jump || i.code == Code::JumpIf;
      if (jumps && (i.object < 0 || i.object > t.here())) return false;
      if (jumps && i.object <= static_cast<int>(k)) {  // a loop must wait in it, or it may never end
        const bool waits = std::any_of(t.code.begin() + i.object, t.code.begin() + static_cast<std::ptrdiff_t>(k), [](const Instruction& x) {
          return x.code == Code::AwaitChange || x.code == Code::AwaitAny || x.code == Code::CondWait;
        });
        const bool begins = i.object < t.here() && !is_local(t.code[static_cast<std::size_t>(i.object)].code);
        if (!(cycles ? begins : waits)) return false;
      }
      if (i.code == Code::OnceEnd && std::none_of(t.code.begin(), t.code.begin() + static_cast<std::ptrdiff_t>(k), [](const Instruction& x) { return x.code == Code::OnceBegin; }))
        return false;
      if (i.code == Code::AwaitChange && (k == 0 || t.code[0].code == Code::AwaitChange)) return false;
      if (i.code == Code::AwaitAny && !reads_before(t, k)) return false;
      if (cycles) continue;
      if (i.code == Code::CondWait && i.timed && std::any_of(t.code.begin() + static_cast<std::ptrdiff_t>(k), t.code.end(), [&](const Instruction& x) {
            return x.code == Code::Jump && x.object <= static_cast<int>(k);
          }))
        return false;  // could time out for ever
      if (i.code == Code::CondWait && script.spurious_wakeups && std::any_of(t.code.begin() + static_cast<std::ptrdiff_t>(k), t.code.end(), [&](const Instruction& x) {
            return x.code == Code::Jump && x.object <= static_cast<int>(k);
          }))
        return false;
    }
  }
  return true;
}

Script shrink(Script script, const std::function<bool(const Script&)>& fails, bool cycles) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t t = 0; t < script.threads.size(); ++t)
      for (std::size_t length = script.threads[t].code.size(); length > 0; length = length > 1 ? length / 2 : 0)
        for (std::size_t from = 0; from + length <= script.threads[t].code.size();) {
          Script attempt = without(script, t, from, from + length);
          if (is_sensible(attempt, cycles) && fails(attempt)) {
            script = attempt;
            smaller = true;
          } else {
            ++from;
          }
        }
    Script calm = script;
    calm.spurious_wakeups = false;
    if (script.spurious_wakeups && fails(calm)) script = calm, smaller = true;
  }
  return script;
}

}  // namespace heddle::generated
