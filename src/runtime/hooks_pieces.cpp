// Accesses to more than a word, word by word, where plain accesses are scheduling points.
//
// The functions of the C library do their work here themselves, with a turn for each piece. A compiler's own copy cannot be
// interrupted: its hook comes before it, and all of it is done at once. So
//   - before a read of a range, each word is read at its turn. Then memory is made to look to the program as these words
//   were, until
//     the next hook;
//   - after a write, which shows at the next hook, memory is put back as it was, and each word is written at its turn.
// Between two hooks nobody else runs: no other thread ever sees any of that. For a copy, gcc tells of the write first and
// then of the read; all of the range is read before any of it is written.
//
// A word is a piece of its own if it is visible. What lies between such words needs no turn. A range with one such word
// stays one step: nothing can come in between. So does one of more than kMostPieces.
#include "runtime/pieces.h"

#include "runtime/hooks.h"
#include "runtime/race.h"

namespace heddle::rt {

OwedPieces& owed_pieces() { return R().owed; }

namespace {

constexpr uint64_t kWord = 8;

uint64_t word_end(uint64_t address) { return (address & ~(kWord - 1)) + kWord; }

uint64_t load(uint64_t address, uint64_t size) {
  uint64_t value = 0;
  heddle_rt_memcpy(&value, reinterpret_cast<const void*>(address), size);
  return value;
}
void store(uint64_t address, uint64_t value, uint64_t size) {
  heddle_rt_memcpy(reinterpret_cast<void*>(address), &value, size);
}

void add(PieceList& list, uint64_t address, uint64_t size, uint64_t value) {
  list.piece[list.count++] = {address, value, (uint8_t)size};
}

// The visible words of a range. False: there are too few or too many to be told apart.
bool find_pieces(PieceList& list, uint64_t address, uint64_t size) {
  list.count = 0;
  uint64_t end = address + size;
  for (uint64_t a = address, next; a < end; a = next) {
    next = word_end(a) < end ? word_end(a) : end;
    if (!is_visible(a, next - a)) continue;
    if (list.count == kMostPieces) return false;
    add(list, a, next - a, 0);
  }
  return list.count > 1;
}

// Did nothing of the announced write happen yet? Its own hook is just before this one then, in the program's code.
bool is_same_copy(const OwedPieces& owed, uint64_t size, uint64_t pc) {
  constexpr uint64_t kArgumentsAndCall = 48;  // bytes of code
  if (owed.size != size || pc < owed.pc || pc - owed.pc > kArgumentsAndCall) return false;
  for (uint32_t i = 0; i < owed.before.count; ++i) {
    const Piece& p = owed.before.piece[i];
    if (load(p.address, p.size) != p.value) return false;
  }
  return true;
}

void owe_write(uint64_t address, uint64_t size, uint64_t pc) {
  OwedPieces& owed = owed_pieces();
  owed.address = address;
  owed.size = size;
  owed.pc = pc;
  if (!find_pieces(owed.before, address, size)) owed.before.count = 0;
  for (uint32_t i = 0; i < owed.before.count; ++i) {
    Piece& p = owed.before.piece[i];
    p.value = load(p.address, p.size);
  }
  R().owes_pieces = 1;
}

// The program is to see the words as they were at their turns.
void owe_read(const PieceList& seen) {
  PieceList& real = owed_pieces().real;
  real.count = 0;
  for (uint32_t i = 0; i < seen.count; ++i) {
    const Piece& p = seen.piece[i];
    uint64_t now = load(p.address, p.size);
    if (now == p.value) continue;
    add(real, p.address, p.size, now);
    store(p.address, p.value, p.size);
  }
  if (real.count) R().owes_pieces = 1;
}

void write_range(uint64_t address, uint64_t size, uint64_t pc) {
  PieceList pieces;
  if (!find_pieces(pieces, address, size)) return access(address, size, true, pc);
  owe_write(address, size, pc);
}

void read_range(uint64_t address, uint64_t size, uint64_t pc) {
  PieceList pieces{};
  if (!find_pieces(pieces, address, size)) {
    access(address, size, false, pc);
    pieces.count = 0;
  }
  for (uint32_t i = 0; i < pieces.count; ++i) {
    Piece& p = pieces.piece[i];
    access(p.address, p.size, false, pc);
    p.value = load(p.address, p.size);
  }
  slow_access(address, size, kRead, pc);
  owe_read(pieces);
}

}  // namespace

void show_real_words() {
  PieceList& real = owed_pieces().real;
  for (uint32_t i = 0; i < real.count; ++i) store(real.piece[i].address, real.piece[i].value, real.piece[i].size);
  real.count = 0;
}

void settle_pieces() {
  R().owes_pieces = 0;
  OwedPieces& owed = owed_pieces();
  PieceList pieces{};
  for (uint32_t i = 0; i < owed.before.count; ++i) {  // before show_real_words(): a range may be copied onto itself
    const Piece& p = owed.before.piece[i];
    add(pieces, p.address, p.size, load(p.address, p.size));
  }
  show_real_words();
  for (uint32_t i = 0; i < pieces.count; ++i)
    store(pieces.piece[i].address, owed.before.piece[i].value, pieces.piece[i].size);
  uint64_t address = owed.address, size = owed.size, pc = owed.pc;
  owed.before.count = 0;
  if (!pieces.count) return;
  for (uint32_t i = 0; i < pieces.count; ++i) {
    const Piece& p = pieces.piece[i];
    access(p.address, p.size, true, pc);
    store(p.address, p.value, p.size);
  }
  slow_access(address, size, kWrite, pc);
}

void range_access(uint64_t address, uint64_t size, bool write, uint64_t pc) {
  if (ignores(write) || !R().visible_mode || size <= kWord) return access(address, size, write, pc, true);
  OwedPieces& owed = owed_pieces();
  bool goes_on = !write && R().owes_pieces && owed.before.count && is_same_copy(owed, size, pc);
  uint64_t to = owed.address, of_write = owed.pc;
  if (goes_on) {  // the write is still to come
    R().owes_pieces = 0;
    owed.before.count = 0;
  } else {
    settle_if_owed();
  }
  if (write) return write_range(address, size, pc);
  read_range(address, size, pc);
  if (goes_on) owe_write(to, size, of_write);
}

// ---- library functions

namespace {

constexpr uint64_t kMostTogether = 512;  // bytes that are copied by way of this much of the stack

// Bytes from here on that need one turn at most: the rest of a visible word, or all up to the next one.
uint64_t piece_at(uint64_t address, uint64_t most) {
  uint64_t end = address + most, at = word_end(address) < end ? word_end(address) : end;
  if (is_visible(address, at - address)) return at - address;
  while (at < end) {
    uint64_t next = word_end(at) < end ? word_end(at) : end;
    if (is_visible(at, next - at)) break;
    at = next;
  }
  return at - address;
}

// Where everything is visible, long ranges would be nothing but steps: their pieces are longer.
uint64_t least_piece(uint64_t n) { return n <= kMostPieces * kWord ? kWord : n <= 1 << 16 ? 64 : kMostTogether; }

uint64_t piece_of(uint64_t address, uint64_t left, uint64_t whole) {
  uint64_t n = piece_at(address, left < kMostTogether ? left : kMostTogether), least = least_piece(whole);
  return n < least && R().visible_mode == 2 ? (least < left ? least : left) : n;
}

// Backwards, which is seldom: in one step.
void copy_overlapping(uint64_t to, uint64_t from, uint64_t n, uint64_t pc) {
  access(from, to + n - from, true, pc);
  heddle_rt_memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), n);
}

}  // namespace

