// SPDX-License-Identifier: MIT
#include "scaling/shapes.h"

#include <string>

#include "unit/spirv/assemble.h"

namespace spalt::scaling {
namespace {

using Words = std::vector<uint32_t>;

/// The text of a shader that keeps a running value in a variable, changed by every step.
class Text {
 public:
  explicit Text(bool divergent) {
    variable("y");
    line("%p = OpAccessChain %element %buffer %u0 %u0");
    // Each lane gets another result from an atomic operation; all lanes read the same from one address.
    line(divergent ? "%x = OpAtomicIAdd %uint %p %u1 %u0 %u1" : "%x = OpLoad %uint %p");
    line("OpStore %y %x");
  }

  void variable(const std::string& name) { variables_ += "%" + name + " = OpVariable %fn_uint Function\n"; }
  void flag(const std::string& name) { variables_ += "%" + name + " = OpVariable %fn_bool Function\n"; }
  void line(const std::string& text) { body_ += text + "\n"; }
  void label(const std::string& name) { line("%" + name + " = OpLabel"); }
  void jump(const std::string& name) { line("OpBranch %" + name); }

  /// Changes the running value, by another word if there is one; returns a name for it.
  std::string step(const std::string& by = "%x") {
    const std::string old = fresh(), sum = fresh(), result = fresh();
    line(old + " = OpLoad %uint %y");
    line(sum + " = OpIAdd %uint " + old + " " + by);
    line(result + " = OpBitwiseXor %uint " + sum + " %u4");
    line("OpStore %y " + result);
    return result;
  }
  /// The value of a variable.
  std::string load(const std::string& variable) {
    const std::string value = fresh();
    line(value + " = OpLoad %uint %" + variable);
    return value;
  }
  /// A selection if there is a merge block.
  void branch(const std::string& then, const std::string& other, const std::string& merge = "") {
    const std::string value = step(), condition = fresh();
    line(condition + " = OpIEqual %bool " + value + " %u2");
    if (!merge.empty()) line("OpSelectionMerge %" + merge + " None");
    line("OpBranchConditional " + condition + " %" + then + " %" + other);
  }

  Words finish() {
    line("OpStore %p " + load("y"));
    line("OpReturn");
    return spirv::assemble(spirv::shader(
        "%fn_uint = OpTypePointer Function %uint\n%fn_bool = OpTypePointer Function %bool\n", variables_ + body_));
  }

 private:
  std::string fresh() { return "%t" + std::to_string(next_++); }

