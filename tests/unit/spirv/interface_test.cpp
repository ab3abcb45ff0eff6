// SPDX-License-Identifier: MIT
//
// Inputs and outputs of graphics stages: where each scalar goes (Vulkan, "Location Assignment" and "Component
// Assignment"), and what must be rejected.
#include "ir/interface.h"

#include <gtest/gtest.h>

#include "assemble.h"
#include "spirv/reader.h"

namespace spalt::spirv {
namespace {

/// A module whose entry point has one variable %v in its interface, of type %t and the given storage class.
std::string module_of(const char* model, const char* decorations, const char* types, const char* storage,
                      const char* body, const char* modes = "") {
  return std::string(
             "OpCapability Shader\nOpCapability Float64\nOpCapability ClipDistance\n%glsl = OpExtInstImport "
             "\"GLSL.std.450\"\n") +
         "OpMemoryModel Logical GLSL450\nOpEntryPoint " + model + " %main \"main\" %v\n" + modes + decorations +
         "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n" +
         "%f1 = OpConstant %float 1\n%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n" +
         "%double = OpTypeFloat 64\n%v3double = OpTypeVector %double 3\n%n2 = OpConstant %int 2\n%n9 = OpConstant %int "
         "9\n" +
         types + "%p = OpTypePointer " + storage + " %t\n%v = OpVariable %p " + storage +
         "\n%main = OpFunction %void None %fn\n%entry = OpLabel\n" + body + "OpReturn\nOpFunctionEnd\n";
}

constexpr const char* kUpperLeft = "OpExecutionMode %main OriginUpperLeft\n";

Result<ir::Module> read_stage(const std::string& text, ir::ShaderStage stage, CompileContext& context) {
  ReadOptions options;
  options.stage = stage;
  options.widths.float64 = true;
  const std::vector<uint32_t> words = assemble(text);
  return read(words, options, context);
}

/// Number and component of every `input`, in the order of the variable's scalars.
std::vector<std::pair<int, int>> input_places(const ir::Module& module) {
  std::vector<std::pair<int, int>> places;
  const ir::Function& function = module.functions[0];
  for (ir::BlockId block : function.layout()) {
    for (ir::Value value : ir::insts(function, block)) {
      if (function.inst(value).op != ir::Op::input) continue;
      const ir::InterfaceAccess access = ir::InterfaceAccess::unpack(function.inst(value).imm);
      places.emplace_back(access.number, access.component);
    }
  }
  return places;
}

using Places = std::vector<std::pair<int, int>>;

Places attribute_places(const char* decorations, const char* types) {
  CompileContext context;
  const Result<ir::Module> module =
      read_stage(module_of("Vertex", decorations, types, "Input", ""), ir::ShaderStage::vertex, context);
  EXPECT_TRUE(module.ok()) << module.error().message;
  return module.ok() ? input_places(*module) : Places();
}

Places flat_places(const char* decorations, const char* types) {
  CompileContext context;
  const Result<ir::Module> module = read_stage(module_of("Fragment", decorations, types, "Input", "", kUpperLeft),
                                               ir::ShaderStage::fragment, context);
  EXPECT_TRUE(module.ok()) << module.error().message;
  return module.ok() ? input_places(*module) : Places();
}

TEST(Interface, DoublesAreTwoComponentsEach) {
  EXPECT_EQ(flat_places("OpDecorate %v Location 3\n", "%t = OpTypeArray %v3double %n2\n"),
            (Places{{3, 0}, {3, 1}, {3, 2}, {3, 3}, {4, 0}, {4, 1}, {5, 0}, {5, 1}, {5, 2}, {5, 3}, {6, 0}, {6, 1}}));
  EXPECT_EQ(flat_places("OpDecorate %t Block\nOpMemberDecorate %t 0 Location 2\nOpMemberDecorate %t 0 Component 2\n"
                        "OpMemberDecorate %t 1 Location 7\n",
                        "%t = OpTypeStruct %double %v3double %float\n"),
            (Places{{2, 2}, {2, 3}, {7, 0}, {7, 1}, {7, 2}, {7, 3}, {8, 0}, {8, 1}, {9, 0}}));
}

TEST(Interface, AttributesOfDoublesAreWords) {
  EXPECT_EQ(attribute_places("OpDecorate %v Location 5\n", "%t = OpTypeVector %double 4\n"),
            (Places{{5, 0}, {5, 1}, {5, 2}, {5, 3}, {6, 0}, {6, 1}, {6, 2}, {6, 3}}));
}

TEST(Interface, ComponentsCountFromTheDecoration) {
  EXPECT_EQ(attribute_places("OpDecorate %v Location 3\nOpDecorate %v Component 2\n", "%t = OpTypeVector %float 2\n"),
            (Places{{3, 2}, {3, 3}}));
}

TEST(Interface, ColumnsTakeOneLocationEach) {
  EXPECT_EQ(attribute_places("OpDecorate %v Location 1\n", "%t = OpTypeMatrix %v2float 2\n"),
            (Places{{1, 0}, {1, 1}, {2, 0}, {2, 1}}));
}

TEST(Interface, ElementsTakeOneLocationEachFromTheirComponent) {
  EXPECT_EQ(attribute_places("OpDecorate %v Location 4\nOpDecorate %v Component 3\n", "%t = OpTypeArray %float %n2\n"),
            (Places{{4, 3}, {5, 3}}));
}

TEST(Interface, MembersGoOnFromTheLastOneOrStartAnew) {
  EXPECT_EQ(attribute_places("OpDecorate %t Block\nOpMemberDecorate %t 0 Location 7\nOpMemberDecorate %t 1 Location 2\n"
                             "OpMemberDecorate %t 1 Component 1\nOpMemberDecorate %t 2 Location 3\n",
                             "%t = OpTypeStruct %float %float %v2float\n"),
            (Places{{7, 0}, {2, 1}, {3, 0}, {3, 1}}));
  EXPECT_EQ(attribute_places("OpDecorate %v Location 7\n", "%t = OpTypeStruct %float %v2float %float\n"),
            (Places{{7, 0}, {8, 0}, {8, 1}, {9, 0}}));
}

struct Case {
  const char* name;
  ir::ShaderStage stage;
  const char* decorations;
  const char* types;
  const char* storage;
  const char* body;
  const char* message;
  Status status = Status::invalid_input;
};

constexpr auto kVertex = ir::ShaderStage::vertex, kFragment = ir::ShaderStage::fragment;
constexpr const char* kVector = "%t = OpTypeVector %float 3\n";

const Case kCases[] = {
    {"no_location", kVertex, "", kVector, "Input", "", "has no Location decoration"},
    {"location_too_large", kVertex, "OpDecorate %v Location 4000\n", kVector, "Output", "", "a location beyond 127"},
    {"fifth_component", kVertex, "OpDecorate %v Location 0\nOpDecorate %v Component 2\n", kVector, "Output", "",
     "components beyond the fourth"},
    {"half_a_double", kVertex, "OpDecorate %v Location 0\nOpDecorate %v Component 1\n", "%t = OpTypeVector %double 2\n",
     "Output", "", "components beyond the fourth"},
    {"three_doubles_from_the_third_component", kVertex, "OpDecorate %v Location 0\nOpDecorate %v Component 2\n",
     "%t = OpTypeVector %double 3\n", "Output", "", "components beyond the fourth"},
    {"double_beyond_locations", kVertex, "OpDecorate %v Location 127\n", "%t = OpTypeVector %double 4\n", "Output", "",
     "a location beyond 127"},
    {"double_colour", kFragment, "OpDecorate %v Location 0\n", "%t = OpTypeVector %double 2\n", "Output", "",
     "components of 64 bits, which no colour has"},
    {"double_beside_a_float", kVertex,
     "OpDecorate %t Block\nOpMemberDecorate %t 0 Location 2\nOpMemberDecorate %t 1 Location 3\nOpMemberDecorate %t 1 "
     "Component 1\n",
     "%t = OpTypeStruct %v3double %float\n", "Output", "", "two outputs are location.3.y"},
    {"interpolated_double", kFragment, "OpDecorate %v Location 0\nOpDecorate %v Flat\n",
     "%t = OpTypeVector %double 2\n", "Input", "%x = OpExtInst %t %glsl InterpolateAtCentroid %v\n", "expected"},
    {"two_at_one_place", kVertex,
     "OpDecorate %t Block\nOpMemberDecorate %t 0 Location 2\nOpMemberDecorate %t 1 Location 2\n",
     "%t = OpTypeStruct %float %float\n", "Output", "", "two outputs are location.2.x"},
    {"boolean", kVertex, "OpDecorate %v Location 0\n", "%t = OpTypeBool\n", "Output", "", "cannot pass between stages"},
    {"image", kFragment, "OpDecorate %v Location 0\n", "%t = OpTypeImage %float 2D 0 0 0 1 Unknown\n", "Input", "",
     "an input or output without a value"},
    {"many_elements", kVertex, "OpDecorate %v Location 100\n",
     "%n = OpConstant %int 1000000\n%t = OpTypeArray %float %n\n", "Output", "", "a location beyond 127"},
    {"nine_distances", kVertex, "OpDecorate %v BuiltIn ClipDistance\n", "%t = OpTypeArray %float %n9\n", "Output", "",
     "another type than built-in ClipDistance"},
    {"position_of_two", kVertex, "OpDecorate %v BuiltIn Position\n", "%t = OpTypeVector %int 4\n", "Output", "",
     "another type than built-in Position"},
    {"tessellation_level", kVertex, "OpDecorate %v BuiltIn TessLevelOuter\n", kVector, "Output", "",
     "built-in TessLevelOuter is not supported", Status::unsupported},
    {"vertex_index_in_fragment", kFragment, "OpDecorate %v BuiltIn VertexIndex\n", "%t = OpTypeInt 32 0\n", "Input",
     "%x = OpLoad %t %v\n", "built-in VertexIndex in a fragment shader is not supported", Status::unsupported},
    {"patch", kFragment, "OpDecorate %v Location 0\nOpDecorate %v Patch\n", kVector, "Input", "",
     "decoration Patch is not supported", Status::unsupported},
    {"store_to_input", kVertex, "OpDecorate %v Location 0\n", "%t = OpTypeVector %float 4\n", "Input",
     "%x = OpUndef %t\nOpStore %v %x\n", "a store to memory that is read only"},
    {"interpolated_output", kFragment, "OpDecorate %v Location 0\n", "%t = OpTypeVector %float 4\n", "Output",
     "%x = OpExtInst %t %glsl InterpolateAtCentroid %v\n", "expected a pointer to an input"},
    {"kill_in_vertex", kVertex, "OpDecorate %v Location 0\n", kVector, "Output", "OpKill\n%unreached = OpLabel\n",
     "expected a fragment shader"},
};

class MalformedInterface : public testing::TestWithParam<Case> {};

TEST_P(MalformedInterface, IsRejectedWithItsReason) {
  const Case& c = GetParam();
  const bool fragment = c.stage == kFragment;
  CompileContext context;
  const Result<ir::Module> module = read_stage(module_of(fragment ? "Fragment" : "Vertex", c.decorations, c.types,
                                                         c.storage, c.body, fragment ? kUpperLeft : ""),
                                               c.stage, context);
  ASSERT_FALSE(module.ok());
  EXPECT_NE(module.error().message.find(c.message), std::string::npos) << module.error().message;
  EXPECT_EQ(module.error().status, c.status);
  EXPECT_NE(module.error().offset, Error::kNoOffset);
}

INSTANTIATE_TEST_SUITE_P(Interface, MalformedInterface, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& parameter) { return parameter.param.name; });

/// The entry point of another stage is not taken.
TEST(Interface, StagesHaveTheirOwnEntryPoints) {
  CompileContext context;
  const std::string text =
      module_of("Vertex", "OpDecorate %v Location 0\n", "%t = OpTypeVector %float 4\n", "Output", "");
  const Result<ir::Module> module = read_stage(text, kFragment, context);
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().message, "the module has no fragment entry point");
}

}  // namespace
}  // namespace spalt::spirv
