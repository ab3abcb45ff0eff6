// SPDX-License-Identifier: MIT
// Random functions without lane operations compute the same for each invocation whatever number of invocations step
// together, and the same as one call per invocation.
#include <gtest/gtest.h>

#include <cstring>

#include "interp/interpreter.h"
#include "ir/verifier.h"
#include "random_function.h"
#include "run_pass.h"

namespace spalt {
namespace {

using ir::Op;
using ir::Value;

constexpr uint32_t kInvocations = 70;

/// Lets the entry point store what it returned, in binding 0 at its invocation.
void store_results(ir::Module& module) {
  ir::Function& f = module.functions[0];
  module.compute().workgroup_size = {kInvocations, 1, 1};
  module.bindings.push_back({});
  module.bindings[0].kind = ir::BindingKind::storage_buffer;
  f.return_type = ir::kVoid;
  ir::MemoryAccess access;
  access.storage = ir::StorageClass::storage;
  for (ir::BlockId id : f.layout()) {
    for (Value value : insts(f, id)) {
      ir::Inst& inst = f.inst(value);
      if (inst.op == Op::builtin && inst.imm == ir::builtin_imm(ir::BuiltIn::subgroup_invocation_id)) {
        inst.imm = ir::builtin_imm(ir::BuiltIn::local_invocation_index);
      }
    }
    const Value end = f.terminator(id);
    if (f.inst(end).op != Op::ret) continue;
    const auto add = [&](Op op, ir::Type type, std::initializer_list<Value> operands, uint64_t imm) {
      const Value value = f.create(op, type, std::span<const Value>(operands.begin(), operands.size()), imm);
      f.insert_before(end, value);
      return value;
    };
    const Value result = f.operand(end, 0);
    const Value index = add(Op::builtin, ir::kI32, {}, ir::builtin_imm(ir::BuiltIn::local_invocation_index));
    const Value at = add(Op::ishl, ir::kI32, {index, f.constant_i32(2)}, 0);
    const Value out = add(Op::resource, ir::kResource, {f.constant_i32(0)}, 0);
    add(Op::store, ir::kVoid, {out, at, result}, access.pack());
    f.set_operands(end, {});
  }
}

TEST(Lockstep, AnySubgroupSizeComputesTheSame) {
  for (uint64_t seed = 5000; seed < 5150; ++seed) {
    test::RandomFunctionOptions options;
    options.statements = 8 + static_cast<unsigned>(seed % 5) * 14;
    options.dynamic_scratch = seed % 3 == 0;
    const ir::Module scalar = test::random_module(seed, options);
    options.lane_values = true;
    ir::Module module = test::random_module(seed, options);
    store_results(module);
    if (seed % 2 == 0) test::run_pass("promote_scratch", module);
    const Result<void> verdict = ir::verify(module);
    ASSERT_TRUE(verdict.ok()) << "seed " << seed << ": " << verdict.error().message;
    std::vector<uint32_t> expected(kInvocations);
    for (uint32_t i = 0; i < kInvocations; ++i) {
      const uint64_t inputs[] = {0, i, 1};  // workgroup id, invocation, number of workgroups
      const Result<uint64_t> result = interp::call(scalar, scalar.functions[0], inputs);
      ASSERT_TRUE(result.ok()) << result.error().message;
      expected[i] = static_cast<uint32_t>(*result);
    }
    for (const uint32_t size : {1u, 4u, 32u, 64u, 128u}) {
      std::vector<uint8_t> memory(kInvocations * 4);
      interp::Dispatch dispatch;
      dispatch.buffers = {{0, 0, 0, memory}};
      dispatch.subgroup_size = size;
      const Result<void> result = interp::run(module, dispatch);
      ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.error().message;
      EXPECT_EQ(std::memcmp(memory.data(), expected.data(), memory.size()), 0) << "seed " << seed << ", size " << size;
    }
  }
}

}  // namespace
}  // namespace spalt
