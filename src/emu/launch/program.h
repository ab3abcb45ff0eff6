// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "amdgpu/isa/target.h"
#include "base/result.h"
#include "emu/wave/step.h"

namespace spalt::emu {

/// Code decoded once: one step per instruction, in order.
class Program {
 public:
  /// Never fails: words that are no executable instruction become steps that fault when a wave reaches them.
  Program(std::span<const uint8_t> code, uint64_t base_address, const isa::Target& target, unsigned wave_size,
          unsigned vgpr_count);

  /// The two operations of a VOPD step.
  using Operations = std::array<Step, 2>;

  static constexpr uint32_t kNoStep = 0xffffffff;

  const Step& operator[](uint32_t index) const { return steps_[index]; }
  const Operations& operations(const Step& dual) const { return operations_[dual.target]; }
  uint32_t step_count() const { return static_cast<uint32_t>(steps_.size()); }
  /// The step that starts at a byte offset of the code, or kNoStep.
  uint32_t step_at(uint64_t offset) const;
  uint64_t base_address() const { return base_address_; }
  const isa::Target& target() const { return target_; }
  unsigned wave_size() const { return wave_size_; }
  /// The assembly text of a step.
  std::string text(const Step& step) const;

 private:
  Step make_step(const isa::Inst& inst, uint32_t offset, unsigned vgpr_count) const;
  Step make_dual_step(const isa::Inst& inst, uint32_t offset, unsigned vgpr_count);
  void resolve_branches();

  const isa::Target& target_;
  unsigned wave_size_;
  uint64_t base_address_;
  std::vector<Step> steps_;
  std::vector<Operations> operations_;
  std::vector<uint32_t> step_of_dword_;
};

}  // namespace spalt::emu
