#include "machine/stack_frame.h"

#include <algorithm>
#include <utility>

#include "machine/instruction.h"

namespace heddle::machine {
namespace {

constexpr int kFirstRoot = 7;  // the bits before are the arguments
constexpr int kOverflow = 63;  // any of the roots that have no bit of their own

Taint bit(int number) { return Taint{1} << number; }

}  // namespace

StackFrame::StackFrame(Values& values, std::vector<Extent> variables)
    : values_(values), variables_(std::move(variables)) {
  std::sort(variables_.begin(), variables_.end(),
            [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
}

int StackFrame::argument_of(int reg) {
  switch (reg) {
    case kRdi: return 0;
    case kRsi: return 1;
    case kRdx: return 2;
    case kRcx: return 3;
    case kR8: return 4;
    case kR9: return 5;
    case kR10: return 6;
    default: return -1;
  }
}

Taint StackFrame::root_bit(NodeId base, std::int64_t offset) {
  for (std::size_t i = 0; i < roots_.size(); ++i)
    if (roots_[i].base == base && roots_[i].offset == offset)
      return bit(std::min(kFirstRoot + static_cast<int>(i), kOverflow));
  roots_.push_back({base, offset});
  return bit(std::min(kFirstRoot + static_cast<int>(roots_.size()) - 1, kOverflow));
}

std::vector<StackFrame::Root> StackFrame::roots(Taint taint) const {
  std::vector<Root> found;
  for (std::size_t i = 0; i < roots_.size(); ++i)
    if (taint & bit(std::min(kFirstRoot + static_cast<int>(i), kOverflow))) found.push_back(roots_[i]);
  return found;
}

Taint StackFrame::taint(Value value) {
  const Node node = values_.node(value.node);
  if (node.stack) return node.taint | root_bit(value.node, value.offset);
  if (node.kind == NodeKind::Sum) {
    Taint all = 0;
    for (const Term& term : values_.terms(node)) {
      if (values_.node(term.node).stack) all |= root_bit(term.node, value.offset);
      else all |= taint({term.node, 0});
    }
    return all;
  }
  if (node.kind != NodeKind::Fixed) return node.taint;
  const int argument = value.node >= kEntry ? argument_of(static_cast<int>(value.node - kEntry)) : -1;
  return argument < 0 ? 0 : bit(argument);
}

void StackFrame::escape(Value value) { escape(taint(value)); }

void StackFrame::escape(Taint taint) {
  const auto arguments = static_cast<Arguments>(taint & kAllArguments);
  if (arguments & ~escaped_arguments_) {
    escaped_arguments_ |= arguments;
    grew_ = true;
  }
  if (taint >> kFirstRoot == 0) return;
  for (const Root& root : roots(taint)) escape_at(root.base, root.offset);
}

void StackFrame::escape_at(NodeId base, std::int64_t offset) {
  std::vector<Root>& list = base == kStack ? escaped_roots_ : escaped_elsewhere_;
  for (const Root& known : list)
    if (known.base == base && known.offset == offset) return;
  list.push_back({base, offset});
  grew_ = true;
  if (base == kStack) escaped_.push_back(object(base, offset));
}

void StackFrame::saves_register(NodeId base, std::int64_t offset) {
  for (const Root& known : saved_)
    if (known.base == base && known.offset == offset) return;
  saved_.push_back({base, offset});
  escaped_.clear();
  for (const Root& root : escaped_roots_) escaped_.push_back(object(root.base, root.offset));
}

Extent StackFrame::object(NodeId base, std::int64_t offset) const {
  Extent found{offset, INT64_MAX};
  if (base == kStack) {
    bool known = false;
    for (const Extent& variable : variables_) {
      if (offset < variable.begin || offset >= variable.end) continue;
      found.begin = std::min(found.begin, variable.begin);
      found.end = known ? std::max(found.end, variable.end) : variable.end;
      known = true;
    }
    if (known) return found;
    for (const Extent& variable : variables_)
      if (variable.begin > offset) found.end = std::min(found.end, variable.begin);
    if (offset < 0) found.end = std::min<std::int64_t>(found.end, 0);  // the return address
  }
  for (const Root& saved : saved_)
    if (saved.base == base && saved.offset > offset) found.end = std::min(found.end, saved.offset);
  return found;
}

bool StackFrame::knows(NodeId base, std::int64_t offset) const {
  return base == kStack && std::ranges::any_of(variables_, [&](const Extent& variable) {
           return offset >= variable.begin && offset < variable.end;
         });
}

Extent StackFrame::reach(NodeId base, std::int64_t offset) const {
  const Extent found = object(base, offset);
  return knows(base, offset) ? found : Extent{INT64_MIN, found.end};
}

bool StackFrame::is_private(NodeId base, std::int64_t offset, std::int64_t size) const {
  if (base == kStack) {
    if (offset < dynamic_top_ && !escaped_elsewhere_.empty()) return false;
    return std::ranges::none_of(
        escaped_, [&](const Extent& e) { return e.overlaps(offset, offset + size); });
  }
  if (std::ranges::any_of(escaped_, [&](const Extent& e) { return e.begin < dynamic_top_; })) return false;
  return std::ranges::all_of(escaped_elsewhere_, [&](const Root& root) {
    return root.base == base && !object(base, root.offset).overlaps(offset, offset + size);
  });
}

bool StackFrame::is_private_object(NodeId base, std::int64_t offset) const {
  const Extent extent = object(base, offset);
  if (knows(base, offset)) return is_private(base, extent.begin, extent.end - extent.begin);
  return escaped_.empty() && escaped_elsewhere_.empty();
}

}  // namespace heddle::machine
