// SPDX-License-Identifier: MIT
//
// Words are decoded from the start and from the target of each branch until control does not fall through or comes to
// what is decoded already, each word once. Then the instructions are put in the order of the code, cut into blocks at
// branches and their targets, and connected.
#include "amdgpu/estimate/code.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "amdgpu/isa/codec/codec.h"

namespace spalt::estimate {
namespace {

using isa::Inst;
using isa::Opcode;

std::string at_address(uint64_t words) {
  char text[32];
  std::snprintf(text, sizeof text, " at 0x%llx", static_cast<unsigned long long>(words * 4));
  return text;
}

bool is_jump(const Inst& inst) {
  return inst.opcode == Opcode::s_branch;
}

/// Whether simm16 is the distance to another instruction.
bool has_branch_target(const isa::OpcodeInfo& info) {
  const auto* end = info.src + info.src_count;
  return info.has(isa::kBranch) &&
         std::any_of(info.src, end, [](const isa::OperandSlot& slot) { return slot.role == isa::OperandRole::label; });
}

class CodeReader {
 public:
  CodeReader(std::span<const uint32_t> words, const isa::Target& target, unsigned wave_size)
      : words_(words), at_word_(words.size(), kNone), starts_block_(words.size() + 1, false) {
    code_.target = &target;
    code_.wave_size = wave_size;
  }

  Result<Code> run() {
    if (words_.empty()) return Error{Status::invalid_input, "there is no code"};
    lead_to(0);
    while (!leads_.empty()) {
      const uint32_t at = leads_.back();
      leads_.pop_back();
      if (const Result<void> result = read_from(at); !result) return result.error();
    }
    sort();
    make_blocks();
    connect();
    return std::move(code_);
  }

 private:
  static constexpr uint32_t kNone = 0xffffffffu, kInside = 0xfffffffeu;  ///< of at_word_; else a place in found_

  struct Found {
    uint32_t word;
    Inst inst;
  };

  void lead_to(uint32_t word) {
    starts_block_[word] = true;
    leads_.push_back(word);
  }

  /// Decodes until control does not fall through, or comes to an instruction that was decoded.
  Result<void> read_from(uint32_t at) {
    for (bool goes_on = true; goes_on;) {
      if (at >= words_.size()) return Error{Status::invalid_input, "control leaves the code at its end"};
      if (at_word_[at] == kInside) return overlap(at);
      if (at_word_[at] != kNone) return {};
      const auto inst = isa::decode(words_.subspan(at), *code_.target, code_.wave_size);
      if (!inst) {
        return Error{Status::invalid_input, "control reaches a word that is no instruction" + at_address(at)};
      }
      const uint32_t next = at + inst->size_bytes / 4;
      at_word_[at] = static_cast<uint32_t>(found_.size());
      for (uint32_t word = at + 1; word < next; ++word) {
        if (at_word_[word] != kNone) return overlap(word);
        at_word_[word] = kInside;
      }
      found_.push_back({at, *inst});
      const isa::OpcodeInfo& info = isa::info(inst->opcode);
      if (has_branch_target(info)) {
        const int64_t target = int64_t{next} + inst->simm16;
        if (target < 0 || target >= static_cast<int64_t>(words_.size())) {
          return Error{Status::invalid_input, "a branch leaves the code" + at_address(at)};
        }
        lead_to(static_cast<uint32_t>(target));
      }
      goes_on = !info.has(isa::kTerminator);
      if (!goes_on || has_branch_target(info)) starts_block_[next] = true;
      at = next;
    }
    return {};
  }

  static Error overlap(uint32_t word) {
    return {Status::invalid_input, "control reaches the middle of an instruction" + at_address(word)};
  }

  void sort() {
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.word < b.word; });
    code_.insts.reserve(found_.size());
    code_.addresses.reserve(found_.size());
    for (const Found& found : found_) {
      at_word_[found.word] = static_cast<uint32_t>(code_.insts.size());
      code_.insts.push_back(found.inst);
      code_.addresses.push_back(found.word * 4);
    }
  }

  void make_blocks() {
    block_of_.assign(code_.insts.size(), kNoBlock);
    for (uint32_t i = 0; i < code_.insts.size(); ++i) {
      if (starts_block_[code_.addresses[i] / 4]) {
        Block block;
        block.first = i;
        code_.blocks.push_back(block);
      }
      block_of_[i] = static_cast<uint32_t>(code_.blocks.size()) - 1;
      ++code_.blocks.back().count;
    }
  }

  void connect() {
    for (uint32_t b = 0; b < code_.blocks.size(); ++b) {
      Block& block = code_.blocks[b];
      const uint32_t last = block.first + block.count - 1;
      const Inst& inst = code_.insts[last];
      const isa::OpcodeInfo& info = isa::info(inst.opcode);
      const bool falls = !info.has(isa::kTerminator);
      if (falls) block.next = b + 1;
      if (!has_branch_target(info)) {
        block.ending = falls ? Ending::falls_through : Ending::leaves;
        continue;
      }
      const int64_t target = int64_t{code_.addresses[last] + inst.size_bytes} / 4 + inst.simm16;
      block.target = block_of_[at_word_[static_cast<size_t>(target)]];
      block.ending = is_jump(inst) ? Ending::jumps : Ending::branches;
    }
  }

  std::span<const uint32_t> words_;
  Code code_;
  std::vector<Found> found_;
  std::vector<uint32_t> at_word_, block_of_, leads_;
  std::vector<bool> starts_block_;
};

}  // namespace

Result<Code> read_code(std::span<const uint32_t> words, const isa::Target& target, unsigned wave_size) {
  return CodeReader(words, target, wave_size).run();
}

}  // namespace spalt::estimate
