#include "machine/flow.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <unordered_map>

#include "machine/state.h"

namespace heddle::machine {
namespace {

// Operations beside those of the processor, which stand for themselves.
enum Code : std::uint16_t {
  kZero32 = 0xf000,
  kZero16,
  kZero8,
  kSign32,
  kSign16,
  kSign8,
  kMerge,
  kHigh,
  kLoad8,
  kLoad4,
  kLoad2,
  kLoad1,
  kThreadLocal,
};

constexpr std::int64_t kUnknownSize = -1;
constexpr std::int64_t kStackProtector = 0x28;
constexpr std::int64_t kLargestTable = 1 << 16;

// What one instruction may define, kept apart: loads by their width, registers by their number.
enum Result : unsigned {
  kResultOfOther = 0x100,
  kResultOfLoad = 0x200,
  kResultOfCall = 0x300,
  kResultOfPad = 0x400,
  kNewStack = 0x500,
  kUnknownOperand = 0x600,
  kUnknownAddress,
  kNarrowPop,
  kWideOperand,
  kUnknownSlots = 0x10000,
};
constexpr std::uint64_t kFromOutside = 1, kFromNowhere = 2;  // no instruction lies there
constexpr int kPatience = 200;

constexpr auto kArgumentRegisters = std::to_array<int>({kRdi, kRsi, kRdx, kRcx, kR8, kR9, kR10});
constexpr auto kClobbered =
    std::to_array<int>({kRax, kRcx, kRdx, kRsi, kRdi, kR8, kR9, kR10, kR11});

bool is_kept_register(int reg) {
  return reg == kRbx || reg == kRbp || (reg >= kR12 && reg <= kR15);
}

bool is_call(const Instruction& i) { return i.flow == Flow::Call || i.flow == Flow::CallIndirect; }

// A small set of numbers.
class Places {
 public:
  bool empty() const { return places_.empty(); }
  bool contains(std::uint64_t place) const {
    return std::binary_search(places_.begin(), places_.end(), place);
  }
  void insert(std::uint64_t place) {
    const auto at = std::lower_bound(places_.begin(), places_.end(), place);
    if (at == places_.end() || *at != place) places_.insert(at, place);
  }

 private:
  std::vector<std::uint64_t> places_;
};

// From the address of an instruction to its number.
class CodeIndex {
 public:
  explicit CodeIndex(const std::vector<Range>& pieces) : pieces_(pieces) {
    std::size_t size = 0;
    for (const Range& piece : pieces_) {
      starts_.push_back(size);
      size += piece.end - piece.begin;
    }
    numbers_.assign(size, kNone32);
  }
  void add(std::uint64_t address, std::size_t number) {
    numbers_[place(address)] = static_cast<std::uint32_t>(number);
  }
  bool contains(std::uint64_t address) const {
    const std::size_t at = place(address);
    return at < numbers_.size() && numbers_[at] != kNone32;
  }
  // REQUIRES contains(address).
  std::size_t operator[](std::uint64_t address) const { return numbers_[place(address)]; }

 private:
  static constexpr std::uint32_t kNone32 = ~0U;
  std::size_t place(std::uint64_t address) const {
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      if (pieces_[n].contains(address)) return starts_[n] + (address - pieces_[n].begin);
    return ~std::size_t{0};
  }

  const std::vector<Range>& pieces_;
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> numbers_;
};

enum class Verdict { Covered, Private, Open };

class FlowOfFunction {
 public:
  FlowOfFunction(const Image& image, const Function& function, const Callees& callees,
                 std::vector<Extent> variables)
      : image_(image),
        function_(function),
        callees_(callees),
        frame_(values_, std::move(variables)),
        index_(function.pieces) {}

  Findings run() {
    decode_all();
    do {
      news_ = false;
      make_blocks();
      settle();
    } while (frame_.changed() || news_);
    report();
    return std::move(findings_);
  }

 private:
  // What comes from one place. Kept, so that a block with one predecessor has just its state.
  struct Edge {
    std::uint64_t from = 0;
    State state;
  };
  struct Block {
    std::size_t first = 0, last = 0;
    State in;
    std::vector<Edge> edges;
    Places joined, dropped;  // places that do not agree, once and for all
    int visits = 0;
  };

  // --- code ----------------------------------------------------------------------------------

  void decode_all() {
    for (const Range& piece : function_.pieces) {
      for (std::uint64_t at = piece.begin; at < piece.end;) {
        std::optional<Instruction> i = decode(
            image_.bytes(at).first(std::min<std::size_t>(image_.bytes(at).size(), piece.end - at)),
            at);
        if (!i) break;  // the scan of all functions has said so
        index_.add(at, code_.size());
        code_.push_back(*i);
        at += i->length;
        note_mentions(*i);
      }
    }
    for (std::uint64_t label : function_.labels) note_label(label);
    for (const Instruction& i : code_)
      if ((i.flow == Flow::Jump || i.flow == Flow::Branch) && function_.contains(i.target) &&
          !index_.contains(i.target))
        findings_.gaps.push_back({i.address, i.length, "a jump into the middle of an instruction"});
  }

  void note_mentions(const Instruction& i) {
    for (const Operand& operand : i.all()) {
      if (operand.kind == Operand::Kind::Memory && i.action == Action::Address &&
          operand.memory.base == kRip)
        mentioned_.push_back(static_cast<std::uint64_t>(operand.memory.displacement));
      if (operand.kind == Operand::Kind::Immediate && image_.is_fixed() && i.flow == Flow::Next)
        mentioned_.push_back(static_cast<std::uint64_t>(operand.immediate));
    }
  }

  void note_label(std::uint64_t label) {
    if (index_.contains(label)) labels_.insert(index_[label]);
  }

  void make_blocks() {
    std::set<std::size_t> leaders;
    auto lead = [&](std::uint64_t address) {
      if (index_.contains(address)) leaders.insert(index_[address]);
    };
    for (std::uint64_t entry : function_.entries) lead(entry);
    for (const Range& piece : function_.pieces) lead(piece.begin);
    for (const Frame* frame : function_.frames)
      for (const LandingPad& pad : frame->pads) lead(pad.address);
    for (std::uint64_t place : mentioned_)
      if (!std::ranges::binary_search(function_.entries, place) && function_.contains(place))
        note_label(place);
    leaders.insert(labels_.begin(), labels_.end());
    for (const auto& [jump, targets] : tables_)
      for (std::uint64_t target : targets) lead(target);
    for (std::size_t n = 0; n < code_.size(); ++n) {
      if (code_[n].flow == Flow::Jump || code_[n].flow == Flow::Branch) lead(code_[n].target);
      const bool ends = code_[n].flow != Flow::Next && !is_call(code_[n]);
      if (n + 1 < code_.size() && (ends || code_[n].next() != code_[n + 1].address))
        leaders.insert(n + 1);
    }
    blocks_.clear();
    block_of_.assign(code_.size(), 0);
    for (std::size_t leader : leaders) {
      if (!blocks_.empty()) blocks_.back().last = leader - 1;
      blocks_.push_back({leader, code_.size() - 1, {}, {}, {}, {}, 0});
    }
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (std::size_t n = blocks_[b].first; n <= blocks_[b].last; ++n) block_of_[n] = b;
  }

