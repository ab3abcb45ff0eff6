// SPDX-License-Identifier: MIT
//
// Headers, limits, specialization, diagnostics and damaged words.
#include "spirv/reader.h"

#include <gtest/gtest.h>

#include <random>

#include "assemble.h"
#include "ir/printer.h"
#include "ir/verifier.h"

namespace spalt::spirv {
namespace {

const char* const kStoreOne = "%p = OpAccessChain %element %buffer %u0 %u1\nOpStore %p %u1\nOpReturn\n";

Error error_of(const std::vector<uint32_t>& words, const ReadOptions& options = {}) {
  CompileContext context;
  const Result<ir::Module> module = read(words, options, context);
  EXPECT_FALSE(module.ok());
  return module.ok() ? Error{} : module.error();
}

TEST(Header, RejectsWhatIsNoModule) {
  EXPECT_EQ(error_of({}).message, "expected the SPIR-V magic number");
  EXPECT_EQ(error_of({1, 2, 3, 4, 5}).message, "expected the SPIR-V magic number");
  EXPECT_EQ(error_of({0x07230203}).message, "a SPIR-V module has at least 5 words");
  EXPECT_EQ(error_of({0x07230203, 0x00020000, 0, 10, 0}).status, Status::unsupported);
  EXPECT_EQ(error_of({0x07230203, 0x00010000, 0, 0, 0}).message, "the id bound is zero");
  EXPECT_EQ(error_of({0x07230203, 0x00010000, 0, 0xffffffff, 0}).status, Status::limit_exceeded);
  EXPECT_EQ(error_of({0x07230203, 0x00010000, 0, 10, 0}).message, "expected OpMemoryModel before the functions");
  EXPECT_EQ(error_of({0x07230203, 0x00010000, 0, 10, 0, 17}).message, "instruction of 0 words where 1 are left");
  EXPECT_EQ(error_of({0x07230203, 0x00010000, 0, 10, 0, 0x00020011}).message,
            "instruction of 2 words where 1 are left");
}

TEST(Header, AcceptsTheOtherByteOrder) {
  std::vector<uint32_t> words = assemble(shader("", kStoreOne));
  CompileContext context;
  const Result<ir::Module> plain = read(words, {}, context);
  for (uint32_t& word : words) word = __builtin_bswap32(word);
  const Result<ir::Module> swapped = read(words, {}, context);
  ASSERT_TRUE(plain.ok());
  ASSERT_TRUE(swapped.ok()) << swapped.error().message;
  EXPECT_EQ(ir::print(*plain), ir::print(*swapped));
}

TEST(Header, NamesUnsupportedCapabilities) {
  const Error error = error_of(assemble("OpCapability Shader\nOpCapability Kernel\n"));
  EXPECT_EQ(error.status, Status::unsupported);
  EXPECT_EQ(error.message, "OpCapability: capability Kernel is not supported");
  EXPECT_EQ(error.offset, 7u);
}

TEST(EntryPoint, IsFoundByName) {
  const std::vector<uint32_t> words = assemble(shader("", kStoreOne));
  ReadOptions options;
  options.entry_point = "main";
  CompileContext context;
  EXPECT_TRUE(read(words, options, context).ok());
  options.entry_point = "other";
  EXPECT_EQ(error_of(words, options).message, "no compute entry point 'other'");
  EXPECT_EQ(error_of(words, options).status, Status::invalid_argument);
}

TEST(Diagnostics, NameTheSourceLine) {
  const Error error = error_of(assemble(shader("", "OpLine %file 42 7\n%x = OpIAdd %uint %f0 %u1\nOpReturn\n")));
  EXPECT_EQ(error.source_file, "shader.comp");
  EXPECT_EQ(error.source_line, 42u);
  EXPECT_EQ(error.message.substr(0, 8), "OpIAdd: ");
}

TEST(Diagnostics, LineEndsWithItsBlock) {
  const Error error = error_of(
      assemble(shader("", "OpLine %file 42 7\nOpBranch %a\n%a = OpLabel\n%x = OpIAdd %uint %f0 %u1\nOpReturn\n")));
  EXPECT_EQ(error.source_line, 0u);
}

/// The one value stored by a shader, as text of its operand.
std::string stored_value(const std::string& declarations, const std::string& body, const ReadOptions& options = {}) {
  CompileContext context;
  const Result<ir::Module> module = read(assemble(shader(declarations, body)), options, context);
  if (!module.ok()) return module.error().message;
  const Result<void> verdict = ir::verify(*module);
  if (!verdict.ok()) return verdict.error().message;
  const ir::Function& function = module->functions[0];
  for (const ir::BlockId block : function.layout()) {
    for (const ir::Value value : ir::insts(function, block)) {
      const ir::Inst& inst = function.inst(value);
      if (inst.op != ir::Op::store) continue;
      const ir::Value data = function.operand(value, inst.operand_count - 1);
      return function.is_constant(data) ? std::to_string(function.inst(data).imm) : "not constant";
    }
  }
  return "no store";
}

std::string store_of(const std::string& id) {
  return "%p = OpAccessChain %element %buffer %u0 %u1\nOpStore %p " + id + "\nOpReturn\n";
}

// spv: the decoration comes before the types, so the constants are numbered ids.
constexpr const char* kSpecialized = "%10000 = OpSpecConstant %uint 7\n";

TEST(Specialization, DefaultsAndOverrides) {
  const std::string text = "%s = OpSpecConstantOp %uint IMul %10000 %u4\n%t = OpSpecConstantOp %uint ISub %s %u1\n";
  std::string module = shader(kSpecialized + text, store_of("%t"));
  module.insert(module.find("OpDecorate %words"), "OpDecorate %10000 SpecId 3\n");
  const auto run = [&module](std::span<const Specialization> constants) {
    ReadOptions options;
    options.specialization = constants;
    CompileContext context;
    const Result<ir::Module> result = read(assemble(module), options, context);
    EXPECT_TRUE(result.ok());
    return ir::print(*result);
  };
  EXPECT_NE(run({}).find(" 27,"), std::string::npos) << run({});
  const Specialization three[] = {{3, 5}};
  EXPECT_NE(run(three).find(" 19,"), std::string::npos) << run(three);
  const Specialization other[] = {{4, 5}};
  EXPECT_EQ(run(other), run({}));
}

TEST(Specialization, TellsWhatTheModuleLacks) {
  std::string module = shader(kSpecialized, store_of("%10000"));
  module.insert(module.find("OpDecorate %words"), "OpDecorate %10000 SpecId 3\n");
  const Specialization constants[] = {{9, 1}, {3, 5}, {0, 1}, {3, 6}, {9, 2}};
  std::vector<Specialization> unknown;
  ReadOptions options;
  options.specialization = constants;
  options.unknown_constants = &unknown;
  CompileContext context;
  const Result<ir::Module> result = read(assemble(module), options, context);
  ASSERT_TRUE(result.ok());
  EXPECT_NE(ir::print(*result).find(" 5,"), std::string::npos) << ir::print(*result);  // the first of two
  ASSERT_EQ(unknown.size(), 3u);
  EXPECT_EQ(unknown[0].id, 9u);
  EXPECT_EQ(unknown[1].id, 0u);
  EXPECT_EQ(unknown[2].value, 2u);
}

TEST(Folding, HappensWhileReading) {
  EXPECT_EQ(stored_value("", "%x = OpIAdd %uint %u2 %u4\n%y = OpIMul %uint %x %x\n" + store_of("%y")), "36");
  EXPECT_EQ(stored_value("%v = OpConstantComposite %v3uint %u1 %u2 %u4",
                         "%x = OpVectorExtractDynamic %uint %v %u2\n" + store_of("%x")),
            "4");
  EXPECT_EQ(stored_value("",
                         "%x = OpUndef %v2uint\n%y = OpCompositeInsert %v2uint %u4 %x 1\n"
                         "%z = OpCompositeExtract %uint %y 1\n" +
                             store_of("%z")),
            "4");
}

// SPIR-V forbids them, so that no golden test can have them.
TEST(Conversions, ToTheSameWidthAreCopies) {
  EXPECT_EQ(stored_value("", "%x = OpUConvert %uint %u4\n" + store_of("%x")), "4");
  EXPECT_EQ(stored_value("", "%x = OpSConvert %uint %u4\n" + store_of("%x")), "4");
  EXPECT_EQ(stored_value("", "%f = OpFConvert %float %f1\n%x = OpBitcast %uint %f\n" + store_of("%x")), "1065353216");
  EXPECT_EQ(stored_value("%v = OpConstantComposite %v2float %f0 %f1",
                         "%f = OpFConvert %v2float %v\n%y = OpCompositeExtract %float %f 1\n"
                         "%x = OpBitcast %uint %y\n" +
                             store_of("%x")),
            "1065353216");
}

TEST(Folding, ConstantBranchesDropBlocks) {
  const std::string body =
      "OpSelectionMerge %m None\nOpBranchConditional %true %a %b\n%a = OpLabel\nOpBranch %m\n%b = OpLabel\nOpBranch "
      "%m\n"
      "%m = OpLabel\n%x = OpPhi %uint %u2 %a %u4 %b\n" +
      store_of("%x");
  EXPECT_EQ(stored_value("", body), "2");
}

TEST(Variables, AreInSsaForm) {
  const std::string declarations =
      "%fp = OpTypePointer Function %uint\n%pp = OpTypePointer Private %uint\n"
      "%global = OpVariable %pp Private %u4\n";
  EXPECT_EQ(stored_value(declarations,
                         "%v = OpVariable %fp Function\nOpStore %v %u2\n%x = OpLoad %uint %v\n" + store_of("%x")),
            "2");
  EXPECT_EQ(stored_value(declarations, "%x = OpLoad %uint %global\n" + store_of("%x")), "4");
}

// f calls g twice, g calls h twice, ...: 2^40 instructions if nothing stopped it.
TEST(Limits, InliningIsBounded) {
  std::string functions = "OpReturn\nOpFunctionEnd\n";
  constexpr int kDepth = 40;
  for (int i = 0; i < kDepth; ++i) {
    const std::string name = "%level" + std::to_string(i), next = "%level" + std::to_string(i + 1);
    functions += name + " = OpFunction %void None %main_type\n" + name + "_l = OpLabel\n";
    if (i + 1 < kDepth) {
      functions += "%c" + std::to_string(i) + "a = OpFunctionCall %void " + next + "\n";
      functions += "%c" + std::to_string(i) + "b = OpFunctionCall %void " + next + "\n";
    }
    functions += i + 1 == kDepth ? "OpReturn\n" : "OpReturn\nOpFunctionEnd\n";
  }
  ReadOptions options;
  options.limits.work = 1'000'000;
  const Error error = error_of(assemble(shader("", "%x = OpFunctionCall %void %level0\n" + functions)), options);
  EXPECT_EQ(error.status, Status::limit_exceeded) << error.message;
}

TEST(Limits, HugeValuesAreRefused) {
  const std::string declarations =
      "%big = OpConstant %uint 65536\n%a = OpTypeArray %uint %big\n%b = OpTypeArray %a %big\n%c = OpTypeArray %b %big\n"
      "%z = OpConstantNull %c\n";
  EXPECT_EQ(error_of(assemble(shader(declarations, "OpReturn\n"))).status, Status::limit_exceeded);
  const std::string variable =
      "%big = OpConstant %uint 65536\n%a = OpTypeArray %uint %big\n%b = OpTypeArray %a %big\n"
      "%p = OpTypePointer Function %b\n";
  EXPECT_EQ(error_of(assemble(shader(variable, "%v = OpVariable %p Function\nOpReturn\n"))).status,
            Status::limit_exceeded);
}

TEST(Limits, TypesNestToAnEnd) {
  std::string declarations = "%t0 = OpTypeStruct %uint\n";
  for (int i = 1; i < 300; ++i) {
    declarations += "%t" + std::to_string(i) + " = OpTypeStruct %t" + std::to_string(i - 1) + "\n";
  }
  EXPECT_EQ(error_of(assemble(shader(declarations, "OpReturn\n"))).status, Status::limit_exceeded);
}

const char* const kLoop =
    "OpBranch %h\n%h = OpLabel\n%i = OpPhi %uint %u0 %entry %n %k\nOpLoopMerge %m %k None\nOpBranch %t\n%t = OpLabel\n"
    "%c = OpULessThan %bool %i %u4\nOpBranchConditional %c %b %m\n%b = OpLabel\n%p = OpAccessChain %element %buffer "
    "%u0 "
    "%i\n%o = OpLoad %uint %p\n%s = OpIAdd %uint %o %i\nOpStore %p %s\nOpBranch %k\n%k = OpLabel\n%n = OpIAdd %uint %i "
    "%u1\nOpBranch %h\n%m = OpLabel\nOpReturn\n";

TEST(Memory, ServesAgain) {
  const std::vector<uint32_t> loop = assemble(shader("", kLoop)), store = assemble(shader("", kStoreOne));
  CompileContext context, other;
  const Result<ir::Module> first = read(loop, {}, context);
  EXPECT_FALSE(read(std::span(loop).first(loop.size() - 3), {}, context).ok());
  const Result<ir::Module> second = read(store, {}, context);
  EXPECT_EQ(context.scratch.used_bytes(), 0u);
  const size_t reserved = context.scratch.reserved_bytes();
  const Result<ir::Module> third = read(loop, {}, context);
  EXPECT_EQ(context.scratch.reserved_bytes(), reserved);
  ASSERT_TRUE(first.ok() && second.ok() && third.ok());
  // What was read before is still whole.
  EXPECT_EQ(ir::print(*first), ir::print(*third));
  EXPECT_EQ(ir::print(*second), ir::print(*read(store, {}, other)));
}

void expect_answer(const std::vector<uint32_t>& words, CompileContext& context) {
  const Result<ir::Module> module = read(words, {}, context);
  if (!module.ok()) {
    EXPECT_FALSE(module.error().message.empty());
    return;
  }
  const Result<void> verdict = ir::verify(*module);
  EXPECT_TRUE(verdict.ok()) << verdict.error().message;
}

TEST(Damage, EveryPrefixGetsAnAnswer) {
  const std::vector<uint32_t> words = assemble(shader("", kLoop));
  CompileContext context;
  for (size_t length = 0; length < words.size(); ++length) {
    EXPECT_FALSE(read(std::span(words.data(), length), {}, context).ok()) << length;
  }
}

TEST(Damage, EveryChangedWordGetsAnAnswer) {
  const std::vector<uint32_t> words = assemble(shader("", kLoop));
  std::mt19937 random(1);
  CompileContext context;
  for (size_t i = 0; i < words.size(); ++i) {
    for (const uint32_t value : {0u, 1u, words[3] - 1, 0xffffffffu, words[i] + 1, words[i] ^ 0x10000u,
                                 static_cast<uint32_t>(random() % words[3])}) {
      std::vector<uint32_t> damaged = words;
      damaged[i] = value;
      expect_answer(damaged, context);
    }
  }
}

}  // namespace
}  // namespace spalt::spirv
