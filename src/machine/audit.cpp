// Puts the audit together: functions in an order in which callees come before their callers, each
// analysed by itself, and what is only known of all of them added at the end.
#include "machine/audit.h"

#include <algorithm>
#include <utility>

#include "machine/flow.h"
#include "machine/frame_variables.h"
#include "machine/functions.h"
#include "machine/image.h"

namespace heddle::machine {
namespace {

class Auditor : private Callees {
 public:
  explicit Auditor(const Image& image)
      : image_(image),
        functions_(image),
        variables_(image.path()),
        summaries_(functions_.all().size()) {}

  Audit run() {
    audit_.gaps = functions_.gaps();
    for (const std::size_t index : callees_first()) analyse_one(index);
    functions_.finish_targets();
    for (Site& site : audit_.sites) site.room = room_of(site);
    std::ranges::sort(audit_.sites, {}, &Site::address);
    std::ranges::sort(audit_.gaps, {}, &Gap::address);
    return std::move(audit_);
  }

 private:
  Callee at(std::uint64_t address) const override {
    const int index = functions_.index_at(address);
    if (index < 0) return callee_by_name(functions_.name_at(address));
    Callee callee;
    const Summary& summary = summaries_[static_cast<std::size_t>(index)];
    const bool first = functions_.all()[static_cast<std::size_t>(index)].entries.size() == 1;
    if (!summary.known || !first) return callee;
    callee.keeps = summary.keeps;
    callee.answers = summary.answers;
    callee.answers_high = summary.answers_high;
    callee.returns = summary.returns;
    callee.takes_stack_arguments = summary.takes_stack_arguments;
    return callee;
  }

  Callee imported(std::uint64_t place) const override {
    if (const std::string_view name = image_.imported(place); !name.empty())
      return callee_by_name(name);
    if (const std::optional<std::uint64_t> target = image_.pointer(place)) return at(*target);
    return Callee{};
  }

  std::vector<std::size_t> callees_first() const {
    const std::size_t count = functions_.all().size();
    std::vector<std::size_t> order;
    std::vector<char> seen(count);
    std::vector<std::pair<std::size_t, std::size_t>> path;  // function, next of its calls
    for (std::size_t root = 0; root < count; ++root) {
      if (std::exchange(seen[root], 1)) continue;
      path.push_back({root, 0});
      while (!path.empty()) {
        auto& [function, next] = path.back();
        const std::vector<std::uint64_t>& calls = functions_.all()[function].calls;
        if (next == calls.size()) {
          order.push_back(function);
          path.pop_back();
          continue;
        }
        const int callee = functions_.index_at(calls[next++]);
        if (callee >= 0 && !std::exchange(seen[static_cast<std::size_t>(callee)], 1))
          path.push_back({static_cast<std::size_t>(callee), 0});
      }
    }
    return order;
  }

  void analyse_one(std::size_t index) {
    const Function& function = functions_.all()[index];
    Findings found = analyse(image_, function, *this, variables_.of(function));
    summaries_[index] = found.summary;
    for (Site& site : found.sites) site.instrumented = found.summary.has_hooks;
    for (std::uint64_t target : found.targets) functions_.add_target(target);
    if (found.jumps_anywhere)
      jumpy_.insert(jumpy_.end(), function.pieces.begin(), function.pieces.end());
    audit_.accesses += found.accesses;
    audit_.covered += found.covered;
    audit_.private_ones += found.private_ones;
    audit_.sites.insert(audit_.sites.end(), found.sites.begin(), found.sites.end());
    audit_.gaps.insert(audit_.gaps.end(), found.gaps.begin(), found.gaps.end());
  }

  std::uint8_t room_of(const Site& site) const {
    const bool jumpy =
        std::ranges::any_of(jumpy_, [&](const Range& r) { return r.contains(site.address); });
    return jumpy ? site.length : functions_.room(site.address, site.length);
  }

  const Image& image_;
  Functions functions_;
  FrameVariables variables_;
  std::vector<Summary> summaries_;
  std::vector<Range> jumpy_;  // functions with jumps that lead anywhere
  Audit audit_;
};

}  // namespace

Result<Audit> audit(const std::string& elf_path) {
  Result<Image> image = Image::open(elf_path);
  if (!image) return image.error();
  return Auditor(*image).run();
}

}  // namespace heddle::machine
