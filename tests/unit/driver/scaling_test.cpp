// SPDX-License-Identifier: MIT
// Shapes in which one thing grows without bound: predecessors of one block, depth of a nest, length of a block. The
// code must grow in proportion; and a quadratic algorithm somewhere would make these tests, with all verifiers and the
// allocation checker, run for minutes.
#include <gtest/gtest.h>

#include <spalt/spalt.hpp>

#include "../spirv/assemble.h"

namespace {

using spalt_api::Compilation;
using spalt_api::Compiler;

/// The text of a shader that keeps a running value in a variable, changed by every step.
class Shape {
 public:
  explicit Shape(bool divergent) {
    line("%y = OpVariable %fn_uint Function");
    line("%p = OpAccessChain %element %buffer %u0 %u0");
    // Each lane gets another result from an atomic operation; all lanes read the same from one address.
    line(divergent ? "%x = OpAtomicIAdd %uint %p %u1 %u0 %u1" : "%x = OpLoad %uint %p");
    line("OpStore %y %x");
  }

  void line(const std::string& text) { body_ += text + "\n"; }
  void label(const std::string& name) { line("%" + name + " = OpLabel"); }
  void jump(const std::string& name) { line("OpBranch %" + name); }

  /// Changes the running value; returns a name for it.
  std::string step() {
    const std::string old = fresh(), sum = fresh(), result = fresh();
    line(old + " = OpLoad %uint %y");
    line(sum + " = OpIAdd %uint " + old + " %x");
    line(result + " = OpBitwiseXor %uint " + sum + " %u4");
    line("OpStore %y " + result);
    return result;
  }
  /// A selection if there is a merge block.
  void branch(const std::string& then, const std::string& other, const std::string& merge = "") {
    const std::string value = step(), condition = fresh();
    line(condition + " = OpIEqual %bool " + value + " %u2");
    if (!merge.empty()) line("OpSelectionMerge %" + merge + " None");
    line("OpBranchConditional " + condition + " %" + then + " %" + other);
  }

  std::vector<uint32_t> finish() {
    const std::string last = fresh();
    line(last + " = OpLoad %uint %y");
    line("OpStore %p " + last);
    line("OpReturn");
    return spalt::spirv::assemble(spalt::spirv::shader(
        "%fn_uint = OpTypePointer Function %uint\n%fn_bool = OpTypePointer Function %bool\n", body_));
  }

 private:
  std::string fresh() { return "%t" + std::to_string(next_++); }

