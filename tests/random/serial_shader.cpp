// SPDX-License-Identifier: MIT
//
// The old entry point becomes a function like others; a new one behind it calls it in a loop:
//
//   for (uint turn = 0; turn < invocations; ++turn) { if (turn == number) old_main(); }
//
// Interface, decorations and all code stay. Types that must be unique in a module are looked for, constants are new.
#include "serial_shader.h"

#include <map>

namespace spalt::random_programs {
namespace {

constexpr size_t kHeaderWords = 5, kBoundWord = 3;

/// What the new function needs of the module.
class SerialModule {
 public:
  explicit SerialModule(const Words& words) : words_(words), bound_(words.at(kBoundWord)) {
    for (size_t at = kHeaderWords; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) look_at(at);
  }

  bool has_barrier() const { return has_barrier_; }
  bool has_types() const { return void_ != 0 && bool_ != 0 && uint_ != 0 && int_ != 0 && functions_at_ != 0; }
  Id builtin(spv::BuiltIn kind) const {
    const auto found = builtins_.find(kind);
    return found == builtins_.end() ? 0 : found->second;
  }

  Id uint_type() const { return uint_; }
  Id load(Id variable, Id type) { return value(spv::OpLoad, type, {variable}); }
  Id load_signed(Id variable) { return value(spv::OpBitcast, uint_, {load(variable, int_)}); }
  Id constant(uint32_t number) {
    const Id id = bound_++;
    append(constants_, spv::OpConstant, {uint_, id, number});
    return id;
  }
  Id value(spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
    const Id id = bound_++;
    Words all = {type, id};
    all.insert(all.end(), operands);
    append(body_, op, all);
    return id;
  }

  /// Puts the loop behind what has been written so far; `number` is the invocation's.
  Words finish(Id number, uint32_t invocations);

 private:
  void look_at(size_t at);

  const Words& words_;
  Id bound_;
  Id void_ = 0, bool_ = 0, uint_ = 0, int_ = 0;
  Id main_ = 0, main_type_ = 0;
  size_t functions_at_ = 0;
  bool has_barrier_ = false;
  std::map<spv::BuiltIn, Id> builtins_;
  Words constants_, body_;
};

void SerialModule::look_at(size_t at) {
  switch (words_[at] & 0xffff) {
    case spv::OpEntryPoint:
      main_ = words_[at + 2];
      break;
    case spv::OpDecorate:
      if (words_[at + 2] == spv::DecorationBuiltIn) {
        builtins_[static_cast<spv::BuiltIn>(words_[at + 3])] = words_[at + 1];
      }
      break;
    case spv::OpTypeVoid:
      void_ = words_[at + 1];
      break;
    case spv::OpTypeBool:
      bool_ = words_[at + 1];
      break;
    case spv::OpTypeInt:
      if (words_[at + 2] == 32) (words_[at + 3] != 0 ? int_ : uint_) = words_[at + 1];
      break;
    case spv::OpFunction:
      if (functions_at_ == 0) functions_at_ = at;
      if (words_[at + 2] == main_) main_type_ = words_[at + 4];
      break;
    case spv::OpControlBarrier:
      has_barrier_ = true;
      break;
    default:
      break;
  }
}

Words SerialModule::finish(Id number, uint32_t invocations) {
  const Id serial_main = bound_++, entry = bound_++, header = bound_++, check = bound_++, mine = bound_++,
           after = bound_++, next = bound_++, exit = bound_++, turn = bound_++;
  const Id zero = constant(0), one = constant(1), end = constant(invocations);
  Words function;
  append(function, spv::OpFunction, {void_, serial_main, spv::FunctionControlMaskNone, main_type_});
  append(function, spv::OpLabel, {entry});
  function.insert(function.end(), body_.begin(), body_.end());
  body_.clear();
  append(body_, spv::OpBranch, {header});
  append(body_, spv::OpLabel, {header});
  const Id next_turn = bound_++;
  append(body_, spv::OpPhi, {uint_, turn, zero, entry, next_turn, next});
  const Id goes_on = value(spv::OpULessThan, bool_, {turn, end});
  append(body_, spv::OpLoopMerge, {exit, next, spv::LoopControlDontUnrollMask});
  append(body_, spv::OpBranchConditional, {goes_on, check, exit});
  append(body_, spv::OpLabel, {check});
  const Id is_mine = value(spv::OpIEqual, bool_, {turn, number});
  append(body_, spv::OpSelectionMerge, {after, spv::SelectionControlMaskNone});
  append(body_, spv::OpBranchConditional, {is_mine, mine, after});
  append(body_, spv::OpLabel, {mine});
  value(spv::OpFunctionCall, void_, {main_});
  append(body_, spv::OpBranch, {after});
  append(body_, spv::OpLabel, {after});
  append(body_, spv::OpBranch, {next});
  append(body_, spv::OpLabel, {next});
  append(body_, spv::OpIAdd, {uint_, next_turn, turn, one});
  append(body_, spv::OpBranch, {header});
  append(body_, spv::OpLabel, {exit});
  append(body_, spv::OpReturn, {});
  append(body_, spv::OpFunctionEnd, {});
  function.insert(function.end(), body_.begin(), body_.end());

  Words out(words_.begin(), words_.begin() + static_cast<ptrdiff_t>(functions_at_));
  for (size_t at = kHeaderWords; at < out.size(); at += out[at] >> 16) {
    const uint32_t op = out[at] & 0xffff;
    if (op == spv::OpEntryPoint) out[at + 2] = serial_main;
    if (op == spv::OpExecutionMode) out[at + 1] = serial_main;
  }
  out.insert(out.end(), constants_.begin(), constants_.end());
  out.insert(out.end(), words_.begin() + static_cast<ptrdiff_t>(functions_at_), words_.end());
  out.insert(out.end(), function.begin(), function.end());
  out[kBoundWord] = bound_;
  return out;
}

}  // namespace

std::optional<Words> one_vertex_at_a_time(const Words& words, const VertexNumbers& numbers) {
  SerialModule module(words);
  const Id vertex = module.builtin(spv::BuiltInVertexIndex), instance = module.builtin(spv::BuiltInInstanceIndex);
  if (!module.has_types() || vertex == 0 || instance == 0) return std::nullopt;
  const Id type = module.uint_type();
  const auto from = [&](Id variable, uint32_t first) {
    return module.value(spv::OpISub, type, {module.load_signed(variable), module.constant(first)});
  };
  const Id row = from(instance, numbers.first_instance), column = from(vertex, numbers.first_vertex);
  const Id before = module.value(spv::OpIMul, type, {row, module.constant(numbers.vertices)});
  const Id number = module.value(spv::OpIAdd, type, {before, column});
  return module.finish(number, numbers.vertices * numbers.instances);
}

std::optional<Words> one_invocation_at_a_time(const Words& words, uint32_t invocations) {
  SerialModule module(words);
  const Id index = module.builtin(spv::BuiltInLocalInvocationIndex);
  if (!module.has_types() || index == 0 || module.has_barrier()) return std::nullopt;
  return module.finish(module.load(index, module.uint_type()), invocations);
}

}  // namespace spalt::random_programs
