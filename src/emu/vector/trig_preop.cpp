// SPDX-License-Identifier: MIT
// v_trig_preop_f64: a piece of 2/pi for reducing large arguments of sine and cosine (RDNA 2 ISA guide, section 12.11).
#include "base/bits.h"
#include "emu/vector/double_operands.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

/// The first 1216 bits of 2/pi after the binary point, highest first; the instruction knows 1201 of them.
constexpr uint64_t kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};
constexpr unsigned kKnownBits = 1201;

constexpr unsigned kPieceBits = 53;

/// Bits [first, first + 53) after the binary point, as an integer.
uint64_t piece(unsigned first) {
  uint64_t value = 0;
  for (unsigned i = first; i < first + kPieceBits; ++i) {
    const uint64_t bit = i < kKnownBits ? kTwoOverPi[i / 64] >> (63 - i % 64) & 1 : 0;
    value = value << 1 | bit;
  }
  return value;
}

double trig_preop(uint64_t argument, uint32_t segment) {
  const auto exponent = static_cast<int>(bits_of(argument, 52, 11));
  constexpr int kFirstShifted = 1077, kFirstScaled = 1968, kScale = 128;
  int shift = static_cast<int>(segment & 31) * static_cast<int>(kPieceBits);
  // The leading bits times a large argument are whole turns.
  if (exponent > kFirstShifted) shift += exponent - kFirstShifted;
  int scale = -static_cast<int>(kPieceBits) - shift;
  if (exponent >= kFirstScaled) scale += kScale;
  return std::ldexp(static_cast<double>(piece(static_cast<unsigned>(shift))), scale);
}

void trig_preop_f64(Wave& wave, const Step& step) {
  LaneBuffer tb;
  LaneBuffer64 a, out;
  wave.fetch64(step, 0, a);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = as_bits(trig_preop(a.lane[i], b[i]));
  wave.write64(step, out.lane);
}

constexpr HandlerRow kRows[] = {{Op::v_trig_preop_f64, trig_preop_f64}};

}  // namespace

void add_valu_trig(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