  // --- the fixed point -----------------------------------------------------------------------

  void settle() {
    waiting_.clear();
    for (std::uint64_t entry : function_.entries)
      if (index_.contains(entry)) flow_into(entry, kFromOutside, entry_state());
    work();
    unreached_ = false;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (blocks_[b].in.reached || is_idle(blocks_[b])) continue;
      if (news_) return;  // of a table that leads there, perhaps
      unreached_ = true;
      flow_into(code_[blocks_[b].first].address, kFromNowhere, unknown_state(b));
      work();
    }
  }

  void work() {
    while (!waiting_.empty()) {
      const std::size_t b = *waiting_.begin();
      waiting_.erase(waiting_.begin());
      State in = meet(blocks_[b]);
      if (blocks_[b].in.reached && blocks_[b].in == in) continue;
      blocks_[b].in = in;
      run_block(blocks_[b], in, false);
    }
  }

  void run_block(const Block& block, State& state, bool reporting) {
    for (std::size_t n = block.first; n <= block.last; ++n) {
      const Instruction& i = code_[n];
      if (reporting) judge_all(i, state);
      execute(i, state);
      if (!is_call(i)) continue;
      if (!reporting) flow_into_pads(i, state);
      if (!callee_of(i, state).returns) return;
    }
    if (!reporting) leave(code_[block.last], state);
  }

  bool is_idle(const Block& block) const {
    for (std::size_t n = block.first; n <= block.last; ++n)
      if (code_[n].action != Action::Nothing && code_[n].flow != Flow::End &&
          code_[n].action != Action::System)
        return false;
    return true;
  }

  static State entry_state() {
    State state;
    state.reached = true;
    for (int r = 0; r < kRegisters; ++r)
      state.registers[static_cast<std::size_t>(r)] = Values::entry(r);
    state.registers[kRsp] = {kStack, 0};
    return state;
  }

  // Code that no path was found to: nothing is known but that the stack is a stack.
  State unknown_state(std::size_t b) {
    State state;
    state.reached = true;
    for (std::size_t r = 0; r < kRegisters; ++r)
      state.registers[r] = values_.joined(blocks_[b].first, r | 0x80);
    values_.node(state.registers[kRsp].node).stack = true;
    frame_.moves_anywhere();
    return state;
  }

  // Hands on to whatever may come next.
  void leave(const Instruction& i, State& state) {
    switch (i.flow) {
      case Flow::Jump:
        jump_to(i, state);
        return;
      case Flow::Branch:
        jump_to(i, state);
        break;
      case Flow::Return:
      case Flow::End:
        return;
      case Flow::JumpIndirect:
        jump_anywhere(i, state);
        return;
      case Flow::Call:
      case Flow::CallIndirect:
      case Flow::Next:
        break;
    }
    if (index_.contains(i.next()))
      flow_into(i.next(), i.address, state);
    else
      returns_ = true;
  }

  void jump_to(const Instruction& i, State& state) {
    if (index_.contains(i.target)) return flow_into(i.target, i.address, state);
    if (!function_.contains(i.target)) leave_by_jump(callees_.at(i.target), state);
  }

  // A call whose return is ours.
  void leave_by_jump(const Callee& callee, State& state) {
    pass_arguments(callee, state);
    if (callee.returns) returns_ = true;
    for (int r : kArgumentRegisters) {
      const int position = StackFrame::argument_of(r);
      const auto made_of =
          static_cast<Arguments>(frame_.taint(register_value(state, r)) & kAllArguments);
      if (callee.answers >> position & 1) answers_ |= made_of;
      if (callee.answers_high >> position & 1) answers_high_ |= made_of;
    }
  }

  void jump_anywhere(const Instruction& i, State& state) {
    std::set<std::uint64_t>& known = tables_[i.address];
    const std::size_t before = known.size();
    for (std::uint64_t target : table_targets(i, state)) known.insert(target);
    if (known.size() > before) {
      news_ = true;  // the blocks must be cut there first
      return;
    }
    for (std::uint64_t target : known) flow_into(target, i.address, state);
    if (!known.empty()) return;
    const bool may_leave = state.registers[kRsp] == Value{kStack, 0};
    if (may_leave) leave_by_jump(indirect_callee(i, state), state);
    returns_ = true;
    for (std::size_t label : labels_) flow_into(code_[label].address, i.address, state);
    if (!may_leave && labels_.empty()) lost_.insert(i.address);
    loose_.insert(i.address);
  }

  void flow_into_pads(const Instruction& i, const State& state) {
    for (const Frame* frame : function_.frames) {
      if (!frame->range.contains(i.address)) continue;
      for (const LandingPad& pad : frame->pads) {
        if (!pad.calls.contains(i.address) || !index_.contains(pad.address)) continue;
        State there = state;
        there.announced.clear();
        there.registers[kRax] = values_.defined(pad.address, kResultOfPad);
        there.registers[kRdx] = values_.defined(pad.address, kResultOfPad + 1);
        if (frame->pushes_arguments) {
          there.registers[kRsp] = values_.defined(pad.address, kNewStack);
          values_.node(there.registers[kRsp].node).stack = true;
          frame_.moves_anywhere();
        }
        flow_into(pad.address, i.address, there);
      }
    }
  }

  void flow_into(std::uint64_t address, std::uint64_t from, const State& state) {
    const std::size_t b = block_of_[index_[address]];
    Block& block = blocks_[b];
    auto edge = std::ranges::find(block.edges, from, &Edge::from);
    if (edge == block.edges.end())
      block.edges.push_back({from, state});
    else if (edge->state == state)
      return;
    else
      edge->state = state;
    waiting_.insert(b);
  }

  // What holds on all edges.
  State meet(Block& block) {
    State into = block.edges.front().state;
    const bool hopeless = ++block.visits > kPatience;  // does not settle by itself
    if (hopeless) forget_everything(block, into);
    if (block.edges.size() == 1 && block.joined.empty() && block.dropped.empty()) return into;
    for (const Edge& edge : block.edges) {
      for (std::size_t r = 0; r < kRegisters; ++r)
        join(block, r, r == kRsp, into.registers[r], edge.state.registers[r]);
      meet_slots(block, into, edge.state);
      std::erase_if(into.announced, [&](const Announced& a) {
        return std::ranges::find(edge.state.announced, a) == edge.state.announced.end();
      });
      meet_escaped(into, edge.state);
    }
    drop_reachable_slots(into);
    if (!hopeless) keep_relations(block, into);
    return into;
  }

  // Escaped on one path, stored to on another.
  void drop_reachable_slots(State& state) {
    Taint inside = 0;
    std::erase_if(state.slots, [&](const Slot& slot) {
      if (frame_.is_private(state.escaped, slot.base, slot.offset, slot.size)) return false;
      inside |= frame_.taint(slot.value);
      return true;
    });
    escape(state, inside);
  }

