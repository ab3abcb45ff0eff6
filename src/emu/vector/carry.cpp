// SPDX-License-Identifier: MIT
// Carry chains and 64-bit integers.
#include <cstdlib>

#include "emu/vector/valu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

/// Lane masks written by vector instructions have zeros in inactive lanes.
void write_carry(Wave& wave, const Step& step, uint64_t carry) {
  if (step.has_dst2) wave.write_mask(step.dst2, carry & wave.writable_lanes());
}

struct Sum {
  uint32_t value;
  bool carry;
};

/// Saturated is the result of a clamped instruction when it overflows.
template <auto F, bool CarryIn, uint32_t Saturated>
void carry_op(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const uint64_t in = CarryIn ? wave.read_mask(step.src[2].index) : 0;
  uint64_t carry = 0;
  for (unsigned i = 0; i < wave.size(); ++i) {
    const Sum sum = F(a[i], b[i], static_cast<uint32_t>(in >> i & 1));
    out.lane[i] = sum.value;
    carry |= static_cast<uint64_t>(sum.carry) << i;
  }
  if (step.clamp) {
    for (unsigned i = 0; i < wave.size(); ++i) {
      if ((carry >> i & 1) != 0) out.lane[i] = Saturated;
    }
  }
  wave.write32(step, out.lane);
  write_carry(wave, step, carry);
}

constexpr auto add = [](uint32_t a, uint32_t b, uint32_t in) {
  const uint64_t sum = uint64_t{a} + b + in;
  return Sum{static_cast<uint32_t>(sum), sum >> 32 != 0};
};
constexpr auto sub = [](uint32_t a, uint32_t b, uint32_t in) {
  const uint64_t taken = uint64_t{b} + in;
  return Sum{static_cast<uint32_t>(a - taken), taken > a};
};
constexpr auto subrev = [](uint32_t a, uint32_t b, uint32_t in) {
  const uint64_t taken = uint64_t{a} + in;
  return Sum{static_cast<uint32_t>(b - taken), taken > b};
};

template <bool Signed>
void mad64(Wave& wave, const Step& step) {
  LaneBuffer ta, tb;
  LaneBuffer64 c, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  wave.fetch64(step, 2, c);
  uint64_t carry = 0;
  for (unsigned i = 0; i < wave.size(); ++i) {
    uint64_t product = uint64_t{a[i]} * b[i];
    if constexpr (Signed) {
      product = static_cast<uint64_t>(int64_t{static_cast<int32_t>(a[i])} * static_cast<int32_t>(b[i]));
    }
    const uint64_t sum = product + c.lane[i];
    bool overflow = sum < product;
    // Bit 64 of the sum of numbers extended to 65 bits.
    if constexpr (Signed) overflow = overflow != ((product >> 63 != 0) != (c.lane[i] >> 63 != 0));
    carry |= static_cast<uint64_t>(overflow) << i;
    out.lane[i] = sum;
  }
  wave.write64(step, out.lane);
  write_carry(wave, step, carry);
}

/// 64-bit shifts: source 0 is the amount.
template <auto F>
void shift64(Wave& wave, const Step& step) {
  LaneBuffer ta;
  LaneBuffer64 b, out;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  wave.fetch64(step, 1, b);
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = F(b.lane[i], a[i] & 63);
  wave.write64(step, out.lane);
}
constexpr auto shl = [](uint64_t value, unsigned amount) { return value << amount; };
constexpr auto shr = [](uint64_t value, unsigned amount) { return value >> amount; };
constexpr auto sar = [](uint64_t value, unsigned amount) {
  return static_cast<uint64_t>(static_cast<int64_t>(value) >> amount);
};

uint32_t masked_sad(uint32_t data, uint32_t reference, bool masked) {
  uint32_t sum = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const int a = static_cast<int>(data >> shift & 255), b = static_cast<int>(reference >> shift & 255);
    if (!masked || b != 0) sum += static_cast<uint32_t>(std::abs(a - b));
  }
  return sum;
}

/// Four sums of absolute differences over a sliding window of source 0, each added to 16 bits of source 2.
template <bool Masked>
void qsad_pk_u16(Wave& wave, const Step& step) {
  LaneBuffer tb;
  LaneBuffer64 a, c, out;
  wave.fetch64(step, 0, a);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  wave.fetch64(step, 2, c);
  for (unsigned i = 0; i < wave.size(); ++i) {
    uint64_t result = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const uint32_t sum = masked_sad(static_cast<uint32_t>(a.lane[i] >> (8 * k)), b[i], Masked) +
                           static_cast<uint32_t>(c.lane[i] >> (16 * k) & 0xffff);
      result |= static_cast<uint64_t>(std::min(sum, 0xffffu)) << (16 * k);
    }
    out.lane[i] = result;
  }
  wave.write64(step, out.lane);
}

/// The masked sums as four dwords, each added to one of source 2.
void mqsad_u32(Wave& wave, const Step& step) {
  constexpr unsigned kSums = 4;
  LaneBuffer tb;
  LaneBuffer64 a;
  LaneBuffer out[kSums];
  wave.fetch64(step, 0, a);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  const uint32_t* c = wave.vgpr(step.src[2].index);
  uint32_t* dst = wave.vgpr(step.dst);
  for (unsigned k = 0; k < kSums; ++k) {
    for (unsigned i = 0; i < wave.size(); ++i) {
      out[k].lane[i] = masked_sad(static_cast<uint32_t>(a.lane[i] >> (8 * k)), b[i], true) + c[k * kMaxLanes + i];
    }
  }
  for (unsigned k = 0; k < kSums; ++k) {
    for (unsigned i = 0; i < wave.size(); ++i) {
      if (wave.lane_mask()[i] != 0) dst[k * kMaxLanes + i] = out[k].lane[i];
    }
  }
}

constexpr HandlerRow kRows[] = {
    {Op::v_add_co_u32, carry_op<add, false, 0xffffffffu>},
    {Op::v_sub_co_u32, carry_op<sub, false, 0>},
    {Op::v_subrev_co_u32, carry_op<subrev, false, 0>},
    {Op::v_add_co_ci_u32, carry_op<add, true, 0xffffffffu>},
    {Op::v_sub_co_ci_u32, carry_op<sub, true, 0>},
    {Op::v_subrev_co_ci_u32, carry_op<subrev, true, 0>},
    {Op::v_mad_u64_u32, mad64<false>},
    {Op::v_mad_i64_i32, mad64<true>},
    {Op::v_lshlrev_b64, shift64<shl>},
    {Op::v_lshrrev_b64, shift64<shr>},
    {Op::v_ashrrev_i64, shift64<sar>},
    {Op::v_qsad_pk_u16_u8, qsad_pk_u16<false>},
    {Op::v_mqsad_pk_u16_u8, qsad_pk_u16<true>},
    {Op::v_mqsad_u32_u8, mqsad_u32},
};

}  // namespace

void add_valu_carry(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