  std::string body_;
  unsigned next_ = 0;
};

std::string name(const char* prefix, unsigned number) {
  return prefix + std::to_string(number);
}

void open_loop(Shape& shape) {
  shape.jump("head");
  shape.label("head");
  shape.line("OpLoopMerge %merge %again None");
  shape.jump("b0");
}

std::vector<uint32_t> loop_with_breaks(unsigned count, bool divergent) {
  Shape shape(divergent);
  open_loop(shape);
  for (unsigned i = 0; i < count; ++i) {
    shape.label(name("b", i));
    shape.branch("merge", name("b", i + 1));
  }
  shape.label(name("b", count));
  shape.jump("again");
  shape.label("again");
  shape.jump("head");
  shape.label("merge");
  return shape.finish();
}

/// Each break leaves with another value of a flag that is asked for behind the loop.
std::vector<uint32_t> loop_with_flags(unsigned count, bool divergent) {
  Shape shape(divergent);
  shape.line("%flag = OpVariable %fn_bool Function");
  shape.line("OpStore %flag %true");
  open_loop(shape);
  for (unsigned i = 0; i < count; ++i) {
    shape.label(name("b", i));
    shape.line("%" + name("flag_", i) + " = OpUGreaterThan %bool " + shape.step() + " %u4");
    shape.line("OpStore %flag %" + name("flag_", i));
    shape.branch("merge", name("b", i + 1));
  }
  shape.label(name("b", count));
  shape.jump("again");
  shape.label("again");
  shape.jump("head");
  shape.label("merge");
  shape.line("%last_flag = OpLoad %bool %flag");
  shape.line("%chosen = OpSelect %uint %last_flag %u1 %u2");
  shape.line("OpStore %y %chosen");
  return shape.finish();
}

std::vector<uint32_t> loop_with_continues(unsigned count, bool divergent) {
  Shape shape(divergent);
  open_loop(shape);
  for (unsigned i = 0; i < count; ++i) {
    shape.label(name("b", i));
    shape.branch("again", name("b", i + 1));
  }
  shape.label(name("b", count));
  shape.jump("merge");
  shape.label("again");
  shape.jump("head");
  shape.label("merge");
  return shape.finish();
}

std::vector<uint32_t> returns(unsigned count, bool divergent) {
  Shape shape(divergent);
  for (unsigned i = 0; i < count; ++i) {
    shape.branch(name("r", i), name("m", i), name("m", i));
    shape.label(name("r", i));
    shape.line("OpReturn");
    shape.label(name("m", i));
  }
  return shape.finish();
}

std::vector<uint32_t> nest(unsigned count, bool divergent) {
  Shape shape(divergent);
  for (unsigned i = 0; i < count; ++i) {
    shape.branch(name("b", i), name("e", i), name("m", i));
    shape.label(name("b", i));
  }
  for (unsigned i = count; i-- > 0;) {
    shape.step();
    shape.jump(name("m", i));
    shape.label(name("e", i));
    shape.step();
    shape.jump(name("m", i));
    shape.label(name("m", i));
  }
  return shape.finish();
}

std::vector<uint32_t> ifs(unsigned count, bool divergent) {
  Shape shape(divergent);
  for (unsigned i = 0; i < count; ++i) {
    shape.branch(name("b", i), name("m", i), name("m", i));
    shape.label(name("b", i));
    shape.step();
    shape.jump(name("m", i));
    shape.label(name("m", i));
  }
  return shape.finish();
}

std::vector<uint32_t> block(unsigned count, bool divergent) {
  Shape shape(divergent);
  for (unsigned i = 0; i < count; ++i) shape.step();
  return shape.finish();
}

struct Growth {
  const char* name;
  std::vector<uint32_t> (*make)(unsigned count, bool divergent);
  bool divergent;
  unsigned count;
};

class Scaling : public testing::TestWithParam<Growth> {};

double instructions(const Growth& growth, unsigned count) {
  const Compiler compiler("gfx1030");
  const std::vector<uint32_t> words = growth.make(count, growth.divergent);
  spalt_compile_info info = Compiler::info(words);
  info.verify = 1;
  const Compilation compilation = compiler.compile(info);
  EXPECT_TRUE(compilation.ok()) << compilation.message();
  return compilation.ok() ? compilation.statistics().instructions : 0;
}

TEST_P(Scaling, CodeGrowsInProportion) {
  const Growth& growth = GetParam();
  const double small = instructions(growth, growth.count / 4), large = instructions(growth, growth.count);
  EXPECT_GT(large, growth.count);
  // A branch that no longer reaches its target becomes a jump of five instructions; each step has at most one.
  EXPECT_LE(large, 4.3 * small + 4.0 * growth.count);
}

std::vector<uint32_t> cases(unsigned count, bool divergent) {
  Shape shape(divergent);
  std::string targets;
  for (unsigned i = 0; i < count; ++i) targets += " " + std::to_string(i) + " %" + name("c", i);
  shape.line("OpSelectionMerge %merge None");
  shape.line("OpSwitch %x %merge" + targets);
  for (unsigned i = 0; i < count; ++i) {
    shape.label(name("c", i));
    // Nothing that a select could do for all lanes.
    shape.line("%" + name("old", i) + " = OpAtomicIAdd %uint %p %u1 %u0 %u1");
    shape.jump("merge");
  }
  shape.label("merge");
  return shape.finish();
}

/// Lane masks of n nested branches or of a divergent switch live in n blocks each. What passes must be enough for every
/// shader that somebody wrote; what would take minutes is refused soon.
TEST(LiveMasks, AreLimited) {
  const Compiler compiler("gfx1030");
  const auto result = [&](const std::vector<uint32_t>& words) {
    const Compilation compilation = compiler.compile(Compiler::info(words));
    if (compilation.result() == SPALT_ERROR_LIMIT_EXCEEDED) {
      EXPECT_NE(compilation.message().find("lane masks are live, and at most 16777216 may be"), std::string::npos)
          << compilation.message();
    }
    return compilation.result();
  };
  EXPECT_EQ(result(nest(2000, true)), SPALT_SUCCESS);
  EXPECT_EQ(result(nest(8000, true)), SPALT_ERROR_LIMIT_EXCEEDED);
  EXPECT_EQ(result(nest(8000, false)), SPALT_SUCCESS);
  EXPECT_EQ(result(cases(2000, true)), SPALT_SUCCESS);
  EXPECT_EQ(result(cases(10000, true)), SPALT_ERROR_LIMIT_EXCEEDED);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Scaling,
                         testing::Values(Growth{"breaks", loop_with_breaks, true, 20000},
                                         Growth{"uniform_breaks", loop_with_breaks, false, 20000},
                                         Growth{"flags", loop_with_flags, true, 20000},
                                         Growth{"continues", loop_with_continues, true, 8000},
                                         Growth{"uniform_continues", loop_with_continues, false, 8000},
                                         Growth{"returns", returns, true, 8000},
                                         Growth{"uniform_nest", nest, false, 4000}, Growth{"nest", nest, true, 1600},
                                         Growth{"ifs", ifs, true, 8000}, Growth{"block", block, false, 20000}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