  // Two places that do not agree on all ways, but are the same distance apart on each, stay so: a
  // pointer and what was computed from it earlier.
  void keep_relations(const Block& block, State& into) {
    std::vector<Joined> leaders;
    for (std::size_t r = 0; r < kRegisters; ++r) {
      Joined one{r, {}};
      for (const Edge& edge : block.edges) one.incoming.push_back(edge.state.registers[r]);
      relate(block, leaders, std::move(one), into.registers[r]);
    }
    for (Slot& slot : into.slots) {
      if (slot.size != 8) continue;
      Joined one{place_of(slot), {}};
      for (const Edge& edge : block.edges)
        if (const Slot* there = find_slot(edge.state, slot)) one.incoming.push_back(there->value);
      if (one.incoming.size() == block.edges.size())
        relate(block, leaders, std::move(one), slot.value);
    }
  }

  struct Joined {
    std::uint64_t place;
    std::vector<Value> incoming;  // by edge
  };

  void relate(const Block& block, std::vector<Joined>& leaders, Joined one, Value& value) {
    if (value != values_.joined(block.first, one.place)) return;
    for (const Joined& leader : leaders) {
      const std::int64_t distance = one.incoming[0].offset - leader.incoming[0].offset;
      bool related = true;
      for (std::size_t e = 0; e < one.incoming.size() && related; ++e)
        related = one.incoming[e].node == leader.incoming[e].node &&
                  one.incoming[e].offset - leader.incoming[e].offset == distance;
      if (!related) continue;
      const Taint taint = frame_.taint(value);
      value = {values_.joined(block.first, leader.place).node, distance};
      add_taint(value, taint);
      return;
    }
    leaders.push_back(std::move(one));
  }

  static void meet_escaped(State& into, const State& from) {
    if (into.escaped == from.escaped) return;
    StackFrame::Roots both;
    std::ranges::set_union(into.escaped, from.escaped, std::back_inserter(both));
    into.escaped = std::move(both);
  }

  void forget_everything(Block& block, State& into) {
    for (std::size_t r = 0; r < kRegisters; ++r) block.joined.insert(r);
    for (const Slot& slot : into.slots) block.joined.insert(place_of(slot));
    into.announced.clear();
  }

  // A place keeps its value where all agree, else it gets one of its own for this block.
  void join(Block& block, std::uint64_t place, bool stack, Value& into, Value from) {
    if (into == from && !block.joined.contains(place)) return;
    const Value own = values_.joined(block.first, place);
    add_taint(own, frame_.taint(from));
    if (into != own) add_taint(own, frame_.taint(into));
    if (!values_.node(own.node).mixed &&
        !(points_into_stack(from, own) && points_into_stack(into, own))) {
      values_.node(own.node).mixed = true;
      news_ = true;
    }
    if (stack) {
      values_.node(own.node).stack = true;
      for (Value part : {into, from})
        if (part.node == kStack) frame_.moves_away(part.offset);
    }
    block.joined.insert(place);
    into = own;
  }

  // Nothing but an address of the own stack; or `own`, which stands for such addresses, moved on.
  bool points_into_stack(Value value, Value own) const {
    if (value.node == own.node || stack_part(value)) return true;
    const Node& node = values_.node(value.node);
    if (node.kind == NodeKind::Sum) {
      unsigned pointers = 0;
      for (const Term& term : values_.terms(node))
        pointers += term.factor == 1 && is_stack_pointer(term.node, own);
      return pointers == 1;
    }
    return is_stack_pointer(value.node, own);
  }

  bool is_stack_pointer(NodeId id, Value own) const {
    const Node& node = values_.node(id);
    return id == own.node || (node.kind == NodeKind::Joined && !node.mixed && node.taint >> 7 != 0);
  }

  static std::uint64_t place_of(const Slot& slot) {
    return std::uint64_t{slot.base} << 40 ^
           (static_cast<std::uint64_t>(slot.offset) & 0xffffffff) << 8 ^ slot.size ^ 1ULL << 7;
  }

  static const Slot* find_slot(const State& state, const Slot& wanted) {
    for (const Slot& slot : state.slots)
      if (slot.is_at(wanted)) return &slot;
    return nullptr;
  }

  // What only some paths have stored is known to nobody; but that it may be an address is.
  void meet_slots(Block& block, State& into, const State& from) {
    std::erase_if(into.slots, [&](Slot& slot) {
      const std::uint64_t place = place_of(slot);
      const Slot* there = find_slot(from, slot);
      if (there && !block.dropped.contains(place)) {
        join(block, place, false, slot.value, there->value);
        return false;
      }
      block.dropped.insert(place);
      const Taint taint = frame_.taint(slot.value) | (there ? frame_.taint(there->value) : 0);
      if (!taint) return true;
      own_slot(block, slot, taint);
      return false;
    });
    for (const Slot& slot : from.slots) {
      const Taint taint = frame_.taint(slot.value);
      if (find_slot(into, slot)) continue;
      block.dropped.insert(place_of(slot));
      if (!taint) continue;
      into.slots.push_back(slot);
      own_slot(block, into.slots.back(), taint);
    }
  }

  void own_slot(Block& block, Slot& slot, Taint taint) {
    slot.value = values_.joined(block.first, place_of(slot));
    add_taint(slot.value, taint);
  }

  // Others may know these addresses from now on, and what lies in the objects there.
  void escape(State& state, Value value) { escape(state, frame_.taint(value)); }
  void escape(State& state, Taint taint) {
    escaped_arguments_ |= static_cast<Arguments>(taint & kAllArguments);
    for (const StackFrame::RootId id : frame_.roots(taint)) escape_root(state, id);
  }

  void escape_root(State& state, StackFrame::RootId id) {
    const auto place = std::ranges::lower_bound(state.escaped, id);
    if (place != state.escaped.end() && *place == id) return;
    state.escaped.insert(place, id);
    if (ever_escaped_.insert(id).second && returns_twice_) news_ = true;
    const StackFrame::Root root = frame_.root(id);
    const Extent object = frame_.object(root.base, root.offset);
    forget(state, root.base, object.begin, object.end, false);
  }

  void add_taint(Value value, Taint taint) {
    Node& node = values_.node(value.node);
    if ((taint & ~node.taint) == 0 || value.node < kEntry + 16) return;
    node.taint |= taint;
    news_ = true;
  }

  // --- values --------------------------------------------------------------------------------

  Value image_address(std::uint64_t address) const {
    return {image_.is_fixed() ? kZero : kImage, static_cast<std::int64_t>(address)};
  }

  std::optional<std::uint64_t> as_address(Value value) const {
    if (value.node != (image_.is_fixed() ? kZero : kImage)) return std::nullopt;
    return static_cast<std::uint64_t>(value.offset);
  }

  Value derived(std::uint16_t code, Value a, Value b = {}, Value c = {}) {
    const Value made = values_.operation(code, a, b, c);
    add_taint(made, frame_.taint(a) | frame_.taint(b) | frame_.taint(c));
    return made;
  }

  Value defined(std::uint64_t address, unsigned index, Taint taint) {
    const Value made = values_.defined(address, index);
    add_taint(made, taint);
    return made;
  }

