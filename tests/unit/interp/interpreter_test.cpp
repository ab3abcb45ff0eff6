// SPDX-License-Identifier: MIT
// Interface, limits and misuse. What programs compute is in tests/golden/interp.
#include "interp/interpreter.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "ir/parser.h"

namespace spalt::interp {
namespace {

ir::Module parsed(std::string_view text) {
  Result<ir::Module> module = ir::parse(text);
  EXPECT_TRUE(module.ok()) << (module ? "" : module.error().message);
  return module ? std::move(*module) : ir::Module();
}

constexpr std::string_view kScale = R"(
workgroup_size 16, 1, 1
push_constant_bytes 4
binding 1, 2, storage
func @main() {
b0:
  %i: i32 = builtin global_invocation_id.x
  %at: i32 = ishl %i, 2
  %b: resource = resource 0, 0
  %v: i32 = load.storage %b, %at, align 4
  %k: i32 = load.push 0, align 4
  %r: i32 = imul %v, %k
  store.storage %b, %at, %r, align 4
  ret
})";

std::vector<uint8_t> bytes_of(const std::vector<uint32_t>& values) {
  std::vector<uint8_t> bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(Interpreter, WritesBuffersInPlace) {
  const ir::Module module = parsed(kScale);
  std::vector<uint32_t> values(48);
  for (uint32_t i = 0; i < 48; ++i) values[i] = i;
  std::vector<uint8_t> memory = bytes_of(values), push = bytes_of({3});
  Dispatch dispatch;
  dispatch.groups = {3, 1, 1};
  dispatch.push_constants = push;
  dispatch.buffers = {{1, 2, 0, memory}, {9, 9, 0, push}};  // the second one is unused by the shader
  const Result<void> result = run(module, dispatch);
  ASSERT_TRUE(result.ok()) << result.error().message;
  for (uint32_t i = 0; i < 48; ++i) values[i] = 3 * i;
  EXPECT_EQ(memory, bytes_of(values));
}

TEST(Interpreter, ShortPushConstantsAreReported) {
  const ir::Module module = parsed(kScale);
  std::vector<uint8_t> memory(64);
  Dispatch dispatch;
  dispatch.buffers = {{1, 2, 0, memory}};
  const Result<void> result = run(module, dispatch);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("push memory that has 0"), std::string::npos) << result.error().message;
}

TEST(Interpreter, EmptyDispatchDoesNothing) {
  const ir::Module module = parsed(kScale);
  Dispatch dispatch;
  dispatch.groups = {0, 5, 5};
  EXPECT_TRUE(run(module, dispatch).ok());
}

TEST(Interpreter, StepLimit) {
  const ir::Module module = parsed("func @main() {\nb0:\n  branch b1\nb1: loop continue b1\n  branch b1\n}\n");
  Limits limits;
  limits.steps = 1000;
  const Result<void> result = run(module, Dispatch(), limits);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().status, Status::limit_exceeded);
}

TEST(Interpreter, StepsAreSharedByAllWorkgroups) {
  const ir::Module module = parsed("func @main() {\nb0:\n  %0: i32 = iadd 1, 2\n  ret\n}\n");
  Limits limits;
  limits.steps = 20;
  Dispatch dispatch;
  dispatch.groups = {10, 1, 1};
  EXPECT_TRUE(run(module, dispatch, limits).ok());
  dispatch.groups = {11, 1, 1};
  EXPECT_FALSE(run(module, dispatch, limits).ok());
}

/// Endless loops of one lane end, too, while others wait for it.
TEST(Interpreter, StepLimitUnderDivergence) {
  const ir::Module module = parsed(R"(
workgroup_size 100, 1, 1
func @main() {
b0: merge b2
  %i: i32 = builtin local_invocation_index
  %seven: i1 = ieq %i, 7
  branch_if %seven, b1, b2
b1: loop continue b1
  branch b1
b2:
  control_barrier shared, scope workgroup, order acq_rel
  ret
})");
  for (const uint32_t size : {1u, 8u, 64u, 128u}) {
    Limits limits;
    limits.steps = 1'000'000;
    Dispatch dispatch;
    dispatch.subgroup_size = size;
    const Result<void> result = run(module, dispatch, limits);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().status, Status::limit_exceeded);
    EXPECT_NE(result.error().message.find("invocation 7:"), std::string::npos) << result.error().message;
  }
}

