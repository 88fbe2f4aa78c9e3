// The program's own code, cut into functions: which pieces belong together, where they are entered,
// and what may not be overwritten because somebody jumps there.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/audit.h"
#include "machine/image.h"

namespace heddle::machine {

struct Function {
  std::vector<Range> pieces;           // by address
  std::vector<std::uint64_t> entries;  // called from anywhere, with the calling convention's state
  std::vector<std::uint64_t> labels;   // addresses inside that data or code mention
  std::vector<std::uint64_t> calls;    // targets of direct calls, and of jumps out of the function
  std::vector<const Frame*> frames;
  std::string name;

  bool contains(std::uint64_t address) const {
    for (const Range& piece : pieces)
      if (piece.contains(address)) return true;
    return false;
  }
};

class Functions {
 public:
  explicit Functions(const Image& image);

  const std::vector<Function>& all() const { return functions_; }
  // By any address inside; -1: none of the program's own.
  int index_at(std::uint64_t address) const;
  bool is_entry(std::uint64_t address) const;
  // The name of the function that starts there, in this file or behind a stub; empty: unknown.
  std::string_view name_at(std::uint64_t address) const;
  // How many bytes from `address` on may be overwritten, at most 16: up to the next place that
  // somebody jumps or returns to, the next call, the end of the piece.
  std::uint8_t room(std::uint64_t address, std::uint8_t length) const;
  // Adds a target of computed jumps.
  void add_target(std::uint64_t address) { stops_.push_back(address); }
  void finish_targets();

  const std::vector<Gap>& gaps() const { return gaps_; }

 private:
  struct Piece {
    Range range;
    const Frame* frame = nullptr;
    std::size_t group = 0;  // its representative
    bool cold = false;      // an outlying part that is not called
  };
  struct Jump {
    std::size_t from;
    std::uint64_t target;
  };

  void cut_into_pieces();
  void add_leftovers(const CodeSection& section, std::vector<Piece>& pieces);
  void add_leftover(Range range, std::vector<Piece>& pieces) const;
  void find_entries();
  void scan(std::size_t index);
  void join_pieces();
  void make_functions();
  std::size_t piece_at(std::uint64_t address) const;
  std::size_t group_of(std::size_t piece);
  void read_stubs(const CodeSection& section);

  const Image& image_;
  std::vector<Piece> pieces_;
  std::vector<Jump> jumps_, calls_;
  std::vector<std::uint64_t> entries_, stops_, mentioned_;
  std::unordered_map<std::uint64_t, std::string_view> names_, stubs_;
  std::vector<int> function_of_piece_;
  std::vector<Function> functions_;
  std::vector<Gap> gaps_;
};

}  // namespace heddle::machine