  // Without what lies above the lowest 32 bits.
  Value low32(Value value) {
    const Node& node = values_.node(value.node);
    if (node.kind != NodeKind::Operation ||
        (node.operation != kZero32 && node.operation != kSign32))
      return value;
    return {node.operands[0].node,
            static_cast<std::int64_t>(static_cast<std::uint64_t>(node.operands[0].offset) +
                                      static_cast<std::uint64_t>(value.offset))};
  }

  Value zero_extended(Value value, unsigned bits) {
    if (bits == 64) return value;
    if (value.node == kZero)
      return Values::number(static_cast<std::int64_t>(static_cast<std::uint64_t>(value.offset) &
                                                      (~0ULL >> (64 - bits))));
    if (bits == 32) {
      value = low32(value);
      value.offset = static_cast<std::int32_t>(value.offset);
      return derived(kZero32, value);
    }
    return derived(bits == 16 ? kZero16 : kZero8, value);
  }

  Value sign_extended(Value value, unsigned bits) {
    if (bits == 64) return value;
    if (value.node == kZero)
      return Values::number(
          static_cast<std::int64_t>(static_cast<std::uint64_t>(value.offset) << (64 - bits)) >>
          (64 - bits));
    if (bits == 32) {
      value = low32(value);
      value.offset = static_cast<std::int32_t>(value.offset);
      return derived(kSign32, value);
    }
    return derived(bits == 16 ? kSign16 : kSign8, value);
  }

  Value register_value(const State& state, int reg) const {
    return state.registers[static_cast<std::size_t>(reg)];
  }

  // As the instruction reads it: with zeroes above its width.
  Value read(const Operand& operand, State& state, const Instruction& i) {
    switch (operand.kind) {
      case Operand::Kind::Register: {
        const Value whole = register_value(state, operand.reg);
        if (operand.high_byte) return derived(kHigh, whole);
        return zero_extended(whole, operand.bits);
      }
      case Operand::Kind::Immediate:
        return Values::number(operand.immediate);
      case Operand::Kind::Memory:
        return load(i, state, address_of(operand.memory, state, i), operand.bits);
      case Operand::Kind::Other:
        break;
    }
    return defined(i.address, kUnknownOperand, 0);
  }

  void write(const Operand& operand, State& state, const Instruction& i, Value value) {
    if (operand.kind == Operand::Kind::Memory)
      return store(state, address_of(operand.memory, state, i), operand.bits / 8, value);
    if (operand.kind != Operand::Kind::Register) {
      if (operand.kind == Operand::Kind::Other) escape(state, value);
      return;
    }
    Value& place = state.registers[static_cast<std::size_t>(operand.reg)];
    if (operand.bits == 32)
      value = zero_extended(value, 32);
    else if (operand.bits < 32)
      value =
          derived(kMerge, place, value, Values::number(operand.bits + (operand.high_byte ? 1 : 0)));
    if (operand.reg == kRsp) value = stack_pointer(value, place, i, state);
    place = value;
  }

  // The stack pointer goes where no constant leads: a frame of variable size, or aligned.
  Value stack_pointer(Value value, Value before, const Instruction& i, State& state) {
    if (values_.node(value.node).stack) return value;
    if (before.node == kStack) frame_.moves_away(before.offset);
    const Node& node = values_.node(value.node);
    const bool lower =
        stack_part(value) || (node.kind == NodeKind::Operation && stack_part(node.operands[0]));
    if (!lower) frame_.moves_anywhere();
    const Value made = defined(i.address, kNewStack, 0);
    values_.node(made.node).stack = true;
    rename(state, value, made);
    return made;
  }

  // Whoever holds `old` plus a constant holds `made` plus that constant.
  static void rename(State& state, Value old, Value made) {
    auto renamed = [&](Value& value) {
      if (value.node == old.node) value = {made.node, value.offset - old.offset};
    };
    std::ranges::for_each(state.registers, renamed);
    for (Slot& slot : state.slots)
      if (slot.size == 8) renamed(slot.value);
  }

  // --- memory --------------------------------------------------------------------------------

  Value address_of(const Memory& memory, State& state, const Instruction& i) {
    if (memory.vector_index || memory.segment == 2) return defined(i.address, kUnknownAddress, 0);
    Value address = Values::number(memory.displacement);
    if (memory.base == kRip)
      address = image_address(static_cast<std::uint64_t>(memory.displacement));
    else if (memory.base != kNone)
      address = values_.add(register_value(state, memory.base), address);
    if (memory.index != kNone)
      address =
          values_.add(address, values_.multiply(register_value(state, memory.index), memory.scale));
    if (memory.segment == 1) address = values_.add({kThread, 0}, address);
    if (const std::optional<NodeId> base = stack_part(address);
        base == kStack && address.offset >= 8)
      takes_stack_arguments_ = true;
    return address;
  }

  // The part of an address that is one of the own stack, if just one is.
  std::optional<NodeId> stack_part(Value address) const {
    const Node& node = values_.node(address.node);
    if (node.stack) return address.node;
    if (node.kind != NodeKind::Sum) return std::nullopt;
    std::optional<NodeId> found;
    for (const Term& term : values_.terms(node)) {
      if (!values_.node(term.node).stack) continue;
      if (found || term.factor != 1) return std::nullopt;
      found = term.node;
    }
    return found;
  }

  bool is_slot(const State& state, Value address, std::int64_t size) const {
    return values_.node(address.node).stack && size > 0 && size <= 8 &&
           frame_.is_private(state.escaped, address.node, address.offset, size);
  }

  Value load(const Instruction& i, State& state, Value address, unsigned bits) {
    const auto size = static_cast<std::int64_t>(bits / 8);
    if (address == Value{kThread, 0} && bits == 64) return {kThread, 0};
    if (is_slot(state, address, size)) return load_slot(i, state, address, bits);
    if (const std::optional<std::uint16_t> code = constant_load(address, size))
      return derived(*code, address);
    Taint taint = taint_behind(state, address);
    const Value made = defined(i.address, kResultOfLoad + bits, taint);
    if (bits == 64 && is_announced_vptr(state, address)) values_.node(made.node).vtable = true;
    return made;
  }

  // Addresses of the own stack that may be read through `address`.
  Taint taint_behind(const State& state, Value address) {
    const Taint from = frame_.taint(address);
    if (!from) return 0;
    Taint taint = 0;
    for (const StackFrame::RootId id : frame_.roots(from)) {
      const StackFrame::Root root = frame_.root(id);
      const Extent object = frame_.object(root.base, root.offset);
      for (const Slot& slot : state.slots)
        if (slot.overlaps(root.base, object.begin, object.end)) taint |= frame_.taint(slot.value);
    }
    return taint;
  }

