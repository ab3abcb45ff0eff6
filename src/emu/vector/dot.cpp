// SPDX-License-Identifier: MIT
// Dot products: two, four or eight products of narrow numbers and a sum.
#include "base/bits.h"
#include "emu/vector/half_operands.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;
using U = uint32_t;

/// op_sel chooses the half of the first product, op_sel_hi that of the second (VOP3P with 16-bit parts).
U arranged(const Step& step, unsigned source, U value) {
  if (!step.packed) return value;
  const U low = (step.inst.mods.op_sel >> source & 1) != 0 ? value >> 16 : value & 0xffff;
  const U high = (step.inst.mods.op_sel_hi >> source & 1) != 0 ? value >> 16 : value & 0xffff;
  return low | high << 16;
}

// ---- integers ----

template <unsigned Bits>
int64_t element(U value, unsigned index, bool is_signed) {
  const uint64_t field = bits_of(value, index * Bits, Bits);
  return is_signed ? sign_extend(field, Bits) : static_cast<int64_t>(field);
}

template <unsigned Bits>
int64_t products(U a, bool a_signed, U b, bool b_signed) {
  int64_t sum = 0;
  for (unsigned i = 0; i < 32 / Bits; ++i) sum += element<Bits>(a, i, a_signed) * element<Bits>(b, i, b_signed);
  return sum;
}

U signed_sum(int64_t sum, U c, bool clamp) {
  sum += static_cast<int32_t>(c);
  return static_cast<U>(clamp ? std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX) : sum);
}
U unsigned_sum(int64_t sum, U c, bool clamp) {
  sum += c;
  return static_cast<U>(clamp ? std::min<int64_t>(sum, 0xffffffff) : sum);
}

template <unsigned Bits, bool Signed, bool Accumulate>
void dot_int(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const U* a = wave.fetch32(step, 0, ta);
  const U* b = wave.fetch32(step, 1, tb);
  const U* c = Accumulate ? wave.vgpr(step.dst) : wave.fetch32(step, 2, tc);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const U x = Bits == 16 ? arranged(step, 0, a[i]) : a[i], y = Bits == 16 ? arranged(step, 1, b[i]) : b[i];
    const int64_t sum = products<Bits>(x, Signed, y, Signed);
    out.lane[i] = Signed ? signed_sum(sum, c[i], step.clamp) : unsigned_sum(sum, c[i], step.clamp);
  }
  wave.write32(step, out.lane);
}

/// Each factor has a sign of its own: neg_lo bit i says that source i is signed. The sum is signed.
template <unsigned Bits>
void dot_mixed_signs(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, tc, out;
  const U* a = wave.fetch32(step, 0, ta);
  const U* b = wave.fetch32(step, 1, tb);
  const U* c = wave.fetch32(step, 2, tc);
  const bool a_signed = (step.inst.mods.neg & 1) != 0, b_signed = (step.inst.mods.neg & 2) != 0;
  for (unsigned i = 0; i < wave.size(); ++i) {
    out.lane[i] = signed_sum(products<Bits>(a[i], a_signed, b[i], b_signed), c[i], step.clamp);
  }
  wave.write32(step, out.lane);
}

// ---- floats: the exact sum rounds once ----

constexpr auto half_at = [](U value, unsigned shift) { return double{half_to_float(value >> shift & 0xffff)}; };
/// A bfloat is the upper half of a float.
constexpr auto bfloat_at = [](U value, unsigned shift) { return double{as_float(value >> shift << 16)}; };

/// The products of both halves. In VOP3P, neg and abs are the signs of the low and the high half. In VOP3 both halves
/// have the same; fetch32 has done the upper one.
template <auto At>
class Products {
 public:
  Products(Wave& wave, const Step& step) : a_(wave, step, 0), b_(wave, step, 1) {}
  double sum(unsigned lane, double addend) const {
    const U x = a_.at(lane), y = b_.at(lane);
    const double x0 = At(x, 0), x1 = At(x, 16), y0 = At(y, 0), y1 = At(y, 16);
    const double sum = add_to_odd(x0 * y0 + x1 * y1, addend);
    return makes_nan(sum, x0, x1, y0, y1, addend) ? as_double(kQuietNan64) : sum;
  }

