// SPDX-License-Identifier: MIT
#include "emu/image/address_operands.h"

#include "amdgpu/isa/codec/image_address.h"
#include "emu/image/image_facts.h"
#include "emu/launch/program.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

/// By the field DIM: 1D, 2D, 3D, cube, 1D array, 2D array, 2D MSAA, 2D MSAA array.
constexpr ImageDim kDims[8] = {
    {1, false, false, false}, {2, false, false, false}, {3, false, false, false}, {2, false, true, false},
    {1, true, false, false},  {2, true, false, false},  {2, false, false, true},  {2, true, false, true},
};

/// Without the field, the resource says how many coordinates there are. The instruction adds the slice.
ImageDim dim_of_resource(const ImageDescriptor& image, bool declares_array) {
  ImageDim dim;
  dim.axes = image.is_3d ? 3 : image.is_1d ? 1 : 2;
  dim.has_face = image.is_cube;
  dim.has_slice = declares_array && !image.is_3d && !image.is_cube;
  dim.has_sample = image.samples > 1;
  return dim;
}

/// Hands out the address registers one after the other.
class AddressRegisters {
 public:
  AddressRegisters(Wave& wave, const Step& step, unsigned known)
      : wave_(wave), step_(step), known_(known), first_(step.src[address_slot(step)].index) {}

  AddressOperand dword() {
    half_ = false;
    return {next(), 32, 0};
  }
  AddressOperand half() {
    if (!half_) pair_ = next();
    const auto shift = static_cast<uint8_t>(half_ ? 16 : 0);
    half_ = !half_;
    return {pair_, 16, shift};
  }
  AddressOperand operand(bool packed) { return packed ? half() : dword(); }
  /// What follows begins in a register of its own.
  void pad() { half_ = false; }

  static unsigned address_slot(const Step& step) { return (step.flags & isa::kMayStore) != 0 ? 1 : 0; }

 private:
  /// The entries of a list; the last one stands for all that follow.
  unsigned register_of(unsigned dword) const {
    const isa::AddressRegisters& list = step_.inst.nsa;
    if (dword == 0 || list.count == 0) return first_ + dword;
    return dword <= list.count ? list.vgprs[dword - 1] : list.vgprs[list.count - 1] + dword - list.count;
  }

  const uint32_t* next() {
    const unsigned dword = dword_++;
    const unsigned reg = register_of(dword);
    if (reg >= wave_.vgpr_count()) {
      wave_.fault(FaultKind::register_bounds, "has an address register that the wave does not have");
      return wave_.vgpr(0);
    }
    // Registers that only the resource says are read could not be looked at before.
    if (dword >= known_) wave_.waits.check_indexed(wave_, step_, reg, false);
    return wave_.vgpr(reg);
  }

  Wave& wave_;
  const Step& step_;
  unsigned known_;
  unsigned first_;
  unsigned dword_ = 0;
  bool half_ = false;
  const uint32_t* pair_ = nullptr;
};

void read_gradients(AddressRegisters& registers, bool packed, AddressOperands& address) {
  for (std::array<AddressOperand, 3>* direction : {&address.by_x, &address.by_y}) {
    for (unsigned axis = 0; axis < address.dim.axes; ++axis) (*direction)[axis] = registers.operand(packed);
    registers.pad();
  }
}

}  // namespace

AddressOperands read_address(Wave& wave, const Step& step, const ImageDescriptor& image) {
  const isa::Target& target = wave.program().target();
  const isa::Modifiers& mods = step.inst.mods;
  const isa::OpcodeInfo& info = isa::info(step.inst.opcode, target.generation);
  const unsigned args = info.image_args;
  const bool has_dim = image_facts(target).has_dim;
  AddressRegisters registers(wave, step, isa::image_address_dwords(info, mods, target.generation));

  AddressOperands address;
  address.dim = has_dim ? kDims[mods.dim & 7] : dim_of_resource(image, mods.declare_array);
  if ((args & isa::kImageOffset) != 0) address.offset = registers.dword();
  // A half in a register of its own with a16.
  if ((args & isa::kImageBias) != 0) address.bias = registers.operand(mods.a16);
  registers.pad();
  if ((args & isa::kImageCompare) != 0) address.reference = registers.dword();
  if ((args & isa::kImageGradients) != 0) read_gradients(registers, mods.a16 && !has_dim, address);
  if ((args & isa::kImageHalfGradients) != 0) read_gradients(registers, true, address);
  if ((args & isa::kImageOnlyLod) != 0) {
    address.lod = registers.operand(mods.a16);
    return address;
  }
  const ImageDim& dim = address.dim;
  for (unsigned axis = 0; axis < dim.axes; ++axis) address.coordinates[axis] = registers.operand(mods.a16);
  if (dim.has_slice || dim.has_face) address.slice = registers.operand(mods.a16);
  if (dim.has_sample) address.sample = registers.operand(mods.a16);
  if ((args & isa::kImageLod) != 0) address.lod = registers.operand(mods.a16);
  return address;
}

}  // namespace spalt::emu