  Value load_slot(const Instruction& i, State& state, Value address, unsigned bits) {
    const std::int64_t size = bits / 8;
    Taint taint = 0;
    for (const Slot& slot : state.slots) {
      if (!slot.overlaps(address.node, address.offset, address.offset + size)) continue;
      if (slot.offset == address.offset && slot.size >= size)
        return zero_extended(slot.value, bits);
      taint |= frame_.taint(slot.value);
    }
    const Value made = defined(i.address, kResultOfLoad + bits, taint);
    if (size == 1 || size == 2 || size == 4 || size == 8)
      state.slots.push_back({address.node, address.offset, static_cast<std::uint8_t>(size), made});
    return zero_extended(made, bits);
  }

  std::optional<std::uint16_t> constant_load(Value address, std::int64_t size) const {
    if (!is_constant(address, size)) return std::nullopt;
    switch (size) {
      case 8:
        return kLoad8;
      case 4:
        return kLoad4;
      case 2:
        return kLoad2;
      case 1:
        return kLoad1;
      default:
        return std::nullopt;
    }
  }

  void store(State& state, Value address, std::int64_t size, Value value) {
    if (is_slot(state, address, size)) {
      forget(state, address.node, address.offset, address.offset + size, true);
      if (size == 1 || size == 2 || size == 4 || size == 8) {
        if (size == 8 && value.node >= kEntry && value.node < kEntry + 16 && value.offset == 0 &&
            is_kept_register(static_cast<int>(value.node - kEntry)))
          frame_.saves_register(address.node, address.offset);
        state.slots.push_back(
            {address.node, address.offset, static_cast<std::uint8_t>(size), value});
      } else {
        escape(state, value);
      }
      return;
    }
    escape(state, value);
    if (values_.node(address.node).stack)
      forget(state, address.node, address.offset, address.offset + size, false);
    else
      forget_behind(state, address);
  }

  // `certain`: these bytes are overwritten. Otherwise they may be.
  void forget(State& state, NodeId base, std::int64_t begin, std::int64_t end, bool certain) {
    Taint kept = 0;
    std::erase_if(state.slots, [&](const Slot& slot) {
      if (!slot.overlaps(base, begin, end)) return false;
      const bool gone = certain && slot.offset >= begin && slot.offset + slot.size <= end;
      if (!gone) kept |= frame_.taint(slot.value);
      return true;
    });
    escape(state, kept);
  }

  // Whatever a store through `address` may change.
  void forget_behind(State& state, Value address) {
    const Taint from = frame_.taint(address);
    if (!from) return;
    for (const StackFrame::RootId id : frame_.roots(from)) {
      const StackFrame::Root root = frame_.root(id);
      const Extent reach = frame_.object(root.base, root.offset);
      forget(state, root.base, reach.begin, reach.end, false);
    }
  }

  // --- what an access needs ------------------------------------------------------------------

  // In memory that nobody writes once the program runs.
  bool is_constant(Value address, std::int64_t size) const {
    if (size <= 0) size = 1;
    const auto place = static_cast<std::uint64_t>(address.offset);
    if (as_address(address)) return image_.is_constant(place, static_cast<std::uint64_t>(size));
    if (!image_.is_constant(place, 1)) return false;
    if (image_.is_fixed() && is_narrow(address.node)) return true;
    const Node& node = values_.node(address.node);
    if (node.kind != NodeKind::Sum) return false;
    bool indexed = true, in_image = false;
    for (const Term& term : values_.terms(node)) {
      if (values_.node(term.node).stack || term.node == kThread) return false;
      if (term.node == kImage)
        in_image = term.factor == 1;
      else if ((term.factor == 1 || term.factor == -1) && !is_narrow(term.node))
        indexed = false;  // perhaps a pointer
    }
    return image_.is_fixed() ? indexed : in_image;
  }

  // A number of 32 bits or less that was extended: no pointer.
  bool is_narrow(NodeId id) const {
    const Node& node = values_.node(id);
    return node.kind == NodeKind::Operation && node.operation >= kZero32 &&
           node.operation <= kSign8;
  }

  bool is_private(const State& state, Value address, std::int64_t size, bool write) {
    if (const std::optional<NodeId> base = stack_part(address)) {
      if (*base == address.node && size > 0)
        return frame_.is_private(state.escaped, *base, address.offset, size);
      return frame_.is_private_object(state.escaped, *base, address.offset);
    }
    if (points_into_stack(address, {}) && is_private_wherever(state, address)) return true;
    if (write) return false;
    if (address.node == kThread) return address.offset == 0 || address.offset == kStackProtector;
    if (values_.node(address.node).vtable && std::abs(address.offset) < kLargestTable) return true;
    return is_constant(address, size);
  }

  bool is_private_wherever(const State& state, Value address) {
    const StackFrame::Roots roots = frame_.roots(frame_.taint(address));
    return !roots.empty() && std::ranges::all_of(roots, [&](StackFrame::RootId id) {
      return frame_.is_private_object(state.escaped, frame_.root(id).base, frame_.root(id).offset);
    });
  }

  static bool is_announced_vptr(const State& state, Value address) {
    return std::ranges::any_of(state.announced, [&](const Announced& a) {
      return a.vptr && a.node == address.node && a.begin == address.offset;
    });
  }

  // Every byte by some hook.
  bool is_announced(const State& state, Value address, std::int64_t size, bool write) const {
    std::int64_t at = address.offset;
    const std::int64_t end = at + size;
    for (bool further = true; further && at < end;) {
      further = false;
      for (const Announced& a : state.announced) {
        if (a.symbolic || a.node != address.node || (write && !a.write) || a.begin > at ||
            a.end <= at)
          continue;
        at = a.end;
        further = true;
      }
    }
    return size > 0 && at >= end;
  }

  static bool is_announced_length(const State& state, Value address, Value length, bool write) {
    return std::ranges::any_of(state.announced, [&](const Announced& a) {
      return a.symbolic && a.node == address.node && a.begin == address.offset &&
             a.length == length && (a.write || !write);
    });
  }

  // --- instructions --------------------------------------------------------------------------

  // Not what push, pop, call, leave and return do with the stack.
  static bool is_access(const Instruction& i, const Operand& operand) {
    if (operand.kind != Operand::Kind::Memory || i.action == Action::Nothing ||
        i.action == Action::Address)
      return false;
    if (!operand.reads && !operand.writes) return false;
    return !operand.hidden || i.action == Action::Repeated ||
           (operand.memory.base != kRsp && i.action != Action::Leave);
  }

  Verdict judge(const Instruction& i, const Operand& operand, State& state) {
    const Value address = address_of(operand.memory, state, i);
    std::int64_t size = operand.bits / 8;
    if (i.repeats) {
      const Value length = values_.multiply(register_value(state, kRcx), size);
      size = length.node == kZero && i.action == Action::Repeated ? length.offset : kUnknownSize;
      if (size == 0) return Verdict::Private;
      if (size == kUnknownSize && is_announced_length(state, address, length, operand.writes))
        return Verdict::Covered;
    }
    if (is_private(state, address, size, operand.writes)) return Verdict::Private;
    return is_announced(state, address, size, operand.writes) ? Verdict::Covered : Verdict::Open;
  }