TEST(Interpreter, MemoryAndInvocationLimits) {
  ir::Module module = parsed("func @main() {\nb0:\n  control_barrier\n  ret\n}\n");
  module.scratch_bytes = 0xffffffff;
  module.compute().workgroup_size = {64, 1, 1};
  const Result<void> too_much_memory = run(module, Dispatch());
  ASSERT_FALSE(too_much_memory.ok());
  EXPECT_EQ(too_much_memory.error().status, Status::limit_exceeded);
  module.scratch_bytes = 0;
  module.compute().workgroup_size = {0xffffffff, 0xffffffff, 0xffffffff};
  const Result<void> too_many = run(module, Dispatch());
  ASSERT_FALSE(too_many.ok());
  EXPECT_EQ(too_many.error().status, Status::limit_exceeded);
}

TEST(Interpreter, RefusesInvalidModules) {
  ir::Module module = parsed(kScale);
  module.bindings.clear();
  EXPECT_FALSE(run(module, Dispatch()).ok());
  EXPECT_FALSE(run(ir::Module(), Dispatch()).ok());
}

TEST(Interpreter, LoweredModulesAreUnsupportedButTheirFunctionsMayRun) {
  const ir::Module module = parsed(
      "stage lowered\narg \"x\", sgpr 0\n"
      "func @main() {\nb0:\n  %0: i32 = arg 0\n  ret\n}\n"
      "func @turn(%x: f32) -> f32 {\nb0:\n  %0: f32 = fsin_turns %x\n  ret %0\n}\n");
  const Result<void> result = run(module, Dispatch());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().status, Status::unsupported);
  EXPECT_EQ(call(module, module.functions[0], {}).error().status, Status::unsupported);
  const uint64_t quarter[] = {0x3e800000};
  const Result<uint64_t> sine = call(module, module.functions[1], quarter);
  ASSERT_TRUE(sine.ok()) << sine.error().message;
  EXPECT_EQ(*sine, 0x3f800000u);
}

TEST(Interpreter, CallChecksItsArguments) {
  const ir::Module module = parsed("func @f(%x: i32) -> i32 {\nb0:\n  ret %x\n}\n");
  const uint64_t two[] = {1, 2};
  EXPECT_FALSE(call(module, module.functions[0], two).ok());
  EXPECT_FALSE(call(module, module.functions[0], {}).ok());
  EXPECT_EQ(*call(module, module.functions[0], std::span(two).first(1)), 1u);
}

TEST(Interpreter, UndefinedResourceIsReported) {
  const ir::Module module =
      parsed("func @main() {\nb0:\n  %0: i32 = load.storage resource undef, 0, align 4\n  ret\n}\n");
  const Result<void> result = run(module, Dispatch());
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("undefined resource"), std::string::npos) << result.error().message;
}

TEST(Interpreter, FinishedInvocationsDoNotBlockABarrier) {
  const ir::Module module = parsed(R"(
workgroup_size 4, 1, 1
binding 0, 0, storage
func @main() {
b0: merge b2
  %i: i32 = builtin local_invocation_index
  %odd: i32 = iand %i, 1
  %leaves: i1 = ine %odd, 0
  branch_if %leaves, b1, b2
b1:
  ret
b2:
  control_barrier shared, scope workgroup, order acq_rel
  %b: resource = resource 0, 0
  %old: i32 = atomic_add.storage %b, 0, 1, align 4, scope device, order relaxed
  ret
})");
  std::vector<uint8_t> memory(4);
  Dispatch dispatch;
  dispatch.buffers = {{0, 0, 0, memory}};
  const Result<void> result = run(module, dispatch);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(memory[0], 2);
}

