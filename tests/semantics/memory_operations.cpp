// SPDX-License-Identifier: MIT
// Atomic operations as the guides write them (RDNA 2 ISA guide, 12.17 "MUBUF" and 12.13 "LDS & GDS"; RDNA 4 for the
// late ones).
#include "memory_operations.h"

#include <algorithm>
#include <stdexcept>

namespace spalt::semantics {
namespace {

uint64_t cut(uint64_t value, unsigned bytes) {
  return bytes == 8 ? value : value & 0xffffffffu;
}
int64_t signed_value(uint64_t value, unsigned bytes) {
  return bytes == 8 ? static_cast<int64_t>(value) : static_cast<int32_t>(static_cast<uint32_t>(value));
}

uint64_t swap(uint64_t, uint64_t data, uint64_t, unsigned) {
  return data;
}
uint64_t cmpswap(uint64_t old, uint64_t data, uint64_t second, unsigned) {
  return old == second ? data : old;
}
uint64_t integer_add(uint64_t old, uint64_t data, uint64_t, unsigned bytes) {
  return cut(old + data, bytes);
}
uint64_t sub(uint64_t old, uint64_t data, uint64_t, unsigned bytes) {
  return cut(old - data, bytes);
}
uint64_t csub(uint64_t old, uint64_t data, uint64_t, unsigned) {
  return old < data ? 0 : old - data;
}
uint64_t cond_sub(uint64_t old, uint64_t data, uint64_t, unsigned) {
  return old >= data ? old - data : old;
}
uint64_t smin(uint64_t old, uint64_t data, uint64_t, unsigned bytes) {
  return signed_value(data, bytes) < signed_value(old, bytes) ? data : old;
}
uint64_t umin(uint64_t old, uint64_t data, uint64_t, unsigned) {
  return data < old ? data : old;
}
uint64_t smax(uint64_t old, uint64_t data, uint64_t, unsigned bytes) {
  return signed_value(data, bytes) > signed_value(old, bytes) ? data : old;
}
uint64_t umax(uint64_t old, uint64_t data, uint64_t, unsigned) {
  return data > old ? data : old;
}
uint64_t bit_and(uint64_t old, uint64_t data, uint64_t, unsigned) {
  return old & data;
}
uint64_t bit_or(uint64_t old, uint64_t data, uint64_t, unsigned) {
  return old | data;
}
uint64_t bit_xor(uint64_t old, uint64_t data, uint64_t, unsigned) {
  return old ^ data;
}
uint64_t inc(uint64_t old, uint64_t data, uint64_t, unsigned) {
  return old >= data ? 0 : old + 1;
}
uint64_t dec(uint64_t old, uint64_t data, uint64_t, unsigned) {
  return old == 0 || old > data ? data : old - 1;
}

Order order_of(uint64_t a, uint64_t b, unsigned bytes) {
  return compare(from_bits(a, float_format(bytes)), from_bits(b, float_format(bytes)));
}
uint64_t fcmpswap(uint64_t old, uint64_t data, uint64_t second, unsigned bytes) {
  return order_of(old, second, bytes) == Order::equal ? data : old;
}
/// A NaN gives way to a number; the guides' comparison alone would keep one that memory holds (docs/isa-errata.md).
uint64_t chosen(uint64_t old, uint64_t data, unsigned bytes, Order wanted) {
  if (float_format(bytes).is_nan(old) && !float_format(bytes).is_nan(data)) return data;
  return order_of(data, old, bytes) == wanted ? data : old;
}
uint64_t fmin(uint64_t old, uint64_t data, uint64_t, unsigned bytes) {
  return chosen(old, data, bytes, Order::less);
}
uint64_t fmax(uint64_t old, uint64_t data, uint64_t, unsigned bytes) {
  return chosen(old, data, bytes, Order::greater);
}

}  // namespace

const FloatFormat& float_format(unsigned bytes) {
  return bytes == 8 ? kF64 : kF32;
}

uint64_t atomic_rsub(uint64_t old, uint64_t data, uint64_t, unsigned bytes) {
  return cut(data - old, bytes);
}
uint64_t atomic_mskor(uint64_t old, uint64_t data, uint64_t second, unsigned) {
  return (old & ~data) | second;
}
uint64_t atomic_wrap(uint64_t old, uint64_t data, uint64_t second, unsigned bytes) {
  return old >= data ? cut(old - data, bytes) : cut(old + second, bytes);
}
namespace {

/// RDNA 4 guide, section 13.3, "Float Add rules". Which NaN is the first is not written down; that of memory here.
uint64_t sum(uint64_t old, uint64_t data, const FloatFormat& format) {
  if (format.is_nan(old)) return old | format.quiet_bit();
  if (format.is_nan(data)) return data | format.quiet_bit();
  if (format.magnitude(old) == format.infinity() && (old ^ data) == format.sign_bit()) {
    return format.sign_bit() | format.infinity() | format.quiet_bit();
  }
  const Real exact = add(from_bits(old, format), from_bits(data, format), Rounding::nearest_even);
  return to_bits(exact, format, Rounding::nearest_even);
}

uint64_t sum_of_halves(uint64_t old, uint64_t data, const FloatFormat& format) {
  return sum(old & 0xffff, data & 0xffff, format) | sum(old >> 16 & 0xffff, data >> 16 & 0xffff, format) << 16;
}

}  // namespace

uint64_t atomic_fadd(uint64_t old, uint64_t data, uint64_t, unsigned bytes) {
  return sum(old, data, float_format(bytes));
}
uint64_t atomic_pk_add_f16(uint64_t old, uint64_t data, uint64_t, unsigned) {
  return sum_of_halves(old, data, kF16);
}
uint64_t atomic_pk_add_bf16(uint64_t old, uint64_t data, uint64_t, unsigned) {
  return sum_of_halves(old, data, kBfloat16);
}

const std::vector<AtomicOperation>& atomic_operations() {
  static const std::vector<AtomicOperation> all = {
      {"swap", swap},
      {"cmpswap", cmpswap, true},
      {"add", integer_add},
      {"sub", sub},
      {"smin", smin},
      {"umin", umin},
      {"smax", smax},
      {"umax", umax},
      {"and", bit_and},
      {"or", bit_or},
      {"xor", bit_xor},
      {"inc", inc},
      {"dec", dec},
      {"fcmpswap", fcmpswap, true, true},
      {"fmin", fmin, false, true},
      {"fmax", fmax, false, true},
  };
  return all;
}

const std::vector<AtomicOperation>& single_atomic_operations() {
  static const std::vector<AtomicOperation> all = {{"csub", csub},
                                                   {"cond_sub_u32", cond_sub},
                                                   {"add_f32", atomic_fadd, false, true},
                                                   {"pk_add_f16", atomic_pk_add_f16, false, true},
                                                   {"pk_add_bf16", atomic_pk_add_bf16, false, true}};
  return all;
}

AtomicFunction atomic_function(const std::string& name) {
  for (const auto* list : {&atomic_operations(), &single_atomic_operations()}) {
    for (const AtomicOperation& operation : *list) {
      if (operation.name == name) return operation.apply;
    }
  }
  throw std::logic_error("no atomic operation " + name);
}

uint64_t sample_atomic(std::mt19937& random, unsigned bytes) {
  static constexpr uint32_t kCorners[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe};
  // Zeros, ones, denormals and their neighbours, infinities and NaN, in the high dword of a double and in a float.
  static constexpr uint32_t kFloats[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00400000,
                                         0x80000001, 0x00800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                         0x7f7fffff, 0x3f800001, 0x40490fdb};
  static constexpr uint32_t kDoubles[] = {0x3ff00000, 0xbff00000, 0x7ff00000, 0xfff00000,
                                          0x7ff80000, 0x00080000, 0x7fefffff};
  // The same in halves, of either kind.
  static constexpr uint32_t kHalves[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x0001, 0x83ff, 0x0400,
                                         0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x7bff, 0xfbff, 0x3f80,
                                         0xbf80, 0x7f80, 0xff80, 0x7fc0, 0x7f7f, 0x0040};
  const auto half = [&] { return kHalves[random() % std::size(kHalves)]; };
  const auto corner = [&] { return uint64_t{kCorners[random() % std::size(kCorners)]}; };
  switch (random() % 5) {
    case 4:
      return half() | half() << 16 | (bytes == 4 ? 0 : static_cast<uint64_t>(random()) << 32);
    case 0:
      return bytes == 4 ? corner() : corner() << 32 | corner();
    case 1:
      return bytes == 4 ? kFloats[random() % std::size(kFloats)]
                        : uint64_t{kDoubles[random() % std::size(kDoubles)]} << 32 | random() % 2;
    default:
      return bytes == 4 ? random() : static_cast<uint64_t>(random()) << 32 | random();
  }
}

}  // namespace spalt::semantics
