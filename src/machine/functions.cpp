#include "machine/functions.h"

#include <algorithm>
#include <array>
#include <map>

#include "machine/instruction.h"

namespace heddle::machine {
namespace {

constexpr std::size_t kNowhere = ~std::size_t{0};
constexpr std::string_view kRuntimeSection = "heddle_text";

// What the compiler links into every program: it runs before main and after it.
constexpr auto kStartUp = std::to_array<std::string_view>(
    {"_start", "_dl_relocate_static_pie", "deregister_tm_clones", "register_tm_clones",
     "__do_global_dtors_aux", "frame_dummy", "_init", "_fini", "__libc_csu_init", "__libc_csu_fini",
     "atexit", "__stat", "__fstat"});

// The unwinder of libgcc_eh.a and the helpers of libgcc.a, where they are linked statically: the
// same code that otherwise lies in libgcc_s.so, which is not the program's own.
constexpr auto kUnwinder = std::to_array<std::string_view>({"_Unwind_",
                                                            "__register_frame",
                                                            "__deregister_frame",
                                                            "__gcc_personality_",
                                                            "__frame_state_for",
                                                            "uw_",
                                                            "execute_cfa_",
                                                            "execute_stack_op",
                                                            "search_object",
                                                            "linear_search_fdes",
                                                            "classify_object_over_fdes",
                                                            "add_fdes",
                                                            "frame_downheap",
                                                            "frame_heapsort",
                                                            "fde_",
                                                            "get_cie_encoding",
                                                            "read_encoded_value",
                                                            "base_from_",
                                                            "size_of_encoded",
                                                            "init_dwarf_reg_size",
                                                            "init_object",
                                                            "unseen_objects",
                                                            "version_lock_",
                                                            "btree_",
                                                            "__cpu_indicator_init",
                                                            "__cpu_model",
                                                            "release_registered_frames"});

// Heddle's own among the instrumented copies of the C++ library: they announce what others access.
constexpr auto kAnnouncers = std::to_array<std::string_view>({"heddle_announce", "_ZN6heddle9libstdcxx", "_ZL8find_allv"});

bool is_excluded(std::string_view name) {
  return std::ranges::any_of(kAnnouncers, [&](std::string_view p) { return name.starts_with(p); }) ||
         std::ranges::find(kStartUp, name) != kStartUp.end() ||
         std::ranges::any_of(kUnwinder, [&](std::string_view p) { return name.starts_with(p); });
}

bool is_excluded_section(std::string_view name) {
  return name.starts_with(".plt") || name == ".init" || name == ".fini" || name == ".iplt" ||
         name.starts_with(kRuntimeSection) || name.starts_with(".text.heddle");
}

bool is_stub_section(std::string_view name) { return name.starts_with(".plt") || name == ".iplt"; }

void sort_unique(std::vector<std::uint64_t>& addresses) {
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
}

bool holds(const std::vector<std::uint64_t>& sorted, std::uint64_t address) {
  return std::binary_search(sorted.begin(), sorted.end(), address);
}

}  // namespace

Functions::Functions(const Image& image) : image_(image) {
  for (const CodeSymbol& symbol : image_.symbols())
    if (symbol.function) names_.try_emplace(symbol.address, symbol.name);
  for (const CodeSection& section : image_.code())
    if (is_stub_section(section.name)) read_stubs(section);
  cut_into_pieces();
  for (std::size_t i = 0; i < pieces_.size(); ++i) scan(i);
  find_entries();
  join_pieces();
  make_functions();
}

// jmp *place(%rip), perhaps behind endbr64 or push: the name is that of the place.
void Functions::read_stubs(const CodeSection& section) {
  std::uint64_t begin = section.range.begin;
  for (std::uint64_t at = begin; at < section.range.end;) {
    const std::optional<Instruction> i = decode(image_.bytes(at), at);
    if (!i) return;
    const bool through_memory = i->flow == Flow::JumpIndirect && i->count &&
                                i->operands[0].kind == Operand::Kind::Memory &&
                                i->operands[0].memory.base == kRip;
    if (through_memory) {
      const auto place = static_cast<std::uint64_t>(i->operands[0].memory.displacement);
      if (const std::string_view name = image_.imported(place); !name.empty())
        for (std::uint64_t start = begin; start <= at; ++start) stubs_.try_emplace(start, name);
    }
    at += i->length;
    if (at % 16 == 0 || i->flow == Flow::JumpIndirect) begin = (at + 7) & ~7ULL;
    if (at % 16 == 0) begin = at;
  }
}

std::string_view Functions::name_at(std::uint64_t address) const {
  if (auto stub = stubs_.find(address); stub != stubs_.end()) return stub->second;
  auto found = names_.find(address);
  return found == names_.end() ? std::string_view() : found->second;
}

// .eh_frame first: it has exact ends, and outlying parts for themselves. Then symbols with a size,
// for assembly that has no frames. The rest is code only if it is no padding.
void Functions::cut_into_pieces() {
  std::vector<Piece> pieces;
  for (const CodeSection& section : image_.code()) {
    if (is_excluded_section(section.name)) continue;
    std::vector<Piece> here;
    for (const Frame& frame : image_.frames())
      if (section.range.contains(frame.range.begin)) here.push_back({frame.range, &frame});
    for (const CodeSymbol& symbol : image_.symbols()) {
      if (!symbol.function || symbol.size == 0 || !section.range.contains(symbol.address)) continue;
      here.push_back({{symbol.address, symbol.address + symbol.size}, nullptr});
    }
    std::stable_sort(here.begin(), here.end(), [](const Piece& a, const Piece& b) {
      if ((a.frame == nullptr) != (b.frame == nullptr)) return a.frame != nullptr;
      return a.range.begin < b.range.begin;
    });
    // Frames win over symbols; what overlaps an earlier one is cut off.
    std::map<std::uint64_t, Piece> kept;
    for (Piece piece : here) {
      piece.range.end = std::min(piece.range.end, section.range.end);
      auto next = kept.lower_bound(piece.range.begin);
      if (next != kept.end() && next->first == piece.range.begin) continue;
      if (next != kept.begin() && std::prev(next)->second.range.end > piece.range.begin) continue;
      if (next != kept.end()) piece.range.end = std::min(piece.range.end, next->first);
      if (piece.range.end > piece.range.begin) kept.emplace(piece.range.begin, piece);
    }
    std::vector<Piece> in_order;
    for (const auto& [begin, piece] : kept) in_order.push_back(piece);
    add_leftovers(section, in_order);
    pieces.insert(pieces.end(), in_order.begin(), in_order.end());
  }
  std::erase_if(pieces,
                [&](const Piece& piece) { return is_excluded(name_at(piece.range.begin)); });
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.range.begin < b.range.begin; });
  pieces_ = std::move(pieces);
  for (std::size_t i = 0; i < pieces_.size(); ++i) pieces_[i].group = i;
}

