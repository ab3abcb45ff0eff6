// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: what a fragment knows of its place, and what the vertices of its primitive give it.
#pragma once
#include <array>

#include "amdgpu/abi/fragment_interface.h"
#include "amdgpu/lower/entry_registers.h"
#include "amdgpu/lower/lower_module.h"
#include "ir/interface.h"

namespace spalt::lower {

/// Collects which registers and parameters the inputs of a fragment shader need. Parameters are numbered in the order
/// in which the shader names them first.
class FragmentInputFinder {
 public:
  FragmentInputFinder(const ir::Module& module, const LowerConfig& config);

  Result<void> visit(ir::Value value);
  abi::FragmentNeeds needs() const { return {inputs_, view_index_}; }
  /// Fills what is known of the inputs.
  void fill(abi::PixelFacts& facts) const;

 private:
  Result<void> visit_builtin(const ir::Inst& inst);
  Result<void> visit_input(const ir::Inst& inst);
  Result<void> add_parameter(const abi::PixelParameter& parameter);
  void need(abi::PixelInput input) { inputs_ = static_cast<uint16_t>(inputs_ | 1u << input); }

  const ir::Function& function_;
  const abi::GraphicsState& state_;
  uint16_t inputs_ = 0;
  bool view_index_ = false;
  bool per_sample_ = false;  ///< by the state or by what the shader reads, known from the start
  SmallVector<abi::PixelParameter, 8> parameters_;
};

/// Whether the shader runs once for each sample: asked of the whole shader before anything else.
bool runs_per_sample(const ir::Module& module, const abi::GraphicsState& state);

/// Replaces `input` and `builtin` by entry registers, interpolation and arithmetic. Where parameters are loaded for
/// whole quads, loads and interpolation stand in the entry block, where all lanes of each quad run.
class FragmentInputRewriter {
 public:
  FragmentInputRewriter(const LowerConfig& config, const abi::PixelFacts& facts, EntryRegisters& entry,
                        Inserter& insert)
      : target_(*config.target),
        state_(*config.graphics),
        wave_size_(config.wave_size),
        facts_(facts),
        entry_(entry),
        insert_(insert) {}

  /// What stands for the instruction from now on; none when it stays.
  ir::Value rewrite(const ir::Function& function, ir::Value value, const ir::Inst& inst);

 private:
  struct Barycentrics {
    ir::Value i, j;
    bool at_entry = true;  ///< they are entry registers
  };

  ir::Value builtin(const ir::Inst& inst);
  ir::Value input(const ir::Function& function, ir::Value value, const ir::Inst& inst);
  ir::Value interpolated(const abi::Parameter& parameter, unsigned component, const Barycentrics& at);
  ir::Value flat(const abi::PixelParameter& parameter, unsigned component, unsigned vertex);
  ir::Value barycentric(unsigned component, const Barycentrics& at);
  ir::Value convert(ir::Value value, ir::Type type);
  Barycentrics barycentrics(ir::Interpolation interpolation, ir::SamplePlace place);
  Barycentrics moved(ir::Interpolation interpolation, ir::Value x, ir::Value y);
  ir::Value difference(ir::Value value, unsigned high, unsigned low);
  ir::Value sample_offset(ir::Value sample, unsigned axis);
  ir::Value vgpr(std::string_view name, abi::EntryRole role, ir::Type type);
  ir::Value primitive_mask();
  ir::Value sample_id();
  ir::Value front_facing();
  ir::Value layer();
  ir::Value sample_mask_in();
  ir::Value frag_coord(unsigned component);
  unsigned number_of(const abi::PixelParameter& parameter) const;

  const isa::Target& target_;
  const abi::GraphicsState& state_;
  const unsigned wave_size_;
  const abi::PixelFacts& facts_;
  EntryRegisters& entry_;
  Inserter& insert_;
};

}  // namespace spalt::lower