void copy_in_pieces(void* target, const void* source, uint64_t n, uint64_t pc) {
  uint64_t to = raw(target), from = raw(source);
  if (to > from && to < from + n) return copy_overlapping(to, from, n, pc);
  for (uint64_t done = 0, step; done < n; done += step) {
    unsigned char bytes[kMostTogether] = {};
    step = piece_of(from + done, n - done, n);
    uint64_t of_target = piece_of(to + done, n - done, n);
    if (of_target < step) step = of_target;
    access(from + done, step, false, pc);
    heddle_rt_memcpy(bytes, reinterpret_cast<const void*>(from + done), step);
    access(to + done, step, true, pc);
    heddle_rt_memcpy(reinterpret_cast<void*>(to + done), bytes, step);
  }
}

void set_in_pieces(void* target, int byte, uint64_t n, uint64_t pc) {
  uint64_t to = raw(target);
  for (uint64_t done = 0, step; done < n; done += step) {
    step = piece_of(to + done, n - done, n);
    access(to + done, step, true, pc);
    heddle_rt_memset(reinterpret_cast<void*>(to + done), byte, step);
  }
}

namespace {

// So much of the string's rest as lies in one piece, up to its end if that is there now.
uint64_t string_piece(uint64_t s, uint64_t most) {
  uint64_t n = word_end(s) - s < most ? word_end(s) - s : most;
  for (uint64_t i = 0; i < n; ++i)
    if (!reinterpret_cast<const volatile char*>(s)[i]) return i + 1;
  return n;
}

}  // namespace

