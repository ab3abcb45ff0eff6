// SPDX-License-Identifier: MIT
// Vertex shaders of the compiler, drawn: what a pixel shader in assembly gets of them.
#include <cmath>
#include <cstring>

#include "amdgpu/abi/vertex_format.h"
#include "draw_fixture.h"
#include "driver/compile_stage.h"
#include "ir/parser.h"
#include "texel/codec.h"

namespace spalt::emu::test {
namespace {

using Color = std::array<float, 4>;
constexpr unsigned kSize = DrawFixture::kSize;
constexpr uint32_t kRgba32Float = 109;
const Color kUntouched = {-1, -1, -1, -1};

/// The draw's buffer: position and one more vector, bound once per vertex.
abi::GraphicsState state_of(uint32_t color_format, uint32_t color_offset = 16) {
  abi::GraphicsState state;
  state.attributes.push_back({.location = 0, .format = kRgba32Float, .offset = 0, .stride = sizeof(TestVertex)});
  state.attributes.push_back(
      {.location = 1, .format = color_format, .offset = color_offset, .stride = sizeof(TestVertex)});
  return state;
}

object::StageObject compile(const std::string& text, const Dialect& dialect, const abi::GraphicsState& state) {
  driver::Options options;
  options.target = isa::find_target(dialect.target);
  options.stage = ir::ShaderStage::vertex;
  options.wave_size = dialect.wave_size;
  options.verify = true;
  driver::GraphicsPipelineFacts facts;
  facts.state = state;
  facts.primitive_shader = dialect.is_primitive_shader;
  options.pipeline = facts;
  Result<ir::Module> module = ir::parse(text);
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message);
  if (!module.ok()) return object::StageObject();
  CompileContext context;
  driver::Diagnostics said;
  driver::PassRunner runner(options, said, context);
  driver::StageOutput output;
  EXPECT_TRUE(driver::compile_stage(*module, options, runner, output)) << runner.error().message;
  return output.stage;
}

/// Position from location 0; `body` gives the rest.
std::string vertex_shader(const std::string& body) {
  std::string text = "shader vertex\n\nfunc @main() {\nb0:\n";
  for (const char c : std::string("xyzw")) {
    text += std::string("  %p") + c + ": f32 = input location.0." + c + "\n";
    text += std::string("  output position.") + c + ", %p" + c + "\n";
  }
  return text + body + "  ret\n}\n";
}

std::vector<TestVertex> whole_screen(const Color& color) {
  return {{{-1, -1, 0, 1}, color}, {{3, -1, 0, 1}, color}, {{-1, 3, 0, 1}, color}};
}

class CompiledVertices : public testing::TestWithParam<Dialect> {};

/// Every format of attributes that has a layout of 8, 16 or 32 bits, or of 2_10_10_10 and 10_11_11.
TEST_P(CompiledVertices, AttributesOfAllFormats) {
  std::string body;
  for (const char c : std::string("xyzw")) {
    body += std::string("  %c") + c + ": f32 = input location.1." + c + "\n";
    body += std::string("  output location.0.") + c + ", %c" + c + "\n";
  }
  // As halves, they are numbers of an ordinary size, too.
  const Color kColor = {1.2345f, -3.1f, 0.6789f, 2.22f};
  unsigned tested = 0;
  for (const texel::Format& format : texel::formats()) {
    // Integers would be denormals, which interpolation need not keep.
    if (texel::is_integer(format.layout.number) || format.aspects != texel::kColor) continue;
    const uint32_t offset = format.shape().bits[0] == 8 ? 17 : format.shape().bits[0] == 16 ? 18 : 16;
    const abi::VertexAttribute attribute{.format = format.vk, .offset = offset, .stride = sizeof(TestVertex)};
    if (!abi::vertex_loads(attribute, 0xf, 4, *isa::find_target(GetParam().target))) continue;
    const TestVertex vertex{{}, kColor};
    texel::Texel texel = texel::decode(format.layout, reinterpret_cast<const std::byte*>(&vertex) + offset);
    texel = texel::swizzled(texel, format.swizzle, format.layout.number);
    Color expected;
    std::memcpy(expected.data(), texel.data(), sizeof expected);
    DrawFixture fixture(GetParam(), whole_screen(kColor));
    const Programs programs(GetParam());
    const auto program = fixture.load(compile(vertex_shader(body), GetParam(), state_of(format.vk, offset)),
                                      programs.pixel(programs.interpolate()));
    const auto report = fixture.draw(fixture.info(program, 3));
    ASSERT_EQ(report.result, SPALT_SUCCESS) << format.name << ": " << report.fault.message;
    EXPECT_EQ(fixture.color(5, 7), expected) << format.name;
    ++tested;
  }
  EXPECT_GT(tested, 40u);
}

/// Rows of pixels, moved by the number of the instance; the colour says which vertex and which draw it is.
TEST_P(CompiledVertices, BuiltIns) {
  const float step = 2.0f / kSize;
  DrawFixture fixture(
      GetParam(), {{{-1, -1, 0, 1}, {}}, {{3, -1, 0, 1}, {}}, {{-1, -1 + step, 0, 1}, {}}, {{3, -1 + step, 0, 1}, {}}});
  const std::string text =
      "shader vertex\n\nfunc @main() {\nb0:\n"
      "  %x: f32 = input location.0.x\n  %y: f32 = input location.0.y\n"
      "  %i: i32 = builtin instance_index\n  %b: i32 = builtin base_instance\n  %d: i32 = builtin draw_index\n"
      "  %f: f32 = u_to_f %i\n  %g: f32 = u_to_f %b\n  %h: f32 = u_to_f %d\n"
      "  %m: f32 = fmul %f, 0.125\n  %n: f32 = fadd %y, %m\n"
      "  output position.x, %x\n  output position.y, %n\n"
      "  output location.0.x, %f\n  output location.0.y, %g\n  output location.0.z, %h\n"
      "  output location.0.w, f32 7.0\n  ret\n}\n";
  const Programs programs(GetParam());
  const auto program =
      fixture.load(compile(text, GetParam(), state_of(kRgba32Float)), programs.pixel(programs.interpolate()));
  fixture.state.topology = 4;  // strip
  spalt_draw_info info = fixture.info(program, 4);
  info.first_instance = 3;
  info.instance_count = 5;
  info.draw_index = 9;
  const auto report = fixture.draw(info);
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  for (unsigned y = 0; y < kSize; ++y) {
    const bool drawn = y >= 3 && y < 8;
    EXPECT_EQ(fixture.color(2, y), drawn ? (Color{static_cast<float>(y), 3, 9, 7}) : kUntouched) << y;
  }
}

/// Triangle t covers the row t mod 16 and has the colour t, computed in a loop that lanes leave at different times:
/// many waves, of groups that are not full.
TEST_P(CompiledVertices, ManyTrianglesAndDivergentFlow) {
  constexpr unsigned kTriangles = 333;
  const float step = 2.0f / kSize;
  std::vector<TestVertex> vertices;
  for (unsigned t = 0; t < kTriangles; ++t) {
    const float y = -1 + step * static_cast<float>(t % kSize), number = static_cast<float>(t);
    for (const auto& at : {Color{-1, y, 0, 1}, Color{5, y, 0, 1}, Color{-1, y + step, 0, 1}}) {
      vertices.push_back({at, {number, 0, 0, 0}});
    }
  }
  DrawFixture fixture(GetParam(), vertices);
  const std::string text =
      "shader vertex\n\nfunc @main() {\nb0:\n"
      "  %x: f32 = input location.0.x\n  %y: f32 = input location.0.y\n  %c: f32 = input location.1.x\n"
      "  %n: i32 = f_to_u %c\n  branch b1\n"
      "b1: loop merge b3, continue b2\n"
      "  %i: i32 = phi [b0 0], [b2 %j]\n  %s: f32 = phi [b0 0.0], [b2 %t]\n"
      "  %go: i1 = ult %i, %n\n  branch_if %go, b2, b3\n"
      "b2:\n  %j: i32 = iadd %i, 1\n  %t: f32 = fadd %s, 1.0\n  branch b1\n"
      "b3:\n  output position.x, %x\n  output position.y, %y\n"
      "  output location.0.x, %s\n  output location.0.y, %c\n  output location.0.z, f32 0.5\n"
      "  output location.0.w, f32 1.0\n  output location.7.x, %c\n  ret\n}\n";
  const Programs programs(GetParam());
  const auto program =
      fixture.load(compile(text, GetParam(), state_of(kRgba32Float)), programs.pixel(programs.interpolate()));
  const auto report = fixture.draw(fixture.info(program, 3 * kTriangles));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  for (unsigned y = 0; y < kSize; ++y) {
    const unsigned last = kTriangles - 1 - (kTriangles - 1 - y) % kSize;
    const auto number = static_cast<float>(last);
    EXPECT_EQ(fixture.color(0, y), (Color{number, number, 0.5f, 1})) << y;
  }
}

TEST_P(CompiledVertices, ClipDistances) {
  DrawFixture fixture(GetParam(), whole_screen({1, 2, 3, 4}));
  const std::string body =
      "  output clip_distance.0, f32 1.0\n  output clip_distance.1, %px\n  output point_size, f32 1.0\n"
      "  %c: f32 = input location.1.w\n  output location.0.x, %c\n  output location.0.w, f32 1.0\n";
  const Programs programs(GetParam());
  const auto program = fixture.load(compile(vertex_shader(body), GetParam(), state_of(kRgba32Float)),
                                    programs.pixel(programs.interpolate()));
  const auto report = fixture.draw(fixture.info(program, 3));
  ASSERT_EQ(report.result, SPALT_SUCCESS) << report.fault.message;
  EXPECT_EQ(fixture.color(kSize / 2 - 2, 3), kUntouched);
  EXPECT_EQ(fixture.color(kSize / 2 + 1, 3)[0], 4.0f);
}

INSTANTIATE_TEST_SUITE_P(Dialects, CompiledVertices, testing::ValuesIn(kDialects));

}  // namespace
}  // namespace spalt::emu::test