  std::string variables_, body_;
  unsigned next_ = 0;
};

std::string name(const char* prefix, unsigned number) {
  return prefix + std::to_string(number);
}

/// The blocks of a loop around `body()`, which begins in block `b` and ends in an open one.
void open_loop(Text& text, unsigned number) {
  text.jump(name("head", number));
  text.label(name("head", number));
  text.line("OpLoopMerge %" + name("merge", number) + " %" + name("again", number) + " None");
  text.jump(name("body", number));
  text.label(name("body", number));
}
void close_loop(Text& text, unsigned number) {
  text.jump(name("again", number));
  text.label(name("again", number));
  text.jump(name("head", number));
  text.label(name("merge", number));
}
/// The last block of the body leaves the loop or goes on.
void close_loop_by_choice(Text& text, unsigned number) {
  text.branch(name("merge", number), name("again", number));
  text.label(name("again", number));
  text.jump(name("head", number));
  text.label(name("merge", number));
}

Words breaks(uint32_t count, bool divergent) {
  Text text(divergent);
  open_loop(text, 0);
  for (unsigned i = 0; i < count; ++i) {
    text.branch("merge0", name("b", i));
    text.label(name("b", i));
  }
  close_loop(text, 0);
  return text.finish();
}

/// Each break leaves with another value of a flag that is asked for after the loop.
Words flags(uint32_t count, bool divergent) {
  Text text(divergent);
  text.flag("flag");
  text.line("OpStore %flag %true");
  open_loop(text, 0);
  for (unsigned i = 0; i < count; ++i) {
    text.line("%" + name("flag_", i) + " = OpUGreaterThan %bool " + text.step() + " %u4");
    text.line("OpStore %flag %" + name("flag_", i));
    text.branch("merge0", name("b", i));
    text.label(name("b", i));
  }
  close_loop(text, 0);
  text.line("%last_flag = OpLoad %bool %flag");
  text.line("%chosen = OpSelect %uint %last_flag %u1 %u2");
  text.line("OpStore %y %chosen");
  return text.finish();
}

Words continues(uint32_t count, bool divergent) {
  Text text(divergent);
  open_loop(text, 0);
  for (unsigned i = 0; i < count; ++i) {
    text.branch("again0", name("b", i));
    text.label(name("b", i));
  }
  text.jump("merge0");
  text.label("again0");
  text.jump("head0");
  text.label("merge0");
  return text.finish();
}

Words returns(uint32_t count, bool divergent) {
  Text text(divergent);
  for (unsigned i = 0; i < count; ++i) {
    text.branch(name("r", i), name("m", i), name("m", i));
    text.label(name("r", i));
    text.line("OpReturn");
    text.label(name("m", i));
  }
  return text.finish();
}

Words nest_of(uint32_t count, bool with_else, bool divergent) {
  Text text(divergent);
  for (unsigned i = 0; i < count; ++i) {
    text.branch(name("b", i), name(with_else ? "e" : "m", i), name("m", i));
    text.label(name("b", i));
  }
  for (unsigned i = count; i-- > 0;) {
    text.step();
    text.jump(name("m", i));
    if (with_else) {
      text.label(name("e", i));
      text.step();
      text.jump(name("m", i));
    }
    text.label(name("m", i));
  }
  return text.finish();
}

Words nest(uint32_t count, bool divergent) {
  return nest_of(count, false, divergent);
}

Words nest_with_else(uint32_t count, bool divergent) {
  return nest_of(count, true, divergent);
}

Words ifs(uint32_t count, bool divergent) {
  Text text(divergent);
  for (unsigned i = 0; i < count; ++i) {
    text.branch(name("b", i), name("m", i), name("m", i));
    text.label(name("b", i));
    text.step();
    text.jump(name("m", i));
    text.label(name("m", i));
  }
  return text.finish();
}

/// `count` variables are stored on one side of a branch and used after it.
Words phis(uint32_t count, bool divergent) {
  Text text(divergent);
  for (unsigned i = 0; i < count; ++i) {
    text.variable(name("v", i));
    text.line("OpStore %" + name("v", i) + " %u1");
  }
  text.branch("side", "merge", "merge");
  text.label("side");
  for (unsigned i = 0; i < count; ++i) text.line("OpStore %" + name("v", i) + " " + text.step());
  text.jump("merge");
  text.label("merge");
  for (unsigned i = 0; i < count; ++i) text.step(text.load(name("v", i)));
  return text.finish();
}

Words block(uint32_t count, bool divergent) {
  Text text(divergent);
  for (unsigned i = 0; i < count; ++i) text.step();
  return text.finish();
}

Words loops(uint32_t count, bool divergent) {
  Text text(divergent);
  for (unsigned i = 0; i < count; ++i) {
    open_loop(text, i);
    close_loop_by_choice(text, i);
  }
  return text.finish();
}

Words nested_loops(uint32_t count, bool divergent) {
  Text text(divergent);
  for (unsigned i = 0; i < count; ++i) open_loop(text, i);
  for (unsigned i = count; i-- > 0;) close_loop_by_choice(text, i);
  return text.finish();
}

/// A switch whose cases have the values i * factor, for i from 0; an odd factor makes them distinct.
Words switch_by(uint32_t count, uint32_t factor, bool divergent) {
  Text text(divergent);
  std::string targets;
  for (unsigned i = 0; i < count; ++i) targets += " " + std::to_string(i * factor) + " %" + name("c", i);
  text.line("OpSelectionMerge %merge None");
  text.line("OpSwitch %x %merge" + targets);
  for (unsigned i = 0; i < count; ++i) {
    text.label(name("c", i));
    // Nothing that a select could do for all lanes.
    text.line("%" + name("old", i) + " = OpAtomicIAdd %uint %p %u1 %u0 %u1");
    text.jump("merge");
  }
  text.label("merge");
  return text.finish();
}

Words cases(uint32_t count, bool divergent) {
  return switch_by(count, 1, divergent);
}

Words shuffled_cases(uint32_t count, bool divergent) {
  return switch_by(count, 0x9e3779b1, divergent);
}

constexpr Shape kShapes[] = {
    {"breaks", breaks},
    {"flags", flags},
    {"continues", continues},
    {"returns", returns},
    {"nest", nest},
    {"nest_with_else", nest_with_else},
    {"ifs", ifs},
    {"phis", phis},
    {"block", block},
    {"loops", loops},
    {"nested_loops", nested_loops},
    {"cases", cases},
    {"shuffled_cases", shuffled_cases},
};

}  // namespace

std::span<const Shape> shapes() {
  return kShapes;
}

const Shape* find_shape(std::string_view name) {
  for (const Shape& shape : kShapes) {
    if (shape.name == name) return &shape;
  }
  return nullptr;
}

}  // namespace spalt::scaling