uint64_t length_in_pieces(const char* string, uint64_t most, uint64_t pc) {
  uint64_t s = raw(string);
  for (uint64_t done = 0, step; done < most; done += step) {
    step = string_piece(s + done, most - done);
    access(s + done, step, false, pc);
    for (uint64_t i = 0; i < step; ++i)
      if (!reinterpret_cast<const volatile char*>(s + done)[i]) return done + i;
  }
  return most;
}

uint64_t copy_string_in_pieces(char* target, const char* source, uint64_t most, uint64_t pc) {
  uint64_t to = raw(target), from = raw(source);
  for (uint64_t done = 0, step; done < most; done += step) {
    step = string_piece(from + done, most - done);
    access(from + done, step, false, pc);
    uint64_t bytes = load(from + done, step);
    bool ends = false;
    for (uint64_t i = 0; i < step && !ends; ++i)
      if (!(bytes >> 8 * i & 0xff)) ends = true, step = i + 1;
    for (uint64_t i = 0, part; i < step; i += part) {  // the target's words may end elsewhere
      uint64_t at = to + done + i;
      part = word_end(at) - at < step - i ? word_end(at) - at : step - i;
      access(at, part, true, pc);
      store(at, bytes >> 8 * i, part);
    }
    if (ends) return done + step;
  }
  return most;
}

int compare_in_pieces(const void* left, const void* right, uint64_t n, bool strings, uint64_t pc) {
  uint64_t a = raw(left), b = raw(right);
  int result = 0;  // memcmp may look at all bytes, whatever it finds
  for (uint64_t done = 0, step; done < n; done += step) {
    uint64_t x = a + done, y = b + done, most = n - done;
    step = word_end(x) - x < most ? word_end(x) - x : most;
    if (word_end(y) - y < step) step = word_end(y) - y;
    if (strings) {
      uint64_t of_a = string_piece(x, step), of_b = string_piece(y, step);
      step = of_a < of_b ? of_a : of_b;
    }
    access(x, step, false, pc);
    uint64_t p = load(x, step);
    access(y, step, false, pc);
    uint64_t q = load(y, step);
    for (uint64_t i = 0; i < step && !result; ++i) {
      int c = (int)(p >> 8 * i & 0xff), d = (int)(q >> 8 * i & 0xff);
      result = c - d;
      if (strings && (result || !c)) return result;
    }
  }
  return result;
}

}  // namespace heddle::rt