void Functions::add_leftovers(const CodeSection& section, std::vector<Piece>& pieces) {
  std::vector<Piece> more;
  std::uint64_t at = section.range.begin;
  for (const Piece& piece : pieces) {
    if (piece.range.begin > at) add_leftover({at, piece.range.begin}, more);
    at = std::max(at, piece.range.end);
  }
  if (at < section.range.end) add_leftover({at, section.range.end}, more);
  pieces.insert(pieces.end(), more.begin(), more.end());
}

// Cut at symbols. Without nops, breakpoints and zeroes at its ends, if anything is left of it.
void Functions::add_leftover(Range range, std::vector<Piece>& pieces) const {
  std::vector<std::uint64_t> cuts{range.begin};
  for (const CodeSymbol& symbol : image_.symbols())
    if (range.contains(symbol.address)) cuts.push_back(symbol.address);
  cuts.push_back(range.end);
  sort_unique(cuts);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    std::uint64_t at = cuts[i];
    while (at < cuts[i + 1]) {
      const std::span<const std::uint8_t> bytes = image_.bytes(at);
      const std::optional<Step> step = decode_step(bytes, at);
      if (!bytes.empty() && bytes[0] == 0)
        ++at;
      else if (step && step->padding)
        at += step->length;
      else
        break;
    }
    if (at < cuts[i + 1]) pieces.push_back({{at, cuts[i + 1]}, nullptr});
  }
}

// Where its code jumps and calls to, and what is undecodable in it.
void Functions::scan(std::size_t index) {
  const Range range = pieces_[index].range;
  for (std::uint64_t at = range.begin; at < range.end;) {
    const std::optional<Step> step = decode_step(image_.bytes(at), at);
    if (!step || at + step->length > range.end) {
      gaps_.push_back({at, range.end - at, "bytes that are no instruction"});
      return;
    }
    if (step->flow == Flow::Call) {
      calls_.push_back({index, step->target});
      stops_.push_back(at);
    }
    if (step->flow == Flow::CallIndirect) stops_.push_back(at);
    if (step->flow == Flow::Call || step->flow == Flow::CallIndirect)
      stops_.push_back(at + step->length);
    if (step->flow == Flow::Jump || step->flow == Flow::Branch) {
      jumps_.push_back({index, step->target});
      stops_.push_back(step->target);
    }
    at += step->length;
  }
}

