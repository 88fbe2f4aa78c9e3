// The trampolines of one module: code in the room near it.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machine/audit.h"
#include "machine/code_bytes.h"
#include "machine/code_writer.h"
#include "wire/patch.h"

namespace heddle::machine {

// Gives out the numbers of notes; the last one is for all that come too late.
class Notes {
 public:
  int next() { return used_ + 1 < wire::kMaxPatchNotes ? used_++ : used_; }

 private:
  int used_ = 0;
};

class Trampolines {
 public:
  struct Left {  // as Unpatched
    std::uint64_t address = 0;
    std::string reason;
  };

  // REQUIRES sites in the order of their addresses.
  Trampolines(const std::vector<Site>& sites, const CodeBytes& code, std::uint64_t base, wire::PatchRoom room, std::uint64_t entry, Notes& notes);

  void build();

  const CodeWriter& code() const { return out_; }
  const std::vector<wire::PatchWrite>& writes() const { return writes_; }
  const std::vector<wire::PatchMoved>& moved() const { return moved_; }
  const std::vector<Left>& left() const { return left_; }

 private:
  struct Displaced;
  std::vector<Displaced> displaced_from(std::size_t first) const;
  std::size_t build_one(std::size_t first);
  bool write_trampoline(const std::vector<Displaced>& displaced);
  bool write_site(const Displaced& d);
  void announce(wire::PatchSite site, const EffectiveAddress& address);
  bool relocate(const Displaced& d);
  bool relocate_branch(const Displaced& d);
  bool relocate_call(const Displaced& d);
  void overwrite(const std::vector<Displaced>& displaced, std::uint64_t trampoline);
  static bool may_synchronise(const Displaced& d);
  void note_moved(const Displaced& d, bool is_site);
  void write_reasons(const std::vector<Displaced>& displaced);
  void give_up(const std::vector<Displaced>& displaced, const std::string& reason);
  std::uint64_t run(std::uint64_t linked) const { return linked + base_; }

  const std::vector<Site>& sites_;
  const CodeBytes& bytes_;
  std::uint64_t base_;
  wire::PatchRoom room_;
  Notes& notes_;
  CodeWriter out_;
  std::vector<wire::PatchWrite> writes_;
  std::vector<wire::PatchMoved> moved_;
  std::vector<Left> left_;
  std::map<std::string, std::uint64_t> reasons_;  // where their texts lie
};

}  // namespace heddle::machine