  void judge_all(const Instruction& i, State& state) {
    if (i.action == Action::System)
      findings_.gaps.push_back({i.address, i.length, "a system call of the program's own"});
    bool any = false, open = false, covered = false;
    for (const Operand& operand : i.all()) {
      if (!is_access(i, operand)) continue;
      any = true;
      const Verdict verdict = judge(i, operand, state);
      open |= verdict == Verdict::Open;
      covered |= verdict == Verdict::Covered;
    }
    if (!any) return;
    ++findings_.accesses;
    if (open)
      findings_.sites.push_back({i.address, i.length, i.length, false});
    else
      ++(covered ? findings_.covered : findings_.private_ones);
  }

  void execute(const Instruction& i, State& state) {
    switch (i.action) {
      case Action::Nothing:
        return;
      case Action::Compare:
        return read_all(i, state);
      case Action::Move:
        return write(i.operands[0], state, i, read(i.operands[1], state, i));
      case Action::MoveZero:
        return write(i.operands[0], state, i,
                     zero_extended(read(i.operands[1], state, i), i.operands[1].bits));
      case Action::MoveSign:
        return write(i.operands[0], state, i,
                     sign_extended(read(i.operands[1], state, i), i.operands[1].bits));
      case Action::Address:
        return write(i.operands[0], state, i, address_of(i.operands[1].memory, state, i));
      case Action::Add:
      case Action::Subtract:
      case Action::Increment:
      case Action::Decrement:
        return add(i, state);
      case Action::ShiftLeft:
      case Action::Multiply:
        return multiply(i, state);
      case Action::And:
        return conjunction(i, state);
      case Action::Xor:
        return exclusive_or(i, state);
      case Action::Push:
        return push(i, state);
      case Action::Pop:
        return pop(i, state);
      case Action::Leave:
        state.registers[kRsp] =
            stack_pointer(register_value(state, kRbp), register_value(state, kRsp), i, state);
        state.registers[kRbp] = take_from_stack(i, state);
        return;
      case Action::Exchange:
        return exchange(i, state);
      case Action::Calls:
        return call(i, state);
      case Action::Repeated:
        return repeat(i, state);
      case Action::System:
        return system_call(i, state);
      case Action::Other:
        break;
    }
    if (i.flow == Flow::Return) return return_from(state);
    if (i.flow != Flow::Next) return;
    other(i, state);
  }

  void read_all(const Instruction& i, State& state) {
    for (const Operand& operand : i.all())
      if (operand.kind == Operand::Kind::Memory) (void)read(operand, state, i);
  }

  void add(const Instruction& i, State& state) {
    const Operand& to = i.operands[0];
    if (to.bits < 32) return other(i, state);
    const bool one = i.action == Action::Increment || i.action == Action::Decrement;
    const bool down = i.action == Action::Subtract || i.action == Action::Decrement;
    Value a = read(to, state, i), b = one ? Values::number(1) : read(i.operands[1], state, i);
    if (to.bits == 32) a = low32(a), b = low32(b);
    write(to, state, i, down ? values_.subtract(a, b) : values_.add(a, b));
  }

  void multiply(const Instruction& i, State& state) {
    const Operand& to = i.operands[0];
    const Operand& by = i.operands[i.action == Action::Multiply ? 2 : 1];
    const bool simple = to.bits >= 32 && by.kind == Operand::Kind::Immediate &&
                        (i.action == Action::ShiftLeft || i.count >= 3) &&
                        to.kind == Operand::Kind::Register;
    if (!simple) return other(i, state);
    const bool shift = i.action == Action::ShiftLeft;
    Value a = read(i.operands[shift ? 0 : 1], state, i);
    if (to.bits == 32) a = low32(a);
    const std::int64_t factor =
        shift ? std::int64_t{1} << (by.immediate & (to.bits - 1)) : by.immediate;
    const Value made = values_.multiply(a, factor);
    if (frame_.taint(a) & ~frame_.taint(made)) return other(i, state);
    write(to, state, i, made);
  }

  // An address of the stack that is rounded down stays one.
  void conjunction(const Instruction& i, State& state) {
    const Operand& to = i.operands[0];
    const bool aligns = to.kind == Operand::Kind::Register && to.bits == 64 && to.reg != kRsp &&
                        i.operands[1].kind == Operand::Kind::Immediate &&
                        i.operands[1].immediate < 0;
    if (!aligns) return other(i, state);
    const Value before = register_value(state, to.reg);
    if (!values_.node(before.node).stack) return other(i, state);
    if (before.node == kStack) frame_.moves_away(before.offset);
    const Value made =
        derived(i.mnemonic, before,
                i.operands[1].immediate ? Values::number(i.operands[1].immediate) : Value{});
    values_.node(made.node).stack = true;
    write(to, state, i, made);
  }

  void exclusive_or(const Instruction& i, State& state) {
    const Operand &to = i.operands[0], &with = i.operands[1];
    const bool clears = to.kind == Operand::Kind::Register &&
                        with.kind == Operand::Kind::Register && to.reg == with.reg && to.bits >= 32;
    if (clears)
      write(to, state, i, Values::number(0));
    else
      other(i, state);
  }

  void push(const Instruction& i, State& state) {
    const Value value = read(i.operands[0], state, i);
    Value& top = state.registers[kRsp];
    top.offset -= i.operands[0].bits == 16 ? 2 : 8;
    store(state, top, 8, value);
  }

  Value take_from_stack(const Instruction& i, State& state) {
    Value& top = state.registers[kRsp];
    const Value value = load(i, state, top, 64);
    top.offset += 8;
    return value;
  }

  void pop(const Instruction& i, State& state) {
    const Value value = take_from_stack(i, state);
    write(i.operands[0], state, i,
          i.operands[0].bits == 64 ? value : defined(i.address, kNarrowPop, frame_.taint(value)));
  }

  void exchange(const Instruction& i, State& state) {
    const Operand &a = i.operands[0], &b = i.operands[1];
    if (a.kind != Operand::Kind::Register || b.kind != Operand::Kind::Register || a.bits != 64)
      return other(i, state);
    std::swap(state.registers[static_cast<std::size_t>(a.reg)],
              state.registers[static_cast<std::size_t>(b.reg)]);
  }

  // Anything else: the same operands give the same result, unless memory or flags have a say.
  void other(const Instruction& i, State& state) {
    std::array<Value, 3> sources{};
    std::size_t count = 0;
    bool plain = !i.reads_flags;
    unsigned results = 0;
    Taint taint = 0;
    for (const Operand& operand : i.all()) {
      if (operand.writes && operand.kind != Operand::Kind::Other) ++results;
      if (operand.kind == Operand::Kind::Memory) plain = false;
      if (operand.kind == Operand::Kind::Other) plain = false;
      if (!operand.reads && operand.kind != Operand::Kind::Immediate) continue;
      if (operand.kind == Operand::Kind::Other ||
          (operand.kind == Operand::Kind::Memory && operand.hidden && operand.memory.base == kRsp))
        continue;
      const Value value = operand.kind == Operand::Kind::Memory && operand.bits > 64
                              ? defined(i.address, kWideOperand, wide_taint(i, operand, state))
                              : read(operand, state, i);
      taint |= frame_.taint(value);
      if (count < sources.size())
        sources[count++] = value;
      else
        plain = false;
    }
    unsigned index = 0;
    for (const Operand& operand : i.all()) {
      if (!operand.writes) continue;
      if (operand.kind == Operand::Kind::Other) {
        escape(state, taint);
        continue;
      }
      const auto code = static_cast<std::uint16_t>(i.mnemonic | width_class(operand.bits) << 12);
      const Value value = plain && results == 1
                              ? derived(code, sources[0], sources[1], sources[2])
                              : defined(i.address, kResultOfOther + index++, taint);
      if (operand.kind == Operand::Kind::Memory && (operand.conditional || operand.bits > 64))
        wide_store(i, operand, state, taint);
      else
        write(operand, state, i,
              operand.conditional
                  ? defined(i.address, kResultOfOther + index++, taint | old_taint(operand, state))
                  : value);
    }
  }

