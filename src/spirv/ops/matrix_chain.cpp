// SPDX-License-Identifier: MIT
// The order of products. GLSL reads `projection * view * model * position` from the left: two products of matrices
// (128 multiplications for 4x4) before the vector is reached. (A * B) * v is A * (B * v) for real numbers, which SPIR-V
// allows where operations are not NoContraction, and needs 48 multiplications where that order needs 144.
//
// A product of matrices is taken apart where its uses are products in its own block and that makes fewer
// multiplications. It stays if anything else wants it, since it is computed then. What Invariant outputs are made of
// may not be reordered (flow/invariance.cpp).
//
// Cost: for each such operand up to kWindow instructions after it.
#include "spirv/ops/matrix_chain.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "spirv/module/fast_math.h"

namespace spalt::spirv {
namespace {

/// Uses are looked for in so many instructions after the product. One further away costs a product, no more.
constexpr uint32_t kWindow = 64;

/// How often the instructions after `product`, up to the end of its block, multiply by it; zero when one does anything
/// else with it. A literal that looks like its id is taken for a use.
uint32_t products_with(const Reader& r, const Instruction& product) {
  const uint32_t id = product[2];
  const uint32_t end = r.blocks[r.block].terminator;
  uint32_t word = product.offset + product.count, found = 0;
  for (uint32_t i = 0; i < kWindow && word < end; ++i) {
    const Instruction in = r.instruction_at(word);
    word += in.count;
    const auto uses = static_cast<uint32_t>(std::count(in.words + 1, in.words + in.count, id));
    if (uses == 0) continue;
    const bool multiplies = in.opcode == spv::OpMatrixTimesVector || in.opcode == spv::OpVectorTimesMatrix ||
                            in.opcode == spv::OpMatrixTimesMatrix;
    if (!multiplies || uses > 1) return 0;
    ++found;
  }
  return found;
}

bool saves_multiplications(const Reader& r, const Instruction& product, uint32_t uses) {
  const TypeInfo& left = r.types[r.ids[product[3]].type];
  const TypeInfo& right = r.types[r.ids[product[4]].type];
  const uint32_t rows = left.leaves / left.count, inner = left.count, columns = right.count;
  const uint32_t whole = rows * inner * columns + uses * rows * columns;
  return uses * inner * (rows + columns) < whole;
}

/// `id` is a matrix that is defined before `in`.
bool can_leave_out(const Reader& r, const Instruction& in, uint32_t id) {
  const uint32_t word = r.ids[id].word;
  if (word < r.blocks[r.block].first_word || word >= in.offset) return false;
  const Instruction product = r.instruction_at(word);
  if (product.opcode != spv::OpMatrixTimesMatrix) return false;
  if (instruction_flags(r, id) != instruction_flags(r, in[2])) return false;
  const uint32_t uses = products_with(r, product);
  return uses != 0 && saves_multiplications(r, product, uses);
}

bool may_reorder(const Reader& r, const Instruction& in) {
  const ir::Type type{r.types[r.ids[in[2]].type].scalar};
  constexpr uint16_t kFreedoms = ir::kAllowReassociation | ir::kAllowTransformation | ir::kNoNaN | ir::kNoInf;
  return r.b.may(type, kFreedoms);
}

}  // namespace

MatrixChain matrix_chain(const Reader& r, const Instruction& in) {
  MatrixChain chain;
  const bool vector_is_right = in.opcode == spv::OpMatrixTimesVector;
  const bool reorders = may_reorder(r, in);
  uint32_t pending[MatrixChain::kMost] = {vector_is_right ? in[3] : in[4]};
  for (uint32_t count = 1; count > 0;) {
    const uint32_t id = pending[--count];
    const bool has_room = chain.ids().size() + count + 2 <= MatrixChain::kMost;
    if (!reorders || !has_room || !can_leave_out(r, in, id)) {
      chain.add(id);
      continue;
    }
    const Instruction product = r.instruction_at(r.ids[id].word);
    pending[count++] = vector_is_right ? product[3] : product[4];
    pending[count++] = vector_is_right ? product[4] : product[3];
  }
  return chain;
}

}  // namespace spalt::spirv
