// SPDX-License-Identifier: MIT
// Internal to src/spirv/ops.
#pragma once
#include <span>

#include "spirv/reader_state.h"

namespace spalt::spirv {

/// Matrices that a vector is multiplied by one after the other.
class MatrixChain {
 public:
  std::span<const uint32_t> ids() const& { return {ids_, count_}; }
  std::span<const uint32_t> ids() const&& = delete;  ///< they lie in here
  void add(uint32_t id) { ids_[count_++] = id; }

  static constexpr uint32_t kMost = 8;

 private:
  uint32_t ids_[kMost] = {};
  uint32_t count_ = 0;
};

/// Of OpMatrixTimesVector or OpVectorTimesMatrix `in`, whose operands have been checked: the matrices in the order in
/// which they reach the vector. That is one, unless the matrix is a product that can be left out.
MatrixChain matrix_chain(const Reader& r, const Instruction& in);

}  // namespace spalt::spirv