  Taint old_taint(const Operand& operand, const State& state) {
    return operand.kind == Operand::Kind::Register
               ? frame_.taint(register_value(state, operand.reg))
               : 0;
  }

  static unsigned width_class(unsigned bits) {
    return bits == 64 ? 3 : bits == 32 ? 2 : bits == 16 ? 1 : 0;
  }

  // Vectors: their contents are not followed.
  Taint wide_taint(const Instruction& i, const Operand& operand, State& state) {
    const Value address = address_of(operand.memory, state, i);
    Taint taint = taint_behind(state, address);
    for (const Slot& slot : state.slots)
      if (slot.overlaps(address.node, address.offset, address.offset + operand.bits / 8))
        taint |= frame_.taint(slot.value);
    return taint;
  }

  void wide_store(const Instruction& i, const Operand& operand, State& state, Taint taint) {
    const Value address = address_of(operand.memory, state, i);
    escape(state, taint);
    if (values_.node(address.node).stack)
      forget(state, address.node, address.offset, address.offset + operand.bits / 8,
             !operand.conditional);
    else
      forget_behind(state, address);
  }

  void repeat(const Instruction& i, State& state) {
    for (const Operand& operand : i.all()) {
      if (operand.kind != Operand::Kind::Memory) continue;
      const Value address = address_of(operand.memory, state, i);
      if (operand.reads) escape(state, taint_behind(state, address));
      if (operand.writes) forget_behind(state, address);
    }
    if (frame_.taint(register_value(state, kRax))) escape(state, register_value(state, kRax));
    const Value count = register_value(state, kRcx);
    if (i.moves_forward) {  // the direction flag is clear, as the calling convention has it
      std::int64_t size = 0;
      for (const Operand& operand : i.all())
        if (operand.kind == Operand::Kind::Memory) size = operand.bits / 8;
      for (const Operand& operand : i.all()) {
        if (operand.kind != Operand::Kind::Memory || operand.memory.base == kNone) continue;
        Value& pointer = state.registers[static_cast<std::size_t>(operand.memory.base)];
        pointer = values_.add(pointer, values_.multiply(count, size));
      }
      state.registers[kRcx] = Values::number(0);
      return;
    }
    unsigned index = 0;
    for (const Operand& operand : i.all())
      if (operand.kind == Operand::Kind::Register && operand.writes)
        state.registers[static_cast<std::size_t>(operand.reg)] = defined(
            i.address, kResultOfOther + index++, frame_.taint(register_value(state, operand.reg)));
  }

  void system_call(const Instruction& i, State& state) {
    for (int r : kArgumentRegisters) escape(state, register_value(state, r));
    for (int r : {kRax, kRcx, kR11})
      state.registers[static_cast<std::size_t>(r)] =
          defined(i.address, kResultOfCall + static_cast<unsigned>(r), 0);
    state.announced.clear();
  }

  void return_from(State& state) {
    returns_ = true;
    answers_ |= static_cast<Arguments>(frame_.taint(register_value(state, kRax)) & kAllArguments);
    answers_high_ |=
        static_cast<Arguments>(frame_.taint(register_value(state, kRdx)) & kAllArguments);
  }

  // --- calls ---------------------------------------------------------------------------------

  Callee indirect_callee(const Instruction& i, State& state) {
    const Operand& through = i.operands[0];
    Value target;
    if (through.kind == Operand::Kind::Register)
      target = register_value(state, through.reg);
    else if (through.kind == Operand::Kind::Memory) {
      const std::optional<std::uint64_t> place = as_address(address_of(through.memory, state, i));
      return place ? callees_.imported(*place) : Callee{};
    }
    if (const auto direct = as_address(target); direct && image_.is_mapped(*direct))
      return callees_.at(*direct);
    const Node& node = values_.node(target.node);
    if (target.offset == 0 && node.kind == NodeKind::Operation && node.operation == kLoad8)
      if (const auto place = as_address(node.operands[0])) return callees_.imported(*place);
    return Callee{};
  }

  Callee callee_of(const Instruction& i, State& state) {
    if (i.flow == Flow::Call) return callees_.at(i.target);
    auto [known, fresh] = indirect_.try_emplace(i.address);
    if (fresh) known->second = indirect_callee(i, state);
    return known->second;
  }

  void call(const Instruction& i, State& state) {
    indirect_.erase(i.address);  // as this state has it
    if (i.flow == Flow::CallIndirect) read_all(i, state);
    const Callee callee = callee_of(i, state);
    const Value address = register_value(state, kRdi), length = register_value(state, kRsi);
    findings_.summary.has_hooks |=
        callee.kind != Callee::Kind::Function && callee.kind != Callee::Kind::ThreadLocal;
    Taint answer = 0, high = 0;
    if (callee.kind == Callee::Kind::Function) {
      pass_arguments(callee, state);
      answer = answered(callee.answers, state);
      high = answered(callee.answers_high, state);
      state.announced.clear();
    }
    const Value top = register_value(state, kRsp);
    forget_below(state, top);
    for (int r : kClobbered)
      state.registers[static_cast<std::size_t>(r)] =
          defined(i.address, kResultOfCall + static_cast<unsigned>(r),
                  r == kRax   ? answer
                  : r == kRdx ? high
                              : 0);
    if (callee.kind == Callee::Kind::ThreadLocal)
      state.registers[kRax] = derived(kThreadLocal, address);
    if (callee.returns_twice) forget_values(i, state);
    announce(callee, address, length, state);
  }

  void announce(const Callee& callee, Value address, Value length, State& state) {
    Announced fact{address.node,
                   address.offset,
                   address.offset + callee.bytes,
                   callee.write,
                   callee.vptr,
                   false,
                   {}};
    if (callee.kind == Callee::Kind::Range) {
      fact.symbolic = length.node != kZero;
      fact.length = fact.symbolic ? length : Value{};
      fact.end = fact.symbolic ? fact.begin : fact.begin + std::max<std::int64_t>(length.offset, 0);
    } else if (callee.bytes == 0) {
      return;
    }
    if (std::ranges::find(state.announced, fact) == state.announced.end())
      state.announced.push_back(fact);
  }