 private:
  class Factor {
   public:
    Factor(Wave& wave, const Step& step, unsigned index)
        : step_(step), index_(index), lanes_(wave.fetch32(step, index, buffer_)) {
      const isa::Modifiers& mods = step.inst.mods;
      const bool neg = (mods.neg >> index & 1) != 0, other = (mods.abs >> index & 1) != 0;
      flip_ = (neg ? 0x8000u : 0u) | (step.packed && other ? 0x80000000u : 0u);
      keep_ = !step.packed && other ? ~0x8000u : ~0u;
    }
    U at(unsigned lane) const { return (arranged(step_, index_, lanes_[lane]) & keep_) ^ flip_; }

   private:
    const Step& step_;
    unsigned index_;
    LaneBuffer buffer_;
    const U* lanes_;
    U keep_, flip_;
  };
  Factor a_, b_;
};

template <auto At, bool Accumulate>
void dot2_f32(Wave& wave, const Step& step) {
  LaneBuffer tc, out;
  const Products<At> terms(wave, step);
  const U* c = Accumulate ? wave.vgpr(step.dst) : wave.fetch32(step, 2, tc);
  const U flip = (step.inst.mods.neg & 4) != 0 ? 0x80000000u : 0u;
  for (unsigned i = 0; i < wave.size(); ++i) {
    out.lane[i] = as_bits(static_cast<float>(terms.sum(i, double{as_float(c[i] ^ flip)})));
  }
  finish_f32(wave, step, out);
  wave.write32(step, out.lane);
}

void dot2_f16(Wave& wave, const Step& step) {
  LaneBuffer tc, out;
  const Products<half_at> terms(wave, step);
  const U* c = wave.fetch32(step, 2, tc);
  const F16Context context(wave, step);
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = context.output(terms.sum(i, context.input(c[i])));
  wave.write16(step, out.lane);
}

/// Nearest even; a NaN stays one.
U float_to_bfloat(float value) {
  const U bits = as_bits(value);
  if (value != value) return bits >> 16 | 0x40u;
  return (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
}

void dot2_bf16(Wave& wave, const Step& step) {
  LaneBuffer tc, out;
  const Products<bfloat_at> terms(wave, step);
  const U* c = wave.fetch32(step, 2, tc);
  for (unsigned i = 0; i < wave.size(); ++i) {
    out.lane[i] = float_to_bfloat(static_cast<float>(terms.sum(i, bfloat_at(c[i], 0))));
  }
  wave.write16(step, out.lane);
}

constexpr HandlerRow kRows[] = {
    {Op::v_dot2_f32_f16, dot2_f32<half_at, false>},
    {Op::v_dot2c_f32_f16, dot2_f32<half_at, true>},
    {Op::v_dot2_f32_bf16, dot2_f32<bfloat_at, false>},
    {Op::v_dot2_f16_f16, dot2_f16},
    {Op::v_dot2_bf16_bf16, dot2_bf16},
    {Op::v_dot2_i32_i16, dot_int<16, true, false>},
    {Op::v_dot2_u32_u16, dot_int<16, false, false>},
    {Op::v_dot4_i32_i8, dot_int<8, true, false>},
    {Op::v_dot4_u32_u8, dot_int<8, false, false>},
    {Op::v_dot8_i32_i4, dot_int<4, true, false>},
    {Op::v_dot8_u32_u4, dot_int<4, false, false>},
    {Op::v_dot4c_i32_i8, dot_int<8, true, true>},
    {Op::v_dot4_i32_iu8, dot_mixed_signs<8>},
    {Op::v_dot8_i32_iu4, dot_mixed_signs<4>},
};

}  // namespace

void add_valu_dot(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