TEST(Interpreter, SubgroupBuiltInsFollowTheDispatch) {
  const ir::Module module = parsed(R"(
workgroup_size 40, 1, 1
binding 0, 0, storage
func @main() {
b0:
  %i: i32 = builtin local_invocation_index
  %at: i32 = ishl %i, 4
  %b: resource = resource 0, 0
  %size: i32 = builtin subgroup_size
  %id: i32 = builtin subgroup_id
  %lane: i32 = builtin subgroup_invocation_id
  %n: i32 = builtin num_subgroups
  %all: i32x4 = vec %size, %id, %lane, %n
  store.storage %b, %at, %all, align 16
  ret
})");
  std::vector<uint8_t> memory(40 * 16);
  Dispatch dispatch;
  dispatch.subgroup_size = 32;
  dispatch.buffers = {{0, 0, 0, memory}};
  ASSERT_TRUE(run(module, dispatch).ok());
  const std::vector<uint8_t> last(memory.end() - 16, memory.end());
  EXPECT_EQ(last, bytes_of({32, 1, 7, 2}));
  dispatch.subgroup_size = 0;
  EXPECT_FALSE(run(module, dispatch).ok());
  dispatch.subgroup_size = 129;
  EXPECT_FALSE(run(module, dispatch).ok());
}

/// Whatever the verifier accepts runs to an end or to an error.
TEST(Interpreter, DamagedProgramsNeverCrash) {
  constexpr std::string_view kProgram = R"(workgroup_size 4, 2, 1
shared_bytes 64
scratch_bytes 16
push_constant_bytes 8
binding 0, 0, storage, count 2
binding 0, 1, uniform
func @main() {
b0:
  %0: i32 = builtin local_invocation_id.x
  %1: resource = resource 0, %0
  %2: resource = resource 1, 0
  %3: i32 = load.push 4, align 4
  %4: i32x2 = load.uniform %2, 8, align 8
  %5: i64 = bitcast %4
  %6: i16x4 = bitcast %5
  %7: i16 = extract %6, 2
  %8: i32 = sext %7
  control_barrier shared, scope workgroup, order acq_rel
  branch b1
b1: loop merge b5, continue b4
  %9: i32 = phi [b0 %8], [b4 %15]
  %10: i32x2 = phi [b0 %4], [b4 %14]
  switch_on %9, b2, 3: b3, 9: b5
b2:
  %11: i32 = udiv %9, %3
  store.scratch 4, %10, align 4
  branch b3
b3:
  %12: i32 = atomic_add.shared 8, %9, align 4, scope workgroup, order relaxed
  branch b4
b4:
  %13: i32 = load.scratch 8, align 4
  %14: i32x2 = vec %12, %13
  %15: i32 = iadd %9, 3
  %16: i1 = slt %15, 100
  branch_if %16, b1, b5
b5:
  %17: i32 = buffer_size %1
  store.storage %1, 0, %17, align 4
  ret
}
)";
  std::mt19937 random(5);
  int ran = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text(kProgram);
    for (unsigned i = 0; i < 1 + random() % 3; ++i) {
      // Digits change ids, numbers and types, and mostly leave something that still parses.
      const size_t at = text.find_first_of("0123456789", random() % text.size());
      if (at != std::string::npos) text[at] = static_cast<char>('0' + random() % 10);
    }
    const Result<ir::Module> module = ir::parse(text);
    if (!module) continue;
    std::vector<uint8_t> a(64), b(64), uniform(32), push(8, 1);
    Dispatch dispatch;
    dispatch.groups = {2, 1, 1};
    dispatch.push_constants = push;
    dispatch.buffers = {{0, 0, 0, a}, {0, 0, 1, b}, {0, 1, 0, uniform}};
    dispatch.subgroup_size = 1 + random() % 10;
    Limits limits;
    limits.steps = 5000;
    limits.memory_bytes = 1 << 20;
    const Result<void> result = run(*module, dispatch, limits);
    ran += result.ok() || result.error().message.find("workgroup (") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(ran, 1000);
}

}  // namespace
}  // namespace spalt::interp
