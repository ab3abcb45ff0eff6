// SPDX-License-Identifier: MIT
// Reductions and scans of a subgroup, of clusters of it, and of parts that a ballot names
// (SPV_NV_shader_subgroup_partitioned).
#include "ir/scan.h"

#include <bit>
#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"
#include "spirv/ops/subgroup.h"

namespace spalt::spirv {

using ir::Builder;
using ir::Op;
using ir::ScanForm;
using ir::ScanKind;
using ir::Value;

namespace {

constexpr uint32_t kLargestSubgroup = 128;

struct Combination {
  Op op = Op::iadd;
  ScalarSet scalars = kAnyInteger;
};

Combination combination_of(uint32_t opcode) {
  switch (opcode) {
    case spv::OpGroupNonUniformFAdd:
    case spv::OpGroupFAdd:
    case spv::OpGroupFAddNonUniformAMD:
      return {Op::fadd, kAnyFloat};
    case spv::OpGroupNonUniformIMul:
      return {Op::imul, kAnyInteger};
    case spv::OpGroupNonUniformFMul:
      return {Op::fmul, kAnyFloat};
    case spv::OpGroupNonUniformSMin:
    case spv::OpGroupSMin:
    case spv::OpGroupSMinNonUniformAMD:
      return {Op::smin, kAnyInteger};
    case spv::OpGroupNonUniformUMin:
    case spv::OpGroupUMin:
    case spv::OpGroupUMinNonUniformAMD:
      return {Op::umin, kAnyInteger};
    case spv::OpGroupNonUniformFMin:
    case spv::OpGroupFMin:
    case spv::OpGroupFMinNonUniformAMD:
      return {Op::fmin, kAnyFloat};
    case spv::OpGroupNonUniformSMax:
    case spv::OpGroupSMax:
    case spv::OpGroupSMaxNonUniformAMD:
      return {Op::smax, kAnyInteger};
    case spv::OpGroupNonUniformUMax:
    case spv::OpGroupUMax:
    case spv::OpGroupUMaxNonUniformAMD:
      return {Op::umax, kAnyInteger};
    case spv::OpGroupNonUniformFMax:
    case spv::OpGroupFMax:
    case spv::OpGroupFMaxNonUniformAMD:
      return {Op::fmax, kAnyFloat};
    case spv::OpGroupNonUniformBitwiseAnd:
      return {Op::iand, kAnyInteger};
    case spv::OpGroupNonUniformBitwiseOr:
      return {Op::ior, kAnyInteger};
    case spv::OpGroupNonUniformBitwiseXor:
      return {Op::ixor, kAnyInteger};
    case spv::OpGroupNonUniformLogicalAnd:
      return {Op::iand, ir::Scalar::i1};
    case spv::OpGroupNonUniformLogicalOr:
      return {Op::ior, ir::Scalar::i1};
    case spv::OpGroupNonUniformLogicalXor:
      return {Op::ixor, ir::Scalar::i1};
    default:
      return {Op::iadd, kAnyInteger};
  }
}

/// What an operation combines, and whose values.
struct Scan {
  ScanForm form;
  bool in_part = false;
  Value part_low, part_high;  ///< the own part
};

/// Operations on parts of a subgroup name the own one by a ballot.
bool read_part(Reader& r, uint32_t id, Scan& scan) {
  Leaves words;
  if (!r.vector_value(id, ir::Scalar::i32, 4, words)) return false;
  scan.in_part = true;
  scan.part_low = r.leaf(words, 0);
  scan.part_high = second_word(r, r.leaf(words, 1));
  return true;
}

/// Clusters as large as any subgroup are the whole.
bool read_cluster(Reader& r, uint32_t id, Scan& scan) {
  uint32_t cluster = 0;
  if (!r.constant_u32(id, cluster)) return false;
  if (!std::has_single_bit(cluster)) return r.fail("expected a cluster size that is a power of two");
  if (cluster < kLargestSubgroup) scan.form.cluster = static_cast<uint8_t>(cluster);
  scan.form.kind = cluster < kLargestSubgroup ? ScanKind::cluster : ScanKind::reduce;
  return true;
}

/// Of the word `first`, which names the operation, the value and what comes after it.
bool read_operation(Reader& r, const Instruction& in, uint32_t first, Scan& scan) {
  switch (in[first]) {
    case spv::GroupOperationReduce:
    case spv::GroupOperationPartitionedReduceNV:
      scan.form.kind = ScanKind::reduce;
      break;
    case spv::GroupOperationInclusiveScan:
    case spv::GroupOperationPartitionedInclusiveScanNV:
      scan.form.kind = ScanKind::inclusive;
      break;
    case spv::GroupOperationExclusiveScan:
    case spv::GroupOperationPartitionedExclusiveScanNV:
      scan.form.kind = ScanKind::exclusive;
      break;
    case spv::GroupOperationClusteredReduce:
      return r.has_words(in, first + 3) && read_cluster(r, in[first + 2], scan);
    default:
      return r.unsupported("this group operation");
  }
  if (in[first] < spv::GroupOperationPartitionedReduceNV) return true;
  return r.has_words(in, first + 3) && read_part(r, in[first + 2], scan);
}

Value emit_scan(Builder& b, const Scan& scan, Value value) {
  const ir::Type type = b.function().type(value);
  const Value member = b.boolean(true);
  if (!scan.in_part) return b.emit(Op::scan, type, {value, member}, scan.form.pack());
  return b.emit(Op::scan_part, type, {value, member, scan.part_low, scan.part_high}, scan.form.pack());
}

/// What the whole subgroup has of a condition is a vote.
Value reduce_condition(Builder& b, Op combine, Value condition) {
  if (combine == Op::ior) return b.unary(Op::any_lane, condition);
  if (combine == Op::iand) return b.unary(Op::inot, b.unary(Op::any_lane, b.unary(Op::inot, condition)));
  const Value low = b.emit(Op::ballot, ir::kI32, {condition}, 0), high = b.emit(Op::ballot, ir::kI32, {condition}, 1);
  const Value count = b.unary(Op::bit_count, b.ixor(low, high));
  return b.binary(Op::ine, b.iand(count, b.i32(1)), b.i32(0));
}

/// Other scans of a condition are those of a number that is 0 or 1.
Value scan_condition(Builder& b, const Scan& scan, Value condition) {
  if (!scan.in_part && scan.form.kind == ScanKind::reduce) return reduce_condition(b, scan.form.combine, condition);
  const Value scanned = emit_scan(b, scan, b.select(condition, b.i32(1), b.i32(0)));
  return b.binary(Op::ine, scanned, b.i32(0));
}

}  // namespace

bool translate_scan(Reader& r, const Instruction& in) {
  uint32_t type = 0, first = 0;
  Leaves value;
  Scan scan;
  const Combination combination = combination_of(in.opcode);
  if (!skip_scope(r, in, 2, first) || !r.result_vector_type(in, combination.scalars, type)) return false;
  scan.form.combine = combination.op;
  if (!r.typed_value(in[first + 1], type, value) || !read_operation(r, in, first, scan)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    const Value leaf = r.leaf(value, i);
    const bool condition = r.b.function().type(leaf).is_bool();
    r.set_leaf(out, i, condition ? scan_condition(r.b, scan, leaf) : emit_scan(r.b, scan, leaf));
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