void Functions::find_entries() {
  mentioned_ = image_.code_pointers();
  for (const Jump& call : calls_) entries_.push_back(call.target);
  sort_unique(entries_);
  const std::vector<std::uint64_t> called = entries_;
  for (Piece& piece : pieces_) {
    const std::uint64_t begin = piece.range.begin;
    piece.cold = name_at(begin).find(".cold") != std::string_view::npos && !holds(called, begin) &&
                 !holds(mentioned_, begin);
    if (!piece.cold) entries_.push_back(begin);
    if (piece.frame)
      for (const LandingPad& pad : piece.frame->pads) stops_.push_back(pad.address);
  }
  for (const CodeSymbol& symbol : image_.symbols())
    if (symbol.name.find(".cold") == std::string::npos) entries_.push_back(symbol.address);
  sort_unique(entries_);
  stops_.insert(stops_.end(), entries_.begin(), entries_.end());
  stops_.insert(stops_.end(), mentioned_.begin(), mentioned_.end());
}

void Functions::finish_targets() { sort_unique(stops_); }

std::size_t Functions::piece_at(std::uint64_t address) const {
  auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), address,
                       [](std::uint64_t a, const Piece& piece) { return a < piece.range.begin; });
  if (after == pieces_.begin() || !std::prev(after)->range.contains(address)) return kNowhere;
  return static_cast<std::size_t>(std::prev(after) - pieces_.begin());
}

std::size_t Functions::group_of(std::size_t piece) {
  while (pieces_[piece].group != piece)
    piece = pieces_[piece].group = pieces_[pieces_[piece].group].group;
  return piece;
}

// A jump into the middle of another piece, or to and from an outlying part, stays in the function.
void Functions::join_pieces() {
  for (const Jump& jump : jumps_) {
    const std::size_t to = piece_at(jump.target);
    if (to == kNowhere || to == jump.from) continue;
    const bool inside = !holds(entries_, jump.target);
    if (inside || pieces_[to].cold || pieces_[jump.from].cold)
      pieces_[group_of(to)].group = group_of(jump.from);
  }
}

void Functions::make_functions() {
  function_of_piece_.assign(pieces_.size(), -1);
  std::map<std::size_t, int> made;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    auto [found, fresh] = made.try_emplace(group_of(i), static_cast<int>(functions_.size()));
    if (fresh) functions_.emplace_back();
    function_of_piece_[i] = found->second;
    Function& function = functions_[static_cast<std::size_t>(found->second)];
    function.pieces.push_back(pieces_[i].range);
    if (pieces_[i].frame) function.frames.push_back(pieces_[i].frame);
    const std::string_view name = name_at(pieces_[i].range.begin);
    if (function.name.empty() || !pieces_[i].cold) function.name = name;
  }
  for (const std::uint64_t entry : entries_)
    if (const int f = index_at(entry); f >= 0)
      functions_[static_cast<std::size_t>(f)].entries.push_back(entry);
  for (const std::uint64_t label : mentioned_)
    if (const int f = index_at(label); f >= 0 && !holds(entries_, label))
      functions_[static_cast<std::size_t>(f)].labels.push_back(label);
  for (const std::vector<Jump>* list : {&calls_, &jumps_})
    for (const Jump& jump : *list) {
      Function& function = functions_[static_cast<std::size_t>(function_of_piece_[jump.from])];
      if (!function.contains(jump.target)) function.calls.push_back(jump.target);
    }
}

int Functions::index_at(std::uint64_t address) const {
  const std::size_t piece = piece_at(address);
  return piece == kNowhere ? -1 : function_of_piece_[piece];
}

bool Functions::is_entry(std::uint64_t address) const { return holds(entries_, address); }

std::uint8_t Functions::room(std::uint64_t address, std::uint8_t length) const {
  const std::size_t piece = piece_at(address);
  std::uint64_t end = std::min(address + 16, pieces_[piece].range.end);
  auto stop = std::upper_bound(stops_.begin(), stops_.end(), address);
  if (stop != stops_.end()) end = std::min(end, *stop);
  return static_cast<std::uint8_t>(std::max<std::uint64_t>(end - address, length));
}

}  // namespace heddle::machine
