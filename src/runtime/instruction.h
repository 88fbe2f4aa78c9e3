// As much of x86-64 as it takes to see which of the registers that a callee keeps an instruction reads and writes. Instructions that are not
// known here are said to be so; whoever asks takes the safe side.
//
// No dependencies: also compiled into a test that compares it with a disassembler.
#pragma once
#include <stdint.h>

namespace heddle::rt {

// Registers by their number in the encoding: rax 0, rcx 1, rdx 2, rbx 3, rsp 4, rbp 5, rsi 6, rdi 7, r8 … r15.
using RegisterSet = uint16_t;
inline constexpr RegisterSet kKeptRegisters = 1 << 3 | 1 << 5 | 1 << 12 | 1 << 13 | 1 << 14 | 1 << 15;

enum class Flow : uint8_t { Unknown, Next, Call, Jump, Branch, JumpAnywhere, Return };

struct Instruction {
  Flow flow = Flow::Unknown;
  uint8_t length = 0;
  RegisterSet reads = 0;   // a partial write counts as reading, too
  RegisterSet writes = 0;  // all 64 bits
  uint64_t target = 0;     // of Jump and Branch
};

class InstructionDecoder {
 public:
  // REQUIRES 15 readable bytes at `address`.
  static Instruction decode(uint64_t address) { return InstructionDecoder(address).run(); }
  // Of a copy of the code at `address`.
  static Instruction decode(const uint8_t (&copy)[15], uint64_t address) {
    auto at = reinterpret_cast<uint64_t>(copy);
    Instruction i = decode(at);
    if (i.target) i.target += address - at;
    return i;
  }

 private:
  explicit InstructionDecoder(uint64_t address) : start_(reinterpret_cast<const uint8_t*>(address)), at_(start_) {}

  Instruction run() {
    prefixes();
    uint8_t op = next();
    bool known = op == 0x0f ? two_bytes(next()) : one_byte(op);
    if (!known) return {};
    i_.length = (uint8_t)(at_ - start_);
    if (i_.flow == Flow::Unknown) i_.flow = Flow::Next;
    if (i_.flow == Flow::Jump || i_.flow == Flow::Branch) i_.target = reinterpret_cast<uint64_t>(at_) + (uint64_t)relative_;
    return i_;
  }

  void prefixes() {
    for (;; ++at_) {
      if (*at_ == 0x66) operand16_ = true;
      else if (*at_ == 0xf2 || *at_ == 0xf3) repeat_ = true;
      else if (*at_ != 0x2e && *at_ != 0x3e && *at_ != 0x64) break;
    }
    if ((*at_ & 0xf0) == 0x40) rex_ = *at_++;
  }

  uint8_t next() { return *at_++; }
  void skip(int bytes) { at_ += bytes; }
  int immediate() const { return operand16_ ? 2 : 4; }
  bool wide() const { return rex_ & 8; }
  static RegisterSet bit(int number) { return (RegisterSet)(1 << number); }

  void reads(int number) { i_.reads |= bit(number); }
  void changes(int number) {
    i_.reads |= bit(number);
    i_.writes |= bit(number);
  }
  void writes(int number, bool byte = false) {
    if (byte || operand16_) return changes(number);
    i_.writes |= bit(number);
  }
  void jump(Flow flow, int bytes) {
    i_.flow = flow;
    relative_ = bytes == 1 ? *reinterpret_cast<const int8_t*>(at_) : load32();
    skip(bytes);
  }
  int64_t load32() const {
    int32_t n;
    __builtin_memcpy(&n, at_, 4);
    return n;
  }

