// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "amdgpu/isa/text/buffer_format.h"
#include "emu/image/texel_read.h"
#include "emu/wave/lanes.h"
#include "emu/wave/step.h"

namespace spalt::emu {

enum class AtomicOp : uint8_t {
  none,
  swap,
  cmpswap,
  add,
  sub,
  csub,      ///< clamps at 0
  cond_sub,  ///< leaves what is too small
  rsub,
  inc,
  dec,
  smin,
  umin,
  smax,
  umax,
  and_,
  or_,
  xor_,
  mskor,
  fcmpswap,
  fmin,
  fmax,
  fadd,
  pk_add_f16,
  pk_add_bf16,
  wrap,
  condxchg  ///< ds_condxchg32_rtn_b64
};

/// Which denormals a float addition takes and gives as zeros. Memory keeps all; LDS follows the mode (RDNA 4 ISA guide,
/// section 13.2).
struct FlushedDenormals {
  bool inputs = false, outputs = false;
};

enum class TransferKind : uint8_t { load, store, atomic };

/// How a component narrower than a register lands in it.
enum class Extend : uint8_t { zero, sign, low_half_zero, low_half_sign, high_half_zero, high_half_sign };

/// What a typed load makes of an element in memory. Without a format, components go to registers as they are.
struct Conversion {
  enum class Width : uint8_t { dword, half, high_half };
  const isa::BufferFormat* format = nullptr;
  std::array<uint8_t, 4> select{};  ///< of each result: BufferDescriptor::dst_sel
  uint8_t results = 0;
  Width width = Width::dword;  ///< halves are packed, two in a register
};

/// One vector memory instruction in flight: where each lane's data is and what to do there. Addresses are resolved and
/// checked when the instruction issues; the data moves when Waits decides that it must.
struct Transfer {
  TransferKind kind = TransferKind::load;
  AtomicOp op = AtomicOp::none;
  Extend extend = Extend::zero;
  uint8_t component_bytes = 4;  ///< 1, 2, 4; atomics: 4 or 8
  uint8_t components = 1;       ///< of component_bytes each; of a block up to 32
  uint8_t second_from = 255;    ///< components from here on are at host + second_delta (two-address LDS forms)
  bool has_dst = false;
  bool performed = false;
  bool flat = false;  ///< counts as vector memory and as LDS
  MemoryPath path = MemoryPath::plain;
  uint16_t dst = 0;  ///< VGPR index
  uint8_t dst_dwords = 0;
  uint32_t step = 0;  ///< index of the issuing step
  uint32_t sequence = 0;
  uint32_t component_stride = 4;  ///< bytes from one component to the next: more than its size when swizzled
  uint64_t scratch_lanes = 0;     ///< lanes of a flat access that go to scratch, where the stride is another one
  uint32_t scratch_stride = 0;
  /// Lanes whose bytes cross dwords of swizzled memory: each byte has its place, stride_of() bytes from dword to dword.
  uint64_t crossing_lanes = 0;
  std::array<uint8_t, kMaxLanes> misaligned;  ///< of crossing lanes: the first byte's distance from its dword
  int64_t second_delta = 0;
  Conversion conversion;           ///< loads
  TexelRead texels;                ///< loads of images and samples: these have no components, and no host addresses
  uint8_t* to_lds = nullptr;       ///< loads: the LDS that takes the result, at data[0] of each lane
  bool operand_in_memory = false;  ///< atomics: the operand is data[1] of each lane (signed) bytes further on
  bool for_all_lanes = false;      ///< atomics: the first lane's is done, and all lanes get its result
  FlushedDenormals flushed;        ///< atomics that add floats
  /// Bit per component that a block load or store moves; the registers of the others stay as they are. 0: no block.
  uint32_t block = 0;
  std::vector<uint32_t> block_data;  ///< of a block store, 64 lanes per component
  /// The last destination register takes a status (tfe), where a lane touched memory that is not resident.
  bool has_status = false;
  uint64_t absent_lanes = 0;     ///< that did
  uint8_t transposed_bytes = 0;  ///< loads of a matrix with elements of this size; 0: no such load
  uint64_t lanes = 0;
  bool all_valid = false;        ///< every component of every active lane is in range
  const uint8_t* low = nullptr;  ///< all bytes lie in [low, high)
  const uint8_t* high = nullptr;
  std::array<uint8_t*, kMaxLanes> host;
  std::array<uint8_t, kMaxLanes> valid;  ///< bit per component that is in range: others load 0 and store nothing
  std::array<std::array<uint32_t, kMaxLanes>, 4> data;

  /// Whether the component is there to be moved.
  bool moves(unsigned lane, unsigned component) const {
    return ((block != 0 ? block : valid[lane]) >> component & 1) != 0;
  }
  /// Lanes whose destination registers are written.
  uint64_t result_lanes() const { return transposed_bytes != 0 ? ~uint64_t{0} : lanes; }
  bool overlaps(const Transfer& other) const { return low < other.high && other.low < high; }
  uint32_t stride_of(unsigned lane) const {
    return (scratch_lanes >> lane & 1) != 0 ? scratch_stride : component_stride;
  }
  uint8_t* component(unsigned lane, unsigned index) const {
    return host[lane] + component_offset(index, stride_of(lane));
  }
  bool crosses(unsigned lane) const { return (crossing_lanes >> lane & 1) != 0; }
  /// Byte `index` of all that a crossing lane accesses.
  uint8_t* crossing_byte(unsigned lane, unsigned index) const {
    const unsigned at = misaligned[lane] + index;
    return host[lane] - misaligned[lane] + static_cast<size_t>(at / 4) * stride_of(lane) + at % 4;
  }
  /// The same in every lane where no lane goes to scratch.
  ptrdiff_t component_offset(unsigned index) const { return component_offset(index, component_stride); }
  /// Sets low and high from the lanes.
  void set_range();

 private:
  ptrdiff_t component_offset(unsigned index, uint32_t stride) const {
    if (index >= second_from) return second_delta + (index - second_from) * component_bytes;
    return static_cast<ptrdiff_t>(index) * stride;
  }
};

/// Applies an operation to the 4 or 8 bytes at an aligned place and returns what was there.
uint64_t apply_atomic(AtomicOp op, bool wide, uint8_t* at, uint64_t data, uint64_t second,
                      FlushedDenormals flushed = {});

/// The part of `perform` that atomics need.
void perform_atomic(const Transfer& transfer, uint32_t* dst);
/// The part that loads with a conversion need.
void perform_typed_load(const Transfer& transfer, uint32_t* dst);

/// Moves the data; loads and returning atomics write `vgprs` (64 lanes each, at register 0).
void perform(Transfer& transfer, uint32_t* vgprs);

}  // namespace spalt::emu
