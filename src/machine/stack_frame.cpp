#include "machine/stack_frame.h"

#include <algorithm>
#include <utility>

#include "machine/instruction.h"

namespace heddle::machine {
namespace {

constexpr int kFirstRoot = 7;  // the bits before are the arguments
constexpr int kOverflow = 63;  // any of the roots that have no bit of their own

Taint bit(int number) { return Taint{1} << number; }

Taint root_bit(StackFrame::RootId id) {
  return bit(id < kOverflow - kFirstRoot ? kFirstRoot + static_cast<int>(id) : kOverflow);
}

}  // namespace

StackFrame::StackFrame(Values& values, std::vector<Extent> variables)
    : values_(values), variables_(std::move(variables)) {
  std::sort(variables_.begin(), variables_.end(),
            [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
}

int StackFrame::argument_of(int reg) {
  switch (reg) {
    case kRdi:
      return 0;
    case kRsi:
      return 1;
    case kRdx:
      return 2;
    case kRcx:
      return 3;
    case kR8:
      return 4;
    case kR9:
      return 5;
    case kR10:
      return 6;
    default:
      return -1;
  }
}

StackFrame::RootId StackFrame::root_at(NodeId base, std::int64_t offset) {
  for (std::size_t i = 0; i < roots_.size(); ++i)
    if (roots_[i].base == base && roots_[i].offset == offset) return static_cast<RootId>(i);
  roots_.push_back({base, offset});
  extents_.push_back(object(base, offset));
  return static_cast<RootId>(roots_.size() - 1);
}

StackFrame::Roots StackFrame::roots(Taint taint) const {
  Roots found;
  if (taint >> kFirstRoot == 0) return found;
  for (RootId id = 0; id < roots_.size(); ++id)
    if (taint & root_bit(id)) found.push_back(id);
  return found;
}

Taint StackFrame::taint(Value value) {
  const Node& node = values_.node(value.node);
  if (node.stack) return node.taint | root_bit(root_at(value.node, value.offset));
  if (node.kind == NodeKind::Sum) {
    Taint all = 0;
    for (const Term& term : values_.terms(node)) {
      if (values_.node(term.node).stack)
        all |= root_bit(root_at(term.node, value.offset));
      else
        all |= taint({term.node, 0});
    }
    return all;
  }
  if (node.kind != NodeKind::Fixed) return node.taint;
  const int argument =
      value.node >= kEntry ? argument_of(static_cast<int>(value.node - kEntry)) : -1;
  return argument < 0 ? 0 : bit(argument);
}

void StackFrame::saves_register(NodeId base, std::int64_t offset) {
  for (const Root& known : saved_)
    if (known.base == base && known.offset == offset) return;
  saved_.push_back({base, offset});
  for (std::size_t id = 0; id < roots_.size(); ++id)
    extents_[id] = object(roots_[id].base, roots_[id].offset);
  changed_ = true;
}

void StackFrame::moves_away(std::int64_t offset) {
  if (offset <= dynamic_top_) return;
  dynamic_top_ = offset;
  changed_ = true;
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

bool StackFrame::is_private(const Roots& escaped, NodeId base, std::int64_t offset,
                            std::int64_t size) const {
  return std::ranges::none_of(escaped, [&](RootId id) {
    const Root& root = roots_[id];
    const Extent& extent = extents_[id];
    if (root.base == base) return extent.overlaps(offset, offset + size);
    if (base == kStack) return offset < dynamic_top_;
    if (root.base == kStack) return extent.begin < dynamic_top_;
    return true;
  });
}

bool StackFrame::is_private_object(const Roots& escaped, NodeId base, std::int64_t offset) const {
  if (escaped.empty()) return true;
  const Extent extent = object(base, offset);
  return knows(base, offset) && is_private(escaped, base, extent.begin, extent.end - extent.begin);
}

}  // namespace heddle::machine
