// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: what a fragment gives to the fixed functions.
#pragma once
#include "amdgpu/abi/export_format.h"
#include "amdgpu/lower/entry_registers.h"
#include "amdgpu/lower/inserter.h"
#include "amdgpu/lower/lower_module.h"

namespace spalt::lower {

/// Replaces `output` by the exports that the target and the attachments want, right before the end of the last block:
/// depth, stencil reference and sample mask in one, then the colours in their order, numbered without gaps. The last
/// one is done. A shader that has nothing to export, but kills fragments, exports a colour that no target takes:
/// without an export the hardware would not look at exec. Fills the facts about outputs.
class FragmentOutputs {
 public:
  FragmentOutputs(ir::Module& module, const LowerConfig& config, Inserter& insert, abi::PixelFacts& facts)
      : module_(module),
        f_(module.functions[0]),
        target_(*config.target),
        state_(*config.graphics),
        insert_(insert),
        facts_(facts) {}

  Result<void> run();
  /// Of a body: leaves the outputs to an epilog instead, and says how.
  Result<void> hand_over(abi::PixelSeam& seam);
  /// Of an epilog: exports what a body has left.
  Result<void> finish(const abi::PixelSeam& seam, EntryRegisters& entry);

 private:
  struct Color {
    std::array<ir::Value, 4> component;
    uint8_t dropped = 0;  ///< channels that no target takes
    bool written() const {
      return component[0].valid() || component[1].valid() || component[2].valid() || component[3].valid();
    }
  };
  /// An export that is not in its place yet.
  struct Export {
    uint8_t target = 0, mask = 0;
    bool compressed = false;
    uint8_t count = 0;
    std::array<ir::Value, 4> operands;

    void add(ir::Value value) { operands[count++] = value; }
  };

  Result<void> collect();
  Result<void> export_all(ir::Value end);
  void hand(ir::Value& value, abi::PixelResult result, abi::PixelSeam& seam);
  ir::Value& place_of(const abi::PixelResult& result);
  void depth();
  Result<void> color(unsigned location);
  bool drop_masked(Color& color, unsigned location) const;
  Export pack(const Color& color, abi::ColorExport how);
  /// Of two sources both have the same channels in front: dual_source() fills up the rest.
  Export dwords(const Color& color, abi::ColorExport how);
  Export halves(const Color& color, abi::ColorExport how);
  ir::Value ready_halves(const Color& color, unsigned first, abi::ColorExport how);
  ir::Value packed_halves(const Color& color, unsigned first, abi::ColorExport how);
  ir::Value one(ir::Type type);
  void dual_source(Export first, Export second);
  void cover_by_alpha();
  void nothing();
  ir::Value as(ir::Value value, ir::Type type, bool is_signed);
  ir::Value component(const Color& color, unsigned index, ir::Type type, bool is_signed);
  void emit();

  ir::Module& module_;
  ir::Function& f_;
  const isa::Target& target_;
  const abi::GraphicsState& state_;
  Inserter& insert_;
  abi::PixelFacts& facts_;
  std::array<Color, abi::kMaxColorTargets> colors_;
  Color second_;  ///< source of location 0
  ir::Value depth_, stencil_, sample_mask_;
  SmallVector<Export, 9> exports_;
  SmallVector<ir::Value, 16> handed_;  ///< operands of `hand_over`
};

}  // namespace spalt::lower
