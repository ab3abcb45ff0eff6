// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "real.h"

namespace spalt::semantics {

/// What an atomic operation makes of memory: `old` there, `data` and `second` from the instruction. All values have
/// `bytes` bytes.
using AtomicFunction = uint64_t (*)(uint64_t old, uint64_t data, uint64_t second, unsigned bytes);

struct AtomicOperation {
  const char* name;  ///< as in global_atomic_NAME
  AtomicFunction apply;
  bool has_second = false;  ///< a second value follows the first
  bool is_float = false;
};

/// Those of the vector and scalar memory instructions that exist with 4 and, with "_x2" after the name, 8 bytes.
const std::vector<AtomicOperation>& atomic_operations();
/// The others, with 4 bytes.
const std::vector<AtomicOperation>& single_atomic_operations();

const FloatFormat& float_format(unsigned bytes);
constexpr FloatFormat kBfloat16{7, 8};

// Those that only LDS has, and the float ones, which it shares.
uint64_t atomic_rsub(uint64_t old, uint64_t data, uint64_t second, unsigned bytes);
uint64_t atomic_mskor(uint64_t old, uint64_t data, uint64_t second, unsigned bytes);
uint64_t atomic_wrap(uint64_t old, uint64_t data, uint64_t second, unsigned bytes);
uint64_t atomic_fadd(uint64_t old, uint64_t data, uint64_t second, unsigned bytes);
uint64_t atomic_pk_add_f16(uint64_t old, uint64_t data, uint64_t second, unsigned bytes);
uint64_t atomic_pk_add_bf16(uint64_t old, uint64_t data, uint64_t second, unsigned bytes);
AtomicFunction atomic_function(const std::string& name);

/// A value for an atomic: a corner, a float or random bits.
uint64_t sample_atomic(std::mt19937& random, unsigned bytes);

}  // namespace spalt::semantics
