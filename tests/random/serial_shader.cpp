// SPDX-License-Identifier: MIT
//
// The old entry point becomes a function like others; a new one calls it in a loop:
//
//   for (uint turn = 0; turn < kMostLanes; ++turn) { if (turn == gl_SubgroupInvocationID) old_main(); }
//
// Interface, decorations and all code stay. Types that must be unique in a module are looked for, all else is new.
#include "serial_shader.h"

#include <utility>

namespace spalt::random_programs {
namespace {

constexpr size_t kHeaderWords = 5, kBoundWord = 3;
constexpr uint32_t kMostLanes = 64;

bool needs_neighbours(uint32_t op) {
  return op == spv::OpControlBarrier || op == spv::OpImageSampleImplicitLod ||
         (op >= spv::OpDPdx && op <= spv::OpFwidthCoarse);
}

class SerialModule {
 public:
  explicit SerialModule(const Words& words) : words_(words), bound_(words.at(kBoundWord)) {
    for (size_t at = kHeaderWords; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) look_at(at);
  }

  bool is_possible() const {
    return !needs_neighbours_ && void_ != 0 && bool_ != 0 && uint_ != 0 && functions_at_ != 0;
  }

  Words write() {
    Words out(words_.begin(), words_.begin() + kHeaderWords);
    append(out, spv::OpCapability, {spv::CapabilityGroupNonUniform});
    write_declarations(out);
    append(out, spv::OpTypePointer, {lane_pointer_, spv::StorageClassInput, uint_});
    append(out, spv::OpVariable, {lane_pointer_, lane_, spv::StorageClassInput});
    for (const auto& [id, value] : {std::pair{zero_, 0u}, {one_, 1u}, {lanes_, kMostLanes}}) {
      append(out, spv::OpConstant, {uint_, id, value});
    }
    out.insert(out.end(), words_.begin() + static_cast<ptrdiff_t>(functions_at_), words_.end());
    write_loop(out);
    out[kBoundWord] = bound_;
    return out;
  }

 private:
  void look_at(size_t at);
  void write_declarations(Words& out) const;
  void write_loop(Words& out);

  const Words& words_;
  Id bound_;
  Id void_ = 0, bool_ = 0, uint_ = 0, main_ = 0, main_type_ = 0;
  bool is_fragment_ = false, needs_neighbours_ = false;
  size_t functions_at_ = 0;
  Id serial_main_ = bound_++, lane_ = bound_++, lane_pointer_ = bound_++;
  Id zero_ = bound_++, one_ = bound_++, lanes_ = bound_++;
};

void SerialModule::look_at(size_t at) {
  switch (words_[at] & 0xffff) {
    case spv::OpEntryPoint:
      is_fragment_ = words_[at + 1] == spv::ExecutionModelFragment;
      main_ = words_[at + 2];
      break;
    case spv::OpTypeVoid:
      void_ = words_[at + 1];
      break;
    case spv::OpTypeBool:
      bool_ = words_[at + 1];
      break;
    case spv::OpTypeInt:
      if (words_[at + 2] == 32 && words_[at + 3] == 0) uint_ = words_[at + 1];
      break;
    case spv::OpFunction:
      if (functions_at_ == 0) functions_at_ = at;
      if (words_[at + 2] == main_) main_type_ = words_[at + 4];
      break;
    default:
      needs_neighbours_ |= needs_neighbours(words_[at] & 0xffff);
  }
}

/// What comes before the functions, with the new entry point and its input.
void SerialModule::write_declarations(Words& out) const {
  bool is_decorated = false;
  for (size_t at = kHeaderWords; at < functions_at_; at += words_[at] >> 16) {
    const uint32_t op = words_[at] & 0xffff;
    if (op == spv::OpDecorate && !is_decorated) {
      is_decorated = true;
      append(out, spv::OpDecorate, {lane_, spv::DecorationBuiltIn, spv::BuiltInSubgroupLocalInvocationId});
      if (is_fragment_) append(out, spv::OpDecorate, {lane_, spv::DecorationFlat});
    }
    const size_t first = out.size();
    const auto from = words_.begin() + static_cast<ptrdiff_t>(at);
    out.insert(out.end(), from, from + static_cast<ptrdiff_t>(words_[at] >> 16));
    if (op == spv::OpExecutionMode) out[first + 1] = serial_main_;
    if (op != spv::OpEntryPoint) continue;
    out[first + 2] = serial_main_;
    out[first] += 1u << 16;
    out.push_back(lane_);
  }
}

void SerialModule::write_loop(Words& out) {
  const Id entry = bound_++, header = bound_++, check = bound_++, mine = bound_++, after = bound_++, next = bound_++,
           exit = bound_++, lane = bound_++, turn = bound_++, next_turn = bound_++;
  const auto value = [&](spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
    Words all = {type, bound_++};
    all.insert(all.end(), operands);
    append(out, op, all);
    return all[1];
  };
  append(out, spv::OpFunction, {void_, serial_main_, spv::FunctionControlMaskNone, main_type_});
  append(out, spv::OpLabel, {entry});
  append(out, spv::OpLoad, {uint_, lane, lane_});
  append(out, spv::OpBranch, {header});
  append(out, spv::OpLabel, {header});
  append(out, spv::OpPhi, {uint_, turn, zero_, entry, next_turn, next});
  const Id goes_on = value(spv::OpULessThan, bool_, {turn, lanes_});
  append(out, spv::OpLoopMerge, {exit, next, spv::LoopControlDontUnrollMask});
  append(out, spv::OpBranchConditional, {goes_on, check, exit});
  append(out, spv::OpLabel, {check});
  const Id is_mine = value(spv::OpIEqual, bool_, {turn, lane});
  append(out, spv::OpSelectionMerge, {after, spv::SelectionControlMaskNone});
  append(out, spv::OpBranchConditional, {is_mine, mine, after});
  append(out, spv::OpLabel, {mine});
  value(spv::OpFunctionCall, void_, {main_});
  append(out, spv::OpBranch, {after});
  append(out, spv::OpLabel, {after});
  append(out, spv::OpBranch, {next});
  append(out, spv::OpLabel, {next});
  append(out, spv::OpIAdd, {uint_, next_turn, turn, one_});
  append(out, spv::OpBranch, {header});
  append(out, spv::OpLabel, {exit});
  append(out, spv::OpReturn, {});
  append(out, spv::OpFunctionEnd, {});
}

}  // namespace

std::optional<Words> one_lane_at_a_time(const Words& words) {
  SerialModule module(words);
  return module.is_possible() ? std::optional(module.write()) : std::nullopt;
}

}  // namespace spalt::random_programs
