// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <functional>
#include <random>

#include "amdgpu/isa/inst.h"
#include "proof.h"

namespace spalt::semantics {

/// What a vector instruction sees in one lane.
struct Lane {
  /// Sources after their modifiers, in the low bits as wide as their slots; what stands above is not defined.
  uint64_t a = 0, b = 0, c = 0;
  uint64_t c_high = 0;  ///< bits 127:64 of source 2
  uint64_t old = 0;     ///< bits of the destination that the result replaces
  bool mask = false;    ///< the lane's bit of the mask that is a source, or of vcc
  bool clamp = false;
  unsigned lane = 0, wave_size = 64;
  uint32_t mode = 0;
  const isa::Inst* inst = nullptr;
  const isa::Target* target = nullptr;
};

/// What it makes of it.
struct Result {
  uint64_t value = 0;
  uint64_t high = 0;         ///< bits 127:64
  bool bit = false;          ///< of the mask that is a result
  bool unknown = false;      ///< the guides leave the value open
  bool unknown_bit = false;  ///< and that bit
  uint64_t exact = 0;        ///< bits of the value that no Match forgives
};

enum class Match : uint8_t {
  exact,
  any_nan,  ///< where a NaN is expected any NaN will do
  ulps      ///< as any_nan, and results may be off by Row::ulps
};

/// One opcode and what it computes, written from the ISA guides.
struct Row {
  Opcode opcode;
  std::function<Result(const Lane&)> reference;
  Match match = Match::exact;
  unsigned ulps = 0;
  bool packed = false;  ///< the reference is that of one 16-bit half
  /// Values for a source instead of those that its type gets.
  std::function<uint64_t(unsigned source, std::mt19937& random)> inputs = nullptr;
  /// Likewise for the destination, where it is read.
  std::function<uint64_t(std::mt19937& random)> old_input = nullptr;
  unsigned result_bits = 0;     ///< where the result is narrower than its slot: 16
  bool into_high_half = false;  ///< it goes to bits 31:16
};

/// The proof of a row: in every encoding of the opcode, with every kind of operand and modifier that it takes.
Proof vector_proof(Row row);

template <class Rows>
void add_vector_rows(Proofs& proofs, Rows&& rows) {
  for (const Row& row : rows) proofs.push_back(vector_proof(row));
}

// ---- shapes of references on integers ----

template <class F>
Row unary(Opcode opcode, F function) {
  return {opcode, [function](const Lane& in) { return Result{static_cast<uint64_t>(function(in.a))}; }};
}
template <class F>
Row binary(Opcode opcode, F function) {
  return {opcode, [function](const Lane& in) { return Result{static_cast<uint64_t>(function(in.a, in.b))}; }};
}
template <class F>
Row ternary(Opcode opcode, F function) {
  return {opcode, [function](const Lane& in) { return Result{static_cast<uint64_t>(function(in.a, in.b, in.c))}; }};
}

}  // namespace spalt::semantics
