// SPDX-License-Identifier: MIT
// Helper invocations: fragments that run for the sake of their neighbours' derivatives only.
#include "spirv/io/io.h"

namespace spalt::spirv {
namespace {

void demote(Reader& r) {
  const ir::Value operands[] = {r.b.boolean(true)};
  r.b.insert(ir::Op::demote, ir::kVoid, operands, 0, 0);
}

}  // namespace

bool expect_fragment(Reader& r) {
  return r.options.stage == ir::ShaderStage::fragment || r.fail("expected a fragment shader");
}

bool translate_kill(Reader& r) {
  if (!expect_fragment(r)) return false;
  demote(r);
  Frame& entry = r.frames.front();
  if (!entry.return_block.valid()) entry.return_block = r.function().create_block();
  r.b.branch(entry.return_block);
  return true;
}

bool translate_demote(Reader& r, const Instruction&) {
  if (!expect_fragment(r)) return false;
  demote(r);
  return true;
}

bool translate_is_helper(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  if (!expect_fragment(r) || !r.has_words(in, 3) || !r.result_vector_type(in, ir::Scalar::i1, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, r.b.insert(ir::Op::is_helper, ir::kBool, {}, 0, 0));
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
