// SPDX-License-Identifier: MIT
//
// The projection onto a cube against the table of faces in the Vulkan specification ("Cube Map Face Selection and
// Transformations"), written again here in doubles, and gradients against quotients of differences.
#include "amdgpu/lower/cube.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "ir/evaluate.h"

namespace spalt::lower {
namespace {

using ir::Op;
using ir::Value;
using Vector3 = std::array<double, 3>;

struct Place {
  int face = 0;
  double s = 0, t = 0;  ///< in [0, 1]
};

Place reference(const Vector3& r) {
  const double x = std::fabs(r[0]), y = std::fabs(r[1]), z = std::fabs(r[2]);
  double sc = 0, tc = 0, major = 0;
  int face = 0;
  if (z >= x && z >= y) {
    face = r[2] < 0 ? 5 : 4;
    sc = face == 5 ? -r[0] : r[0];
    tc = -r[1];
    major = z;
  } else if (y >= x) {
    face = r[1] < 0 ? 3 : 2;
    sc = r[0];
    tc = face == 3 ? -r[2] : r[2];
    major = y;
  } else {
    face = r[0] < 0 ? 1 : 0;
    sc = face == 1 ? r[2] : -r[2];
    tc = -r[1];
    major = x;
  }
  return {face, 0.5 * sc / major + 0.5, 0.5 * tc / major + 0.5};
}

/// The code of one projection and one gradient; evaluates it with what ir/evaluate says each operation means.
class Projection {
 public:
  Projection() : function_() {
    for (Value& param : params_) param = function_.add_param(ir::kF32);
    const ir::BlockId block = function_.create_block();
    function_.edit_layout().push_back(block);
    ir::Builder builder(function_);
    builder.set_end(block);
    builder.ret();
    const Value end = function_.block(block).last;
    Inserter insert(function_, arena_);
    insert.before(end);
    const CubeFace face = cube_face(insert, std::span(params_).first(3));
    const FacePlace gradient = face_gradient(insert, face, std::span(params_).last(3));
    results_ = {face.id, face.place.s, face.place.t, gradient.s, gradient.t};
  }

  /// Face, s, t, and the gradient of s and t.
  std::array<float, 5> run(const Vector3& direction, const Vector3& along) const {
    std::vector<uint64_t> values(function_.value_capacity());
    for (uint32_t i = 0; i < values.size(); ++i) {
      if (function_.inst(Value(i)).op == Op::constant) values[i] = function_.inst(Value(i)).imm;
    }
    for (unsigned i = 0; i < 3; ++i) {
      values[params_[i].index] = std::bit_cast<uint32_t>(static_cast<float>(direction[i]));
      values[params_[3 + i].index] = std::bit_cast<uint32_t>(static_cast<float>(along[i]));
    }
    for (Value value : ir::insts(function_, function_.entry())) {
      const ir::Inst& inst = function_.inst(value);
      if (inst.op == Op::ret) break;
      std::vector<ir::Type> types;
      std::vector<uint64_t> bits;
      for (Value operand : function_.operands(value)) {
        types.push_back(function_.type(operand));
        bits.push_back(values[operand.index]);
      }
      const auto result = ir::evaluate(inst.op, inst.type, types, bits);
      EXPECT_TRUE(result.has_value()) << ir::info(inst.op).name;
      values[value.index] = result.value_or(0);
    }
    std::array<float, 5> out{};
    for (unsigned i = 0; i < 5; ++i) out[i] = std::bit_cast<float>(static_cast<uint32_t>(values[results_[i].index]));
    return out;
  }

 private:
  Arena arena_;
  ir::Function function_;
  std::array<Value, 6> params_;
  std::array<Value, 5> results_;
};

TEST(Cube, AxesAndTies) {
  const Projection projection;
  const struct {
    Vector3 direction;
    int face;
  } cases[] = {{{2, 0, 0}, 0},    {{-2, 0, 0}, 1},     {{0, 3, 0}, 2},  {{0, -3, 0}, 3}, {{0, 0, 0.5}, 4},
               {{0, 0, -0.5}, 5}, {{1, 1, 1}, 4},      {{1, -1, 0}, 3}, {{-1, 0, 1}, 4}, {{0, 1, -1}, 5},
               {{-1, 1, 0}, 2},   {{-1, 0.5, 0.9}, 1}, {{1, -1, -1}, 5}};
  for (const auto& c : cases) EXPECT_EQ(projection.run(c.direction, {0, 0, 0})[0], c.face);
}

TEST(Cube, PlacesAgreeWithTheTable) {
  const Projection projection;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> component(-4, 4);
  for (int i = 0; i < 2000; ++i) {
    const Vector3 direction{component(random), component(random), component(random)};
    const Place expected = reference(direction);
    const auto found = projection.run(direction, {0, 0, 0});
    EXPECT_EQ(found[0], expected.face);
    EXPECT_NEAR(found[1], expected.s + 1, 1e-6);
    EXPECT_NEAR(found[2], expected.t + 1, 1e-6);
  }
}

TEST(Cube, GradientsAreDerivativesOfThePlace) {
  const Projection projection;
  std::mt19937 random(2);
  std::uniform_real_distribution<float> component(-4, 4);
  std::array<int, 6> seen{};
  for (int i = 0; i < 2000; ++i) {
    const Vector3 direction{component(random), component(random), component(random)};
    const Vector3 along{component(random), component(random), component(random)};
    const double step = 1e-5;
    Vector3 before, after;
    for (unsigned k = 0; k < 3; ++k) {
      before[k] = direction[k] - step * along[k];
      after[k] = direction[k] + step * along[k];
    }
    const Place low = reference(before), high = reference(after);
    // Across an edge of the cube there is no derivative.
    if (low.face != high.face || std::fabs(direction[static_cast<unsigned>(low.face / 2)]) < 0.1) continue;
    ++seen[static_cast<unsigned>(low.face)];
    const double ds = (high.s - low.s) / (2 * step), dt = (high.t - low.t) / (2 * step);
    const auto found = projection.run(direction, along);
    EXPECT_NEAR(found[3], ds, 1e-4 + 1e-4 * std::fabs(ds));
    EXPECT_NEAR(found[4], dt, 1e-4 + 1e-4 * std::fabs(dt));
  }
  for (int count : seen) EXPECT_GT(count, 100);
}

}  // namespace
}  // namespace spalt::lower
