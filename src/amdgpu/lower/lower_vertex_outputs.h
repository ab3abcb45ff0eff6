// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: what a vertex shader gives to the fixed functions and to the next stage.
#pragma once
#include <array>

#include "amdgpu/abi/vertex_interface.h"
#include "amdgpu/lower/entry_registers.h"
#include "amdgpu/lower/lower_module.h"
#include "ir/builder.h"
#include "ir/interface.h"

namespace spalt::lower {

/// Replaces the outputs by exports. What the next stage does not read is left out, if that stage is known; what
/// computes it alone is dead code then.
class VertexOutputWriter {
 public:
  VertexOutputWriter(ir::Module& module, const LowerConfig& config)
      : function_(module.functions[0]),
        hardware_(abi::vertex_hardware(*config.target)),
        next_stage_(config.next_stage),
        builder_(function_) {}

  /// Looks for outputs, and decides what is exported.
  Result<void> collect();
  const abi::VertexOutputs& outputs() const { return outputs_; }

  /// How the parameters leave where they are not exported: the ring's descriptor with the structure of a vertex, the
  /// number of the lane's vertex in its group of waves, and where the group's vertices begin.
  struct Ring {
    ir::Value descriptor, vertex, start;
  };
  /// Replaces the outputs by exports at the end of the block, which has no terminator. `primitive_id` where outputs()
  /// has it.
  void write(ir::BlockId block, ir::Value primitive_id, const Ring& ring);

 private:
  using Channels = std::array<ir::Value, 4>;  ///< none: not written; `output` operations first, then what they put out

  void take(std::span<ir::Value> outputs);
  void note(const ir::InterfaceAccess& access, ir::Value value);
  Result<void> choose_parameters();
  void add_parameter(const abi::Parameter& parameter);
  bool is_written(const abi::Parameter& parameter) const;
  ir::Value bits(ir::Value value);
  Channels distances(unsigned vector) const;
  static Channels four_of(const std::array<ir::Value, ir::kMaxDistances>& distances, unsigned vector);
  Channels position() const;
  Channels misc();
  Channels parameter(const abi::Parameter& parameter, ir::Value primitive_id);
  void write_positions();
  void write_parameters(ir::Value primitive_id, const Ring& ring);
  void store_parameter(const Channels& channels, uint32_t slot, const Ring& ring);
  void write_export(uint8_t target, const Channels& channels, bool done, bool valid_mask);
  void release_memory();

  ir::Function& function_;
  const abi::VertexHardware& hardware_;
  const abi::PixelFacts* next_stage_;
  ir::Builder builder_;
  abi::VertexOutputs outputs_;
  std::array<Channels, ir::kMaxLocations> locations_{};
  unsigned locations_end_ = 0;  ///< those from here on are not written
  Channels position_{};
  std::array<ir::Value, ir::kMaxDistances> clip_{}, cull_{};
  ir::Value point_size_, layer_, viewport_index_;
};

}  // namespace spalt::lower