  // What the callee may do with what it gets: keep it, write through it, pass on what lies there.
  void pass_arguments(const Callee& callee, State& state) {
    for (int r : kArgumentRegisters) {
      const Value value = register_value(state, r);
      const Taint taint = frame_.taint(value);
      if (!taint) continue;
      if (callee.keeps >> StackFrame::argument_of(r) & 1) escape(state, taint);
      escape(state, taint_behind(state, value));
      forget_behind(state, value);
    }
    if (!callee.keeps || !callee.takes_stack_arguments) return;
    // Arguments on the stack. A variable that the debug information knows is none.
    const Value top = register_value(state, kRsp);
    Taint passed = 0;
    for (const Slot& slot : state.slots)
      if (slot.base == top.node && slot.offset >= top.offset &&
          !frame_.knows(slot.base, slot.offset))
        passed |= frame_.taint(slot.value);
    escape(state, passed);
  }

  Taint answered(Arguments answers, const State& state) {
    Taint taint = 0;
    for (int r : kArgumentRegisters)
      if (answers >> StackFrame::argument_of(r) & 1)
        taint |= frame_.taint(register_value(state, r));
    return taint;
  }

  static void forget_below(State& state, Value top) {
    std::erase_if(state.slots, [&](const Slot& slot) {
      return slot.base == top.node && slot.offset < top.offset;
    });
  }

  // It may come back later, when the slots hold something else.
  void forget_values(const Instruction& i, State& state) {
    returns_twice_ = true;
    const std::set<StackFrame::RootId> later = ever_escaped_;
    for (const StackFrame::RootId id : later) escape_root(state, id);
    unsigned index = kUnknownSlots;
    for (Slot& slot : state.slots)
      slot.value = defined(i.address, index++, frame_.taint(slot.value));
  }

  // --- tables of jumps -----------------------------------------------------------------------

  // switch: `base + table[i]` with 32-bit offsets, or table[i] itself with whole addresses.
  std::vector<std::uint64_t> table_targets(const Instruction& i, State& state) {
    const Operand& through = i.operands[0];
    Value target;
    if (through.kind == Operand::Kind::Memory)
      return whole_addresses(address_of(through.memory, state, i));
    if (through.kind != Operand::Kind::Register) return {};
    target = register_value(state, through.reg);
    const Node& node = values_.node(target.node);
    if (node.kind == NodeKind::Operation && node.operation == kLoad8 && target.offset == 0)
      return whole_addresses(node.operands[0]);
    if (node.kind != NodeKind::Sum && !(node.kind == NodeKind::Operation && image_.is_fixed()))
      return {};
    return offsets_in_table(target);
  }

  std::vector<std::uint64_t> whole_addresses(Value place) {
    std::vector<std::uint64_t> targets;
    if (values_.node(place.node).kind != NodeKind::Sum || !is_constant(place, 8)) return targets;
    for (auto at = static_cast<std::uint64_t>(place.offset);; at += 8) {
      const std::optional<std::uint64_t> target = image_.pointer(at);
      if (!target || !index_.contains(*target)) return targets;
      targets.push_back(*target);
    }
  }

  std::vector<std::uint64_t> offsets_in_table(Value target) {
    std::vector<std::uint64_t> targets;
    const auto base = static_cast<std::uint64_t>(target.offset);
    std::optional<Value> place;
    auto look_at = [&](NodeId id) {
      const Node& node = values_.node(id);
      if (node.kind != NodeKind::Operation || node.operation != kSign32) return;
      const Node& inner = values_.node(node.operands[0].node);
      if (inner.kind == NodeKind::Operation && inner.operation == kLoad4) place = inner.operands[0];
    };
    const Node& node = values_.node(target.node);
    if (node.kind == NodeKind::Sum)
      for (const Term& term : values_.terms(node)) look_at(term.node);
    else
      look_at(target.node);
    if (!place) return targets;
    const auto begin = static_cast<std::uint64_t>(place->offset);
    add_offsets(base, begin, targets);
    // An index that happens to be known must not hide the others: the table begins at its base.
    if (base < begin && begin - base < kLargestTable) add_offsets(base, base, targets);
    return targets;
  }

  void add_offsets(std::uint64_t base, std::uint64_t at,
                   std::vector<std::uint64_t>& targets) const {
    for (; image_.is_constant(at, 4); at += 4) {
      const std::optional<std::int32_t> entry = image_.read<std::int32_t>(at);
      const std::uint64_t to = base + static_cast<std::uint64_t>(std::int64_t{entry.value_or(0)});
      if (!entry || !index_.contains(to)) return;
      targets.push_back(to);
    }
  }

  // --- the end -------------------------------------------------------------------------------

  void report() {
    for (const Block& block : blocks_) {
      if (!block.in.reached) continue;
      State state = block.in;
      run_block(block, state, true);
    }
    for (std::uint64_t jump : unreached_ ? loose_ : lost_) {
      findings_.gaps.push_back({jump, code_[index_[jump]].length, "a jump to a computed address"});
      findings_.jumps_anywhere = true;
    }
    for (const auto& [jump, targets] : tables_)
      findings_.targets.insert(findings_.targets.end(), targets.begin(), targets.end());
    for (std::size_t label : labels_) findings_.targets.push_back(code_[label].address);
    const bool followed = !unreached_ && findings_.gaps.empty() && is_decoded();
    findings_.summary.known = followed;
    if (!followed) return;
    findings_.summary.returns = returns_;
    findings_.summary.keeps = escaped_arguments_;
    findings_.summary.takes_stack_arguments = takes_stack_arguments_;
    findings_.summary.answers = answers_;
    findings_.summary.answers_high = answers_high_;
  }

  bool is_decoded() const {
    std::uint64_t in_pieces = 0, in_code = 0;
    for (const Range& piece : function_.pieces) in_pieces += piece.end - piece.begin;
    for (const Instruction& i : code_) in_code += i.length;
    return in_pieces == in_code;
  }

  const Image& image_;
  const Function& function_;
  const Callees& callees_;
  Values values_;
  StackFrame frame_;
  std::vector<Instruction> code_;
  CodeIndex index_;
  std::vector<std::uint64_t> mentioned_;
  std::set<std::size_t> labels_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> block_of_;
  std::set<std::size_t> waiting_;
  std::unordered_map<std::uint64_t, std::set<std::uint64_t>> tables_;
  std::unordered_map<std::uint64_t, Callee> indirect_;
  std::set<std::uint64_t> lost_, loose_;  // jumps whose targets are unknown; … that may be such
  bool news_ = false;                     // something was learnt that earlier blocks have not seen
  bool unreached_ = false;                // there is code that no path was found to
  bool returns_ = false;
  std::set<StackFrame::RootId> ever_escaped_;
  bool returns_twice_ = false;  // something that it calls
  Arguments escaped_arguments_ = 0;
  bool takes_stack_arguments_ = false;
  Arguments answers_ = 0, answers_high_ = 0;
  Findings findings_;
};

}  // namespace

Findings analyse(const Image& image, const Function& function, const Callees& callees,
                 std::vector<Extent> variables) {
  return FlowOfFunction(image, function, callees, std::move(variables)).run();
}

}  // namespace heddle::machine
