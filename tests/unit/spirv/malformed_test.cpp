// SPDX-License-Identifier: MIT
//
// Modules that must be rejected, each with the sentence that a person should read. The messages are written from the
// SPIR-V rule that is broken.
#include <gtest/gtest.h>

#include "assemble.h"
#include "spirv/reader.h"

namespace spalt::spirv {
namespace {

struct Case {
  const char* name;
  const char* declarations;
  const char* body;
  const char* message;  ///< a part of it
  Status status = Status::invalid_input;
};

const Case kTypes[] = {
    {"type_is_no_type", "%bad = OpTypeVector %u0 2", "OpReturn\n", "OpTypeVector: id"},
    {"vector_of_one", "%bad = OpTypeVector %float 1", "OpReturn\n", "is not supported", Status::unsupported},
    {"matrix_of_integers", "%bad = OpTypeMatrix %v2uint 2", "OpReturn\n", "columns that are float vectors"},
    {"empty_array", "%bad = OpTypeArray %uint %u0", "OpReturn\n", "an array without elements"},
    {"array_length_is_float", "%bad = OpTypeArray %uint %f1", "OpReturn\n", "a 32-bit integer constant"},
    {"composite_too_short", "%bad = OpConstantComposite %v3uint %u0 %u1", "OpReturn\n", "expected 3 constituents"},
    {"composite_wrong_type", "%bad = OpConstantComposite %v2uint %u0 %f0", "OpReturn\n", "to have type"},
    {"wide_constant", "%i64 = OpTypeInt 64 0\n%bad = OpConstant %i64 1", "OpReturn\n", "a constant of this width",
     Status::unsupported},
    {"spec_op_not_allowed", "%bad = OpSpecConstantOp %float FAdd %f0 %f1", "OpReturn\n", "OpFAdd on specialization",
     Status::unsupported},
    {"global_in_function_class", "%p = OpTypePointer Function %uint\n%bad = OpVariable %p Function", "OpReturn\n",
     "a Function variable outside a function"},
    {"initializer_type", "%p = OpTypePointer Private %uint\n%bad = OpVariable %p Private %f0", "OpReturn\n",
     "an initializer that is a constant"},
    {"workgroup_initializer", "%p = OpTypePointer Workgroup %uint\n%bad = OpVariable %p Workgroup %u1", "OpReturn\n",
     "workgroup memory to be initialized by OpConstantNull"},
    {"fragment_instruction", "", "OpKill\n", "expected a fragment shader"},
};

const Case kValues[] = {
    {"add_of_floats", "", "%x = OpIAdd %uint %f0 %u1\nOpReturn\n", "to be a 32-bit integer scalar or vector"},
    {"component_counts", "%v = OpConstantComposite %v2uint %u0 %u1", "%x = OpIAdd %v2uint %v %u1\nOpReturn\n",
     "to have 2 components, found 1"},
    {"result_type", "", "%x = OpFAdd %uint %f0 %f1\nOpReturn\n", "expected the result type to be"},
    {"type_as_operand", "", "%x = OpIAdd %uint %uint %u1\nOpReturn\n", "is not a value"},
    {"use_before_definition", "", "%x = OpIAdd %uint %y %u1\n%y = OpIAdd %uint %u1 %u1\nOpReturn\n",
     "is not defined on every path"},
    {"defined_on_one_path", "",
     "%c = OpSelect %bool %true %true %true\nOpSelectionMerge %m None\nOpBranchConditional %c %a %m\n"
     "%a = OpLabel\n%x = OpIAdd %uint %u1 %u1\nOpBranch %m\n%m = OpLabel\n%y = OpIAdd %uint %x %u1\nOpReturn\n",
     "is not defined on every path"},
    {"extract_out_of_range", "%v = OpConstantComposite %v2uint %u0 %u1",
     "%x = OpCompositeExtract %uint %v 2\nOpReturn\n", "index 2 where the composite has 2 elements"},
    {"shuffle_out_of_range", "%v = OpConstantComposite %v2uint %u0 %u1",
     "%x = OpVectorShuffle %v2uint %v %v 0 4\nOpReturn\n", "component 4 does not exist"},
    {"construct_too_long", "", "%x = OpCompositeConstruct %v2uint %u0 %u1 %u2\nOpReturn\n", "more components"},
    {"bitcast_of_boolean", "", "%x = OpBitcast %uint %true\nOpReturn\n", "booleans have no bits"},
    {"select_condition", "", "%x = OpSelect %uint %u1 %u1 %u2\nOpReturn\n", "to be a boolean"},
    {"glsl_operand", "", "%x = OpExtInst %float %glsl Sin %u1\nOpReturn\n", "to be a 32-bit float"},
    {"interpolation", "%p = OpTypePointer Input %float",
     "%x = OpExtInst %float %glsl InterpolateAtCentroid %f0\nOpReturn\n", "expected a fragment shader"},
    {"not_supported_yet", "", "%x = OpSubgroupShuffleINTEL %uint %u1 %u1\nOpReturn\n",
     "OpSubgroupShuffleINTEL: the instruction is not supported", Status::unsupported},
    {"clock_of_one_word", "%u3 = OpConstant %uint 3", "%x = OpReadClockKHR %uint %u3\nOpReturn\n",
     "OpReadClockKHR: expected an integer of 64 bits, or two of 32, as result type"},
    // The assembler does not know OpFDot2MixAcc32VALVE and OpFDot2MixAcc16VALVE.
    {"mixed_dot_of_floats", "%v = OpConstantComposite %v2float %f1 %f1",
     "!0x00061b04 %float %x %v %v %f1\nOpNoLine\nOpReturn\n", "OpFDot2MixAcc32VALVE: expected"},
    {"mixed_dot_with_wide_sum", "%v = OpConstantComposite %v2float %f1 %f1",
     "!0x00061b05 %float %x %v %v %f1\nOpNoLine\nOpReturn\n", "OpFDot2MixAcc16VALVE: expected the result type to be"},
    {"mixed_dot_too_short", "", "!0x00051b04 %float %x %f1 %f1\nOpNoLine\nOpReturn\n", "OpFDot2MixAcc32VALVE"},
    {"mixed_dot_of_four", "", "!0x00061b06 %float %x %f1 %f1 %f1\nOpNoLine\nOpReturn\n",
     "OpFDot4MixAcc32VALVE: the instruction is not supported", Status::unsupported},
    {"partition_gives_number", "", "%x = OpGroupNonUniformPartitionNV %uint %u1\nOpReturn\n",
     "expected a result of four components"},
    {"scan_without_part", "%u3 = OpConstant %uint 3",
     "%x = OpGroupNonUniformIAdd %uint %u3 PartitionedReduceNV %u1\nOpReturn\n", "OpGroupNonUniformIAdd"},
    {"part_is_a_number", "%u3 = OpConstant %uint 3",
     "%x = OpGroupNonUniformIAdd %uint %u3 PartitionedReduceNV %u1 %u3\nOpReturn\n", "OpGroupNonUniformIAdd: expected"},
    {"cluster_of_three", "%u3 = OpConstant %uint 3",
     "%x = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %u1 %u3\nOpReturn\n",
     "expected a cluster size that is a power of two"},
    {"cluster_without_size", "%u3 = OpConstant %uint 3",
     "%x = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %u1\nOpReturn\n", "OpGroupNonUniformIAdd"},
    {"scan_of_other_type", "%u3 = OpConstant %uint 3", "%x = OpGroupNonUniformFAdd %uint %u3 Reduce %u1\nOpReturn\n",
     "OpGroupNonUniformFAdd: expected"},
    {"quad_direction", "%u3 = OpConstant %uint 3", "%x = OpGroupNonUniformQuadSwap %uint %u3 %u1 %u3\nOpReturn\n",
     "expected a direction"},
    {"elect_in_workgroup", "", "%x = OpGroupNonUniformElect %bool %u2\nOpReturn\n", "expected scope Subgroup"},
    {"elect_gives_number", "%u3 = OpConstant %uint 3", "%x = OpGroupNonUniformElect %uint %u3\nOpReturn\n",
     "OpGroupNonUniformElect: expected"},
    {"dot_without_format", "", "%x = OpUDot %uint %u1 %u1\nOpReturn\n", "expected vectors, or a packed vector format"},
    {"dot_of_other_length", "%a = OpConstantComposite %v2uint %u0 %u1\n%b = OpConstantComposite %v3uint %u0 %u1 %u2",
     "%x = OpUDot %uint %a %b\nOpReturn\n", "OpUDot: expected"},
    {"dot_of_packed_vector", "%a = OpConstantComposite %v2uint %u0 %u1",
     "%x = OpUDot %uint %a %a PackedVectorFormat4x8Bit\nOpReturn\n", "OpUDot: expected"},
    {"expect_other_type", "", "%x = OpExpectKHR %uint %u1 %f1\nOpReturn\n", "OpExpectKHR: expected"},
    {"assume_number", "", "OpAssumeTrueKHR %u1\nOpReturn\n", "OpAssumeTrueKHR: expected"},
};

const Case kMemory[] = {
    {"load_type", "", "%p = OpAccessChain %element %buffer %u0 %u1\n%x = OpLoad %float %p\nOpReturn\n",
     "not the type that is pointed to"},
    {"store_type", "", "%p = OpAccessChain %element %buffer %u0 %u1\nOpStore %p %f0\nOpReturn\n", "to have type"},
    {"chain_result_type", "%fp = OpTypePointer StorageBuffer %float",
     "%p = OpAccessChain %fp %buffer %u0 %u1\nOpReturn\n", "not a pointer to what the indices lead to"},
    {"member_out_of_range", "", "%p = OpAccessChain %element %buffer %u1 %u1\nOpReturn\n", "member 1 does not exist"},
    {"index_into_scalar", "", "%p = OpAccessChain %element %buffer %u0 %u1 %u1\nOpReturn\n", "no elements"},
    {"load_of_runtime_array", "%wp = OpTypePointer StorageBuffer %words",
     "%p = OpAccessChain %wp %buffer %u0\n%x = OpLoad %words %p\nOpReturn\n", "is not one that a value can have"},
    {"no_offset", "%s = OpTypeStruct %uint\n%sp = OpTypePointer Uniform %s\n%v = OpVariable %sp Uniform",
     "%x = OpLoad %s %v\nOpReturn\n", "decorated Block"},
    {"atomic_on_private", "%pp = OpTypePointer Private %uint\n%v = OpVariable %pp Private",
     "%x = OpAtomicIAdd %uint %v %u1 %u0 %u1\nOpReturn\n", "a storage buffer, workgroup memory or an image"},
    {"unknown_scope", "%c = OpConstant %uint 77",
     "%p = OpAccessChain %element %buffer %u0 %u1\n%x = OpAtomicIAdd %uint %p %c %u0 %u1\nOpReturn\n",
     "scope 77 is not known"},
    {"image",
     "%i = OpTypeImage %float 2D 0 0 0 1 Unknown\n%ip = OpTypePointer UniformConstant %i\n%v = OpVariable %ip "
     "UniformConstant",
     "%x = OpLoad %float %v\nOpReturn\n", "has no DescriptorSet or Binding decoration"},
    {"user_input", "%ip = OpTypePointer Input %uint\n%v = OpVariable %ip Input", "%x = OpLoad %uint %v\nOpReturn\n",
     "is not a built-in"},
};

// The assembler does not know SPV_KHR_untyped_pointers: 4417 is its type, 4418 a variable, 4419 an access chain, 4425
// the length of an array. OpNoLine ends their words.
#define SPALT_UNTYPED "OpNoLine\n!0x00031141 %up !12\nOpNoLine\n"
#define SPALT_CHAIN "OpNoLine\n!0x00071143 %up %p %block %buffer %u0 %u1\nOpNoLine\n"
const Case kUntyped[] = {
    {"class", "OpNoLine\n!0x00031141 %up !7\nOpNoLine\n", "OpReturn\n", "an untyped pointer of storage class Function",
     Status::unsupported},
    {"without_data_type", SPALT_UNTYPED "!0x00041142 %up %v !12\nOpNoLine\n", "OpReturn\n",
     "expected at least 4 operands"},
    {"variable_with_type", "OpNoLine\n!0x00051142 %element %v !12 %uint\nOpNoLine\n", "OpReturn\n",
     "expected untyped pointers to untyped variables"},
    {"variable_without_type", SPALT_UNTYPED "%v = OpVariable %up StorageBuffer", "OpReturn\n",
     "expected untyped pointers to untyped variables"},
    {"variable_of_no_type", SPALT_UNTYPED "!0x00051142 %up %v !12 %u0\nOpNoLine\n", "OpReturn\n", "is not a type"},
    {"variable_class", SPALT_UNTYPED "!0x00051142 %up %v !2 %uint\nOpNoLine\n", "OpReturn\n", "the same storage class"},
    {"result", SPALT_UNTYPED, "OpNoLine\n!0x00071143 %element %p %block %buffer %u0 %u1\nOpNoLine\nOpReturn\n",
     "expected an untyped pointer as result type"},
    {"other_class", "OpNoLine\n!0x00031141 %up !2\nOpNoLine\n", SPALT_CHAIN "OpReturn\n", "another storage class"},
    {"typed_chain", SPALT_UNTYPED, SPALT_CHAIN "%q = OpAccessChain %element %p %u0\nOpReturn\n", "no elements"},
    {"too_deep", SPALT_UNTYPED, "OpNoLine\n!0x00061143 %up %p %uint %buffer %u0\nOpNoLine\nOpReturn\n", "no elements"},
    {"base_type", SPALT_UNTYPED, "OpNoLine\n!0x00061143 %up %p %u0 %buffer %u0\nOpNoLine\nOpReturn\n", "is not a type"},
    {"boolean", SPALT_UNTYPED, SPALT_CHAIN "%x = OpLoad %bool %p\nOpReturn\n", "a boolean has no place in a buffer"},
    {"without_layout", SPALT_UNTYPED "%s = OpTypeStruct %uint", SPALT_CHAIN "%x = OpLoad %s %p\nOpReturn\n",
     "has no Offset decoration"},
    {"copy_without_type", SPALT_UNTYPED, SPALT_CHAIN "OpCopyMemory %p %p\nOpReturn\n", "something that can be loaded"},
    {"copy_nothing", SPALT_UNTYPED, SPALT_CHAIN "OpCopyMemorySized %p %p %u0\nOpReturn\n", "more than 0 bytes"},
    {"copy_unknown_size", SPALT_UNTYPED,
     SPALT_CHAIN "%n = OpIAdd %uint %u1 %u1\nOpCopyMemorySized %p %p %n\nOpReturn\n", "in units of 8 bits",
     Status::unsupported},
    {"copy_bytes", SPALT_UNTYPED, SPALT_CHAIN "OpCopyMemorySized %p %p %u1\nOpReturn\n", "in units of 8 bits",
     Status::unsupported},
    {"atomic_struct", SPALT_UNTYPED, SPALT_CHAIN "%x = OpAtomicLoad %v2uint %p %u1 %u0\nOpReturn\n", "32-bit scalar"},
    {"length_of_scalar", SPALT_UNTYPED, "OpNoLine\n!0x00061149 %uint %n %uint %buffer !0\nOpNoLine\nOpReturn\n",
     "expected a struct"},
    {"length_too_short", SPALT_UNTYPED, "OpNoLine\n!0x00051149 %uint %n %block %buffer\nOpNoLine\nOpReturn\n",
     "expected at least 5 operands"},
    {"prefetch", SPALT_UNTYPED, SPALT_CHAIN "OpNoLine\n!0x0003114a %p %u1\nOpNoLine\nOpReturn\n",
     "OpUntypedPrefetchKHR: the instruction is not supported", Status::unsupported},
};

const Case kControlFlow[] = {
    {"branch_to_nowhere", "", "OpBranch %u1\n", "is not a block that can be branched to"},
    {"branch_to_entry", "", "OpBranch %entry\n", "is not a block that can be branched to"},
    {"no_terminator", "", "%x = OpIAdd %uint %u1 %u1\n", "a function ends inside a block"},
    {"back_edge_to_plain_block", "", "OpBranch %a\n%a = OpLabel\nOpBranch %b\n%b = OpLabel\nOpBranch %a\n",
     "a back edge to a block that is no loop header"},
    {"merge_of_two", "",
     "OpSelectionMerge %m None\nOpBranchConditional %true %a %m\n%a = OpLabel\nOpSelectionMerge %m None\n"
     "OpBranchConditional %true %b %m\n%b = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn\n",
     "two constructs have the same merge block"},
    {"merge_without_branch", "", "OpSelectionMerge %m None\nOpReturn\n%m = OpLabel\nOpReturn\n", "expected a branch"},
    {"merge_then_arithmetic", "",
     "OpSelectionMerge %m None\n%x = OpIAdd %uint %u1 %u1\nOpBranchConditional %true %m %m\n%m = OpLabel\nOpReturn\n",
     "expected a branch after the merge instruction"},
    {"jump_into_construct", "",
     "%c = OpAccessChain %element %buffer %u0 %u1\n%n = OpLoad %uint %c\nOpSelectionMerge %m None\n"
     "OpSwitch %n %m 1 %a 2 %b\n%a = OpLabel\nOpSelectionMerge %i None\nOpBranchConditional %true %t %i\n"
     "%t = OpLabel\nOpBranch %i\n%i = OpLabel\nOpBranch %m\n%b = OpLabel\nOpBranch %t\n%m = OpLabel\nOpReturn\n",
     "whose header does not dominate it"},
    {"phi_without_edge", "", "OpBranch %a\n%a = OpLabel\n%x = OpPhi %uint %u1 %a\nOpReturn\n",
     "no operand for the edge from block"},
    {"phi_edge_twice", "", "OpBranch %a\n%a = OpLabel\n%x = OpPhi %uint %u1 %entry %u2 %entry\nOpReturn\n",
     "two operands for the edge from block"},
    {"switch_literal_twice", "",
     "OpSelectionMerge %m None\nOpSwitch %u1 %m 7 %a 1 %m 7 %m\n%a = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn\n",
     "literal 7 selects a label twice"},
    {"switch_literal_twice_unreached", "",
     "OpReturn\n%u = OpLabel\nOpSelectionMerge %m None\nOpSwitch %u1 %m 7 %m 7 %m\n%m = OpLabel\nOpReturn\n",
     "literal 7 selects a label twice"},
    {"branch_weights_zero", "",
     "OpSelectionMerge %m None\nOpBranchConditional %true %m %m 0 0\n%m = OpLabel\nOpReturn\n",
     "at least one branch weight"},
    {"phi_late", "",
     "OpBranch %a\n%a = OpLabel\n%p = OpAccessChain %element %buffer %u0 %u1\nOpStore %p %u1\n"
     "%x = OpPhi %uint %u1 %entry\nOpReturn\n",
     "a phi after other instructions"},
    {"return_value_in_void", "", "OpReturnValue %u1\n", "does not fit the function's return type"},
    {"variable_in_later_block", "%p = OpTypePointer Function %uint",
     "OpBranch %a\n%a = OpLabel\n%v = OpVariable %p Function\nOpReturn\n", "outside the first block"},
};

const Case kCalls[] = {
    {"call_of_itself", "", "%x = OpFunctionCall %void %main\nOpReturn\n", "the function calls itself"},
    {"call_of_constant", "", "%x = OpFunctionCall %void %u1\nOpReturn\n", "not a function"},
    {"too_few_arguments", "%ft = OpTypeFunction %uint %uint",
     "%x = OpFunctionCall %uint %f\nOpReturn\nOpFunctionEnd\n%f = OpFunction %uint None %ft\n"
     "%a = OpFunctionParameter %uint\n%l = OpLabel\nOpReturnValue %a\n",
     "expected 1 arguments, found 0"},
    {"argument_type", "%ft = OpTypeFunction %uint %uint",
     "%x = OpFunctionCall %uint %f %f1\nOpReturn\nOpFunctionEnd\n%f = OpFunction %uint None %ft\n"
     "%a = OpFunctionParameter %uint\n%l = OpLabel\nOpReturnValue %a\n",
     "to have type"},
    {"value_of_other_function", "%ft = OpTypeFunction %uint",
     "%y = OpIAdd %uint %u1 %u1\n%x = OpFunctionCall %uint %f\nOpReturn\nOpFunctionEnd\n"
     "%f = OpFunction %uint None %ft\n%l = OpLabel\nOpReturnValue %y\n",
     "belongs to another function"},
};

class Malformed : public testing::TestWithParam<Case> {};

TEST_P(Malformed, IsRejectedWithItsReason) {
  const Case& c = GetParam();
  CompileContext context;
  const Result<ir::Module> module = read(assemble(shader(c.declarations, c.body)), {}, context);
  ASSERT_FALSE(module.ok());
  EXPECT_NE(module.error().message.find(c.message), std::string::npos) << module.error().message;
  EXPECT_EQ(module.error().status, c.status);
  EXPECT_NE(module.error().offset, Error::kNoOffset);
}

std::string case_name(const testing::TestParamInfo<Case>& parameter) {
  return parameter.param.name;
}
/// A stride that the elements cannot have matters where one is accessed. Tests of Vulkan have arrays of words with a
/// stride of 2 that no block holds.
TEST(ArrayStride, MustFitTheElementsThatAreAccessed) {
  const auto with_stride = [](const char* stride, const char* body) {
    std::string text = shader("", body);
    text.replace(text.find("ArrayStride 4"), 13, std::string("ArrayStride ") + stride);
    CompileContext context;
    const Result<ir::Module> module = read(assemble(text), {}, context);
    return module.ok() ? std::string() : module.error().message;
  };
  constexpr const char* kAccess = "%p = OpAccessChain %element %buffer %u0 %u1\nOpStore %p %u1\nOpReturn\n";
  EXPECT_EQ(with_stride("8", kAccess), "");
  EXPECT_EQ(with_stride("2", "OpReturn\n"), "");
  EXPECT_NE(with_stride("2", kAccess).find("no ArrayStride decoration that its elements can have"), std::string::npos);
  EXPECT_NE(with_stride("0", kAccess).find("no ArrayStride decoration that its elements can have"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Types, Malformed, testing::ValuesIn(kTypes), case_name);
INSTANTIATE_TEST_SUITE_P(Values, Malformed, testing::ValuesIn(kValues), case_name);
INSTANTIATE_TEST_SUITE_P(Memory, Malformed, testing::ValuesIn(kMemory), case_name);
// The assembler does not know encodings of OpTypeFloat. Without 8 and 16 bits in the options they are opaque.
TEST(SmallFloats, AreNumbersOfTheirOwn) {
  constexpr const char* kDeclarations =
      "OpNoLine\n!0x00040016 %bf !16 !0\nOpNoLine\n!0x00040016 %e4 !8 !4214\nOpNoLine\n!0x00040016 %e0 !8 !4226\n"
      "OpNoLine\n%s16 = OpTypeInt 16 0\n%h = OpConstant %s16 1\n%v2bf = OpTypeVector %bf 2\n%b = OpConstant %bf !1\n"
      "%e = OpConstant %e4 !1\n%bb = OpConstantComposite %v2bf %b %b";
  const auto message = [&](const char* body, bool wide) {
    ReadOptions options;
    options.widths = {wide, wide, wide, wide, wide};
    CompileContext context;
    const Result<ir::Module> module = read(
        assemble(shader(wide ? kDeclarations : "OpNoLine\n!0x00040016 %bf !16 !0\nOpNoLine", body)), options, context);
    return module.ok() ? std::string() : module.error().message;
  };
  constexpr std::pair<const char*, const char*> kCases[] = {
      {"%x = OpFConvert %float %b\nOpReturn\n", ""},
      {"%x = OpFAdd %bf %b %b\nOpReturn\n", "expected the result type to be"},
      {"%x = OpIAdd %bf %b %b\nOpReturn\n", "expected the result type to be"},
      {"%x = OpIAdd %s16 %h %b\nOpReturn\n", "to be a 16-bit integer"},
      {"%x = OpConvertFToU %float %b\nOpReturn\n", "expected floats and integers"},
      {"%x = OpConvertUToF %bf %f1\nOpReturn\n", "expected floats and integers"},
      {"%x = OpFConvert %bf %h\nOpReturn\n", "expected floats and integers"},
      {"%x = OpFConvert %v2bf %f1\nOpReturn\n", "to have 2 components"},
      {"%x = OpDot %e4 %bb %bb\nOpReturn\n", "expected a scalar result type"},
      {"%x = OpDot %bf %bb %b\nOpReturn\n", "to have type"},
      {"%x = OpCompositeConstruct %v2bf %b %h\nOpReturn\n", "to have the result's components"},
      {"%x = OpCompositeConstruct %v2bf %b %e\nOpReturn\n", "to have the result's components"},
      {"%x = OpFConvert %e0 %f1\nOpReturn\n", "a value of this OpTypeFloat"},
  };
  for (const auto& [body, expected] : kCases) {
    const std::string found = message(body, true);
    EXPECT_EQ(found.empty(), *expected == 0) << body;
    EXPECT_NE(found.find(expected), std::string::npos) << found;
  }
  EXPECT_NE(message("%x = OpFConvert %bf %f1\nOpReturn\n", false).find("a value of this OpTypeFloat"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Untyped, Malformed, testing::ValuesIn(kUntyped), case_name);
INSTANTIATE_TEST_SUITE_P(ControlFlow, Malformed, testing::ValuesIn(kControlFlow), case_name);
INSTANTIATE_TEST_SUITE_P(Calls, Malformed, testing::ValuesIn(kCalls), case_name);

}  // namespace
}  // namespace spalt::spirv