  // The operand that may be in memory, and the other one. A register that an address is made of is read.
  void modrm() {
    uint8_t b = next();
    mode_ = b >> 6;
    reg_ = (b >> 3 & 7) | (rex_ & 4) << 1;
    rm_ = (b & 7) | (rex_ & 1) << 3;
    if (mode_ == 3) return;
    int base = b & 7;
    if (base == 4) {
      uint8_t sib = next();
      int index = (sib >> 3 & 7) | (rex_ & 2) << 2;
      if (index != 4) reads(index);
      base = sib & 7;
      if (base == 5 && mode_ == 0) skip(4);
      else reads(base | (rex_ & 1) << 3);
    } else if (base == 5 && mode_ == 0) {
      skip(4);  // relative to the program counter
    } else {
      reads(rm_);
    }
    if (mode_ == 1) skip(1);
    if (mode_ == 2) skip(4);
  }
  bool in_register() const { return mode_ == 3; }
  // A byte register 4 … 7 without REX is the second byte of register 0 … 3.
  int byte_register(int number) const { return !rex_ && number >= 4 && number < 8 ? number - 4 : number; }
  int reg(bool byte) const { return byte ? byte_register(reg_) : reg_; }
  int rm(bool byte) const { return byte ? byte_register(rm_) : rm_; }
  void reads_rm(bool byte = false) {
    if (in_register()) reads(rm(byte));
  }
  void writes_rm(bool byte = false) {
    if (in_register()) writes(rm(byte), byte);
  }
  void changes_rm(bool byte = false) {
    if (in_register()) changes(rm(byte));
  }

  // add, or, adc, sbb, and, sub, xor, cmp: six encodings each, in rows of eight.
  bool arithmetic(uint8_t op) {
    bool compares = (op & 0x38) == 0x38, byte = !(op & 1);
    switch (op & 7) {
      case 4: skip(1); reads(0); return true;
      case 5: skip(immediate()); changes(0); return true;
      case 0: case 1: case 2: case 3: break;
      default: return false;
    }
    modrm();
    bool is_xor = (op & 0x38) == 0x30;
    if (is_xor && !byte && in_register() && reg_ == rm_) {  // xor of a register with itself: zero, whatever it was
      writes(reg_);
      return true;
    }
    bool to_reg = op & 2;
    reads(reg(byte));
    reads_rm(byte);
    if (compares) return true;
    if (to_reg) changes(reg(byte));
    else changes_rm(byte);
    return true;
  }

  bool one_byte(uint8_t op) {
    bool byte = !(op & 1);
    if (op < 0x40) return arithmetic(op);
    if (op >= 0x50 && op < 0x58) return reads((op & 7) | (rex_ & 1) << 3), true;   // push
    if (op >= 0x58 && op < 0x60) return writes((op & 7) | (rex_ & 1) << 3), true;  // pop
    if (op >= 0x70 && op < 0x80) return jump(Flow::Branch, 1), true;
    if (op >= 0xb0 && op < 0xb8) return skip(1), changes(byte_register((op & 7) | (rex_ & 1) << 3)), true;
    if (op >= 0xb8 && op < 0xc0) return skip(wide() ? 8 : immediate()), writes((op & 7) | (rex_ & 1) << 3), true;
    switch (op) {
      case 0x63: modrm(); reads_rm(); writes(reg_); return true;                    // movsxd
      case 0x68: skip(4); return !operand16_;                                       // push
      case 0x6a: skip(1); return true;
      case 0x69: modrm(); skip(immediate()); reads_rm(); writes(reg_); return true;  // imul
      case 0x6b: modrm(); skip(1); reads_rm(); writes(reg_); return true;
      case 0x80: case 0x83: return group1(byte, 1);
      case 0x81: return group1(false, immediate());
      case 0x84: case 0x85: modrm(); reads(reg(byte)); reads_rm(byte); return true;   // test
      case 0x86: case 0x87: modrm(); changes(reg(byte)); changes_rm(byte); return true;  // xchg
      case 0x88: case 0x89: modrm(); reads(reg(byte)); writes_rm(byte); return true;  // mov
      case 0x8a: case 0x8b: modrm(); reads_rm(byte); writes(reg(byte), byte); return true;
      case 0x8d: modrm(); writes(reg_); return !in_register();                      // lea
      case 0x90: return !(rex_ & 1);
      case 0x98: changes(0); return true;                                           // cdqe
      case 0x99: reads(0); changes(2); return true;                                 // cdq
      case 0xa8: skip(1); reads(0); return true;
      case 0xa9: skip(immediate()); reads(0); return true;
      case 0xc0: case 0xc1: modrm(); skip(1); changes_rm(byte); return true;        // shifts
      case 0xd0: case 0xd1: modrm(); changes_rm(byte); return true;
      case 0xd2: case 0xd3: modrm(); reads(1); changes_rm(byte); return true;
      case 0xc3: i_.flow = Flow::Return; return true;
      case 0xc6: modrm(); skip(1); writes_rm(true); return (reg_ & 7) == 0;
      case 0xc7: modrm(); skip(immediate()); writes_rm(); return (reg_ & 7) == 0;
      case 0xc9: reads(5); writes(5); return true;                                  // leave
      case 0xe8: i_.flow = Flow::Call; skip(4); return !operand16_;
      case 0xe9: jump(Flow::Jump, 4); return !operand16_;
      case 0xeb: jump(Flow::Jump, 1); return true;
      case 0xf6: case 0xf7: return group3(byte);
      case 0xfe: case 0xff: return group5(byte);
      default: return false;
    }
  }

