// --state=verify: full states are kept, written down from memory as it is and not from the mirrors, and compared whenever a fingerprint comes
// again. Two states with one fingerprint would be a collision, or a fact that the fingerprint has lost; one state with two fingerprints a
// mistake in keeping them up to date. Either ends the search.
#include <sys/mman.h>

#include "runtime/state_facts.h"

namespace heddle::rt {
namespace {

using layout::kPage;

struct FullState {
  wire::Fingerprint print;
  uint64_t digest;  // of its words, by another function than the fingerprint's
  uint64_t at, words;
};

constexpr uint64_t kMaxStates = 1 << 24;
constexpr uint64_t kSlots = 2 * kMaxStates;

struct Book {
  uint64_t searches;  // of the visited table that this belongs to
  uint64_t count;
  uint64_t used;      // words
  uint32_t by_print[kSlots];   // number of a state plus one
  uint32_t by_digest[kSlots];
  FullState states[kMaxStates];
  uint64_t words[];
};
static_assert(sizeof(Book) < layout::kFullStatesBytes / 2);
Book& book() { return *reinterpret_cast<Book*>(layout::kFullStates); }

uint64_t most_words() {
  uint64_t bytes = R().segment->options.full_state_bytes;
  return (bytes < layout::kFullStatesBytes / 2 ? bytes : layout::kFullStatesBytes / 2) / 8;
}

// Writes words behind those of the last state.
class Writer {
 public:
  Writer() : begin_(book().words + book().used), at_(begin_), end_(book().words + most_words()) {}
  void word(uint64_t w) {
    if (at_ < end_) *at_ = w;
    ++at_;
  }
  bool fits() const { return at_ <= end_; }
  uint64_t words() const { return (uint64_t)(at_ - begin_); }
  const uint64_t* begin() const { return begin_; }

 private:
  uint64_t *begin_, *at_, *end_;
};

uint64_t original_word(const HotPage& page, uint64_t offset) {
  return page.store == kZeroPage ? 0 : *reinterpret_cast<const uint64_t*>(layout::kStore + page.store + offset);
}

void write_memory(Writer& out) {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.hot_count; ++i) {
    const HotPage& page = r.hot[i];
    for (uint64_t offset = page.from; offset < kPage; offset += 8) {
      uint64_t word = *reinterpret_cast<const uint64_t*>(page.address + offset);
      if (word == original_word(page, offset)) continue;
      out.word(page.address + offset);
      out.word(word);
    }
  }
}

void write_thread(Writer& out, Thread& t) {
  out.word((uint64_t)t.slot << 8 | (uint64_t)t.state);
  if (t.state == ThreadState::Finished) return tell_finished(out, t);
  tell_live(out, t);
  for (uint64_t at = frames_low(t); at < stack_end(t.slot); at += 8) out.word(*reinterpret_cast<const uint64_t*>(at));
}

// In the order of their addresses: that of their creation depends on the path. There are few.
void write_objects(Writer& out) {
  Runtime& r = R();
  uint64_t last = 0;
  for (;;) {
    const Object* next = nullptr;
    for (uint32_t i = 0; i < r.object_count; ++i) {
      const Object& o = r.objects[i];
      if (o.address > last && !is_initial(o) && (!next || o.address < next->address)) next = &o;
    }
    if (!next) return;
    last = next->address;
    out.word(last);
    tell_object(out, *next);
  }
}

void write_state(Writer& out, bool is_over) {
  auto fact = [&out](uint64_t place, uint64_t value) {
    out.word(place);
    out.word(value);
  };
  out.word(is_over);
  write_memory(out);
  each_process_fact(fact);
  if (is_over) return;
  each_key_fact(fact);
  for (uint32_t i = 0; i < R().clock_width; ++i)
    if (R().threads[i].state != ThreadState::Unused) write_thread(out, R().threads[i]);
  write_objects(out);
}

uint64_t digest_of(const Writer& out) {  // FNV-1a over words
  uint64_t h = 0xcbf29ce484222325ULL;
  for (uint64_t i = 0; i < out.words(); ++i) h = ((h ^ out.begin()[i]) * 0x100000001b3ULL) ^ (h >> 47);
  return h;
}

bool same_words(const FullState& s, const Writer& out) {
  if (s.words != out.words()) return false;
  for (uint64_t i = 0; i < s.words; ++i)
    if (book().words[s.at + i] != out.begin()[i]) return false;
  return true;
}

template <class Matches>
uint32_t& slot_for(uint32_t* table, uint64_t hash, Matches matches) {
  uint64_t i = hash & (kSlots - 1);
  while (table[i] && !matches(book().states[table[i] - 1])) i = (i + 1) & (kSlots - 1);
  return table[i];
}

void begin_search() {
  Book& b = book();
  if (b.searches == R().segment->visited.searches && b.count) return;
  sys(__NR_madvise, layout::kFullStates, layout::kFullStatesBytes, MADV_DONTNEED);
  b.searches = R().segment->visited.searches;
}

}  // namespace

void verify_state(wire::Fingerprint print, bool is_over) {
  begin_search();
  Book& b = book();
  Writer out;
  write_state(out, is_over);
  if (!out.fits() || b.count == kMaxStates) {
    R().full_states_dropped = 1;
    return;
  }
  uint64_t digest = digest_of(out);
  uint32_t& with_print = slot_for(b.by_print, print.low, [&](const FullState& s) { return s.print == print; });
  if (with_print) {
    if (!same_words(b.states[with_print - 1], out)) wrong_fingerprint("two different states have the same fingerprint (found by --state=verify)");
    return;
  }
  uint32_t& with_words = slot_for(b.by_digest, digest, [&](const FullState& s) { return s.digest == digest && same_words(s, out); });
  if (with_words) wrong_fingerprint("one state has got two fingerprints (found by --state=verify)");
  b.states[b.count] = {print, digest, b.used, out.words()};
  b.used += out.words();
  with_print = with_words = (uint32_t)++b.count;
}

}  // namespace heddle::rt
