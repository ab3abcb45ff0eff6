// SPDX-License-Identifier: MIT
// Fragment shaders of the compiler, drawn behind a vertex shader in assembly.
#include <cmath>

#include "draw_fixture.h"
#include "driver/compile_stage.h"
#include "ir/parser.h"

namespace spalt::emu::test {
namespace {

using Color = std::array<float, 4>;
constexpr unsigned kSize = DrawFixture::kSize;
constexpr uint32_t kRgba32Float = 109;
const Color kUntouched = {-1, -1, -1, -1};

object::StageObject compile(const std::string& body, const Dialect& dialect) {
  driver::Options options;
  options.target = isa::find_target(dialect.target);
  options.stage = ir::ShaderStage::fragment;
  options.wave_size = dialect.wave_size;
  options.verify = true;
  driver::GraphicsPipelineFacts facts;
  facts.state.targets[0].format = kRgba32Float;
  options.pipeline = facts;
  Result<ir::Module> module = ir::parse("shader fragment\n\nfunc @main() {\n" + body + "}\n");
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message);
  if (!module.ok()) return object::StageObject();
  CompileContext context;
  driver::Diagnostics said;
  driver::PassRunner runner(options, said, context);
  driver::StageOutput output;
  EXPECT_TRUE(driver::compile_stage(*module, options, runner, output)) << runner.error().message;
  return output.stage;
}

/// The middle of a pixel, from -1 to 1.
float middle(unsigned pixel) {
  return (static_cast<float>(pixel) + 0.5f) / (kSize / 2) - 1;
}

std::vector<TestVertex> whole_screen() {
  return {{{-1, -1, 0, 1}, {-1, -1, 5, 1}}, {{3, -1, 0, 1}, {3, -1, 5, 1}}, {{-1, 3, 0, 1}, {-1, 3, 5, 1}}};
}

/// One whose edges cut many quads.
std::vector<TestVertex> thin_triangle() {
  return {
      {{-0.9f, -0.9f, 0, 1}, {1, 2, 3, 4}}, {{0.9f, -0.3f, 0, 1}, {1, 2, 3, 4}}, {{-0.2f, 0.9f, 0, 1}, {1, 2, 3, 4}}};
}

class CompiledFragments : public testing::TestWithParam<Dialect> {
 protected:
  /// Draws one triangle; the fixture has the picture.
  void draw(DrawFixture& fixture, const std::string& body) {
    const Programs programs(GetParam());
    const auto program = fixture.load(programs.vertex(), compile(body, GetParam()));
    const auto report = fixture.draw(fixture.info(program, 3));
    ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  }
};

TEST_P(CompiledFragments, ConstantColor) {
  DrawFixture fixture(GetParam(), whole_screen());
  draw(fixture,
       "b0:\n  output location.0.x, f32 0.25\n  output location.0.y, f32 2.0\n  output location.0.z, f32 -3.0\n"
       "  output location.0.w, f32 1.0\n  ret\n");
  for (unsigned i = 0; i < kSize; ++i) EXPECT_EQ(fixture.color(i, kSize - 1 - i), (Color{0.25f, 2, -3, 1}));
}

/// 1 / w is linear on the screen; so is each attribute over w.
TEST_P(CompiledFragments, InterpolationModes) {
  const float w[] = {1, 2, 4};
  std::vector<TestVertex> vertices = whole_screen();
  for (unsigned i = 0; i < 3; ++i) {
    for (float& part : vertices[i].position) part *= w[i];
    vertices[i].color = {vertices[i].position[0], vertices[i].position[1], 0, 0};
  }
  DrawFixture fixture(GetParam(), vertices);
  draw(fixture,
       "b0:\n  %a: f32 = input location.0.x, perspective\n  %b: f32 = input location.0.x, linear\n"
       "  %c: f32 = input location.0.y, flat\n  %d: f32 = input location.0.y, perspective\n"
       "  output location.0.x, %a\n  output location.0.y, %b\n  output location.0.z, %c\n"
       "  output location.0.w, %d\n  ret\n");
  for (unsigned y = 0; y < kSize; ++y) {
    for (unsigned x = 0; x < kSize; ++x) {
      const float u = (middle(x) + 1) / 4, v = (middle(y) + 1) / 4;
      const float reciprocal = 1 + u * (0.5f - 1) + v * (0.25f - 1);
      const Color color = fixture.color(x, y);
      EXPECT_NEAR(color[0], middle(x) / reciprocal, 1e-4f) << x << ", " << y;
      EXPECT_NEAR(color[1], -1 + u * (6 + 1) + v * (-4 + 1), 1e-4f) << x << ", " << y;
      EXPECT_EQ(color[2], -1);
      EXPECT_NEAR(color[3], middle(y) / reciprocal, 1e-4f) << x << ", " << y;
    }
  }
}

TEST_P(CompiledFragments, BuiltIns) {
  DrawFixture fixture(GetParam(), whole_screen());
  draw(fixture,
       "b0:\n  %x: f32 = builtin frag_coord.x\n  %y: f32 = builtin frag_coord.y\n  %w: f32 = builtin frag_coord.w\n"
       "  %front: i1 = builtin front_facing\n  %h: i1 = is_helper\n  %f: i32 = zext %front\n  %g: f32 = u_to_f %f\n"
       "  %r: f32 = select %h, f32 9.0, %w\n"
       "  output location.0.x, %x\n  output location.0.y, %y\n  output location.0.z, %r\n  output location.0.w, %g\n"
       "  ret\n");
  for (unsigned x = 0; x < kSize; ++x) {
    const Color color = fixture.color(x, 3);
    EXPECT_EQ(color[0], static_cast<float>(x) + 0.5f);
    EXPECT_EQ(color[1], 3.5f);
    EXPECT_NEAR(color[2], 1, 1e-6f);
    EXPECT_TRUE(color[3] == 0 || color[3] == 1);
  }
}

/// Neighbours outside of the triangle have their values, too; also inside of a branch that a whole quad takes.
TEST_P(CompiledFragments, DerivativesAtEdges) {
  DrawFixture fixture(GetParam(), thin_triangle());
  draw(fixture,
       "b0: merge b2\n  %x: f32 = builtin frag_coord.x\n  %y: f32 = builtin frag_coord.y\n"
       "  %v: f32 = input location.0.y, perspective\n  %s: f32 = fmul %x, %v\n"
       "  %right: f32 = quad_permute %s, 0x55\n  %left: f32 = quad_permute %s, 0\n  %dx: f32 = fsub %right, %left\n"
       "  %c: i1 = folt %y, 8.0\n  branch_if %c, b1, b2\n"
       "b1:\n  %below: f32 = quad_permute %y, 0xaa\n  %above: f32 = quad_permute %y, 0\n"
       "  %dy: f32 = fsub %below, %above\n  branch b2\n"
       "b2:\n  %d: f32 = phi [b0 7.0], [b1 %dy]\n"
       "  output location.0.x, %dx\n  output location.0.y, %d\n  output location.0.z, f32 0.0\n"
       "  output location.0.w, f32 0.0\n  ret\n");
  unsigned drawn = 0;
  for (unsigned y = 0; y < kSize; ++y) {
    for (unsigned x = 0; x < kSize; ++x) {
      const Color color = fixture.color(x, y);
      if (color == kUntouched) continue;
      ++drawn;
      EXPECT_NEAR(color[0], 2, 1e-3f) << x << ", " << y;
      EXPECT_EQ(color[1], y < 8 ? 1.0f : 7.0f) << x << ", " << y;
    }
  }
  EXPECT_GT(drawn, 40u);
  EXPECT_LT(drawn, 200u);
}

/// Every third column goes, in different turns of a loop, and is a helper of its neighbours from then on.
TEST_P(CompiledFragments, DemotionInALoop) {
  DrawFixture fixture(GetParam(), whole_screen());
  draw(fixture,
       "b0:\n  %x: f32 = builtin frag_coord.x\n  %n: i32 = f_to_u %x\n  branch b1\n"
       "b1: loop merge b4, continue b3\n  %i: i32 = phi [b0 0], [b3 %j]\n  %go: i1 = ule %i, %n\n"
       "  branch_if %go, b2, b4\n"
       "b2:\n  %same: i1 = ieq %i, %n\n  %third: i32 = umod %i, 3\n  %zero: i1 = ieq %third, 0\n"
       "  %gone: i1 = iand %same, %zero\n  demote %gone\n  branch b3\n"
       "b3:\n  %j: i32 = iadd %i, 1\n  branch b1\n"
       "b4:\n  %h: i1 = is_helper\n  %right: f32 = quad_permute %x, 0x55\n  %left: f32 = quad_permute %x, 0\n"
       "  %dx: f32 = fsub %right, %left\n  %c: f32 = select %h, f32 5.0, %dx\n"
       "  output location.0.x, %c\n  output location.0.y, %x\n  output location.0.z, f32 0.0\n"
       "  output location.0.w, f32 0.0\n  ret\n");
  for (unsigned x = 0; x < kSize; ++x) {
    const Color expected = {1, static_cast<float>(x) + 0.5f, 0, 0};
    for (unsigned y = 0; y < kSize; ++y) EXPECT_EQ(fixture.color(x, y), x % 3 == 0 ? kUntouched : expected) << x;
  }
}

TEST_P(CompiledFragments, NobodySurvives) {
  DrawFixture fixture(GetParam(), whole_screen());
  draw(fixture, "b0:\n  demote true\n  output location.0.x, f32 1.0\n  ret\n");
  EXPECT_EQ(fixture.color(3, 3), kUntouched);
}

/// All lanes agree at run time that they are gone.
TEST_P(CompiledFragments, UniformDemotion) {
  DrawFixture fixture(GetParam(), whole_screen());
  draw(fixture,
       "b0:\n  %x: f32 = builtin frag_coord.x\n  %n: i32 = bitcast %x\n  %m: i32 = read_first_lane %n\n"
       "  %c: i1 = ine %m, 0\n  demote %c\n  output location.0.x, f32 1.0\n  ret\n");
  EXPECT_EQ(fixture.color(3, 3), kUntouched);
}

INSTANTIATE_TEST_SUITE_P(Dialects, CompiledFragments, testing::ValuesIn(kDialects));

}  // namespace
}  // namespace spalt::emu::test