  bool group1(bool byte, int bytes) {
    modrm();
    skip(bytes);
    if ((reg_ & 7) == 7) reads_rm(byte);  // cmp
    else changes_rm(byte);
    return true;
  }

  bool group3(bool byte) {
    modrm();
    switch (reg_ & 7) {
      case 0: skip(byte ? 1 : immediate()); reads_rm(byte); return true;  // test
      case 2: case 3: changes_rm(byte); return true;                      // not, neg
      case 4: case 5: case 6: case 7: reads_rm(byte); changes(0); changes(2); return true;
      default: return false;
    }
  }

  bool group5(bool byte) {
    modrm();
    switch (reg_ & 7) {
      case 0: case 1: changes_rm(byte); return true;  // inc, dec
      case 2: i_.flow = Flow::Call; break;
      case 4: i_.flow = Flow::JumpAnywhere; break;
      case 6: break;  // push
      default: return false;
    }
    if (byte) return false;
    reads_rm();
    return true;
  }

  bool two_bytes(uint8_t op) {
    if (op >= 0x40 && op < 0x50) return modrm(), reads_rm(), changes(reg_), true;  // cmov
    if (op >= 0x80 && op < 0x90) return jump(Flow::Branch, 4), !operand16_;
    if (op >= 0x90 && op < 0xa0) return modrm(), changes_rm(true), true;           // set
    switch (op) {
      case 0x1e: case 0x1f: modrm(); return true;                                  // endbr64, nop
      case 0xaf: modrm(); reads_rm(); changes(reg_); return true;                  // imul
      case 0xb6: case 0xbe: modrm(); reads_rm(true); writes(reg_); return true;    // movzx, movsx
      case 0xb7: case 0xbf: modrm(); reads_rm(); writes(reg_); return true;
      // Vector registers and memory only: what they are is of no interest.
      case 0x10: case 0x11: case 0x14: case 0x15: case 0x16: case 0x17: case 0x28: case 0x29: case 0x2e: case 0x2f: case 0x51: case 0x54:
      case 0x55: case 0x56: case 0x57: case 0x58: case 0x59: case 0x5a: case 0x5b: case 0x5c: case 0x5d: case 0x5e: case 0x5f: case 0x6c:
      case 0x6d: case 0x6f: case 0x7f: case 0xd6: case 0xef: case 0xfe: case 0xd4:
        modrm();
        return true;
      default: return false;
    }
  }

  const uint8_t* start_;
  const uint8_t* at_;
  Instruction i_;
  bool operand16_ = false, repeat_ = false;
  uint8_t rex_ = 0;
  int mode_ = 0, reg_ = 0, rm_ = 0;
  int64_t relative_ = 0;
};

}  // namespace heddle::rt
