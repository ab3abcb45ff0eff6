// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "amdgpu/isa/target.h"
#include "base/result.h"

namespace spalt::object {

/// The 64 bytes that tell a packet processor how to start a kernel (docs/abi/amdgpu.md#kernel-descriptor), taken apart.
/// The register fields are as the compiler wrote them.
struct KernelDescriptor {
  static constexpr size_t kBytes = 64;
  uint32_t group_segment_bytes = 0;    ///< LDS that the code names itself
  uint32_t private_segment_bytes = 0;  ///< scratch per work-item
  uint32_t kernarg_bytes = 0;          ///< 0: not said
  int64_t entry_offset = 0;            ///< from the descriptor to the first instruction
  uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;

  // Which user SGPRs are set up; they follow each other in this order.
  bool private_segment_buffer = false;  ///< 4 SGPRs
  bool dispatch_ptr = false;            ///< 2
  bool queue_ptr = false;               ///< 2
  bool kernarg_ptr = false;             ///< 2
  bool dispatch_id = false;             ///< 2
  bool flat_scratch_init = false;       ///< 2
  bool private_segment_size = false;    ///< 1

  bool wave32 = false;
  bool dynamic_stack = false;     ///< needs more scratch than private_segment_bytes says
  uint32_t preloaded_dwords = 0;  ///< of the kernarg segment

  unsigned vgprs_field() const { return rsrc1 & 63; }
  /// Where the target has it: GFX10 and later.
  bool wgp_mode() const { return (rsrc1 >> 29 & 1) != 0; }
  uint32_t mode_bits() const;  ///< FP_ROUND, FP_DENORM, DX10_CLAMP, IEEE as the MODE register has them
  bool private_segment() const { return (rsrc2 & 1) != 0; }
  unsigned user_sgprs() const { return rsrc2 >> 1 & 31; }
  bool group_id(unsigned component) const { return (rsrc2 >> (7 + component) & 1) != 0; }
  bool group_info() const { return (rsrc2 >> 10 & 1) != 0; }
  unsigned local_id_components() const { return (rsrc2 >> 11 & 3) + 1; }
};

/// Fails when bytes that must be zero are not. `bytes` has KernelDescriptor::kBytes bytes.
Result<KernelDescriptor> read_kernel_descriptor(std::span<const uint8_t> bytes);

/// What stands in an argument slot (docs/abi/amdgpu.md#hsa-metadata, `.value_kind`).
enum class ArgumentKind : uint8_t {
  by_value,
  global_buffer,
  dynamic_shared_pointer,  ///< LDS that the host sizes; the value is its offset
  image,                   ///< the address of an image object: a descriptor, and what queries want to know
  sampler,                 ///< the address of a sampler's descriptor
  block_count_x,           ///< this and what follows are hidden: appended by the compiler
  block_count_y,
  block_count_z,
  group_size_x,
  group_size_y,
  group_size_z,
  remainder_x,
  remainder_y,
  remainder_z,
  grid_dims,
  global_offset_x,
  global_offset_y,
  global_offset_z,
  dynamic_lds_size,
  private_base,  ///< high half of the aperture's address
  shared_base,
  queue_ptr,
  zero,        ///< hidden services that are not there: printf, hostcall, heap, device queues
  unsupported  ///< pipes and what is not known
};

struct KernelArgument {
  uint32_t offset = 0, size = 0;  ///< bytes in the kernarg segment, inside it
  ArgumentKind kind = ArgumentKind::unsupported;
  bool hidden() const { return kind >= ArgumentKind::block_count_x && kind != ArgumentKind::unsupported; }
};

struct HsaKernel {
  std::string name;
  uint64_t descriptor_address = 0;  ///< in the image
  KernelDescriptor descriptor;
  uint32_t kernarg_bytes = 0;
  uint32_t max_items = 1024;  ///< largest workgroup
  std::vector<KernelArgument> arguments;
};

/// A loadable segment: bytes at an address relative to the place that the loader picks.
struct HsaSegment {
  uint64_t address = 0;
  std::vector<uint8_t> bytes;  ///< with its zero-initialised end
  bool writable = false, executable = false;
};

/// A place that the loader fills in: `size` bytes of the load address plus `addend`, from bit `shift` on.
struct HsaRelocation {
  uint64_t address = 0;
  uint64_t addend = 0;
  uint8_t size = 8, shift = 0;
};

/// An amdhsa code object (code object version 4 to 6), every offset checked.
struct HsaObject {
  const isa::Target* target = nullptr;
  std::vector<HsaSegment> segments;  ///< sorted by address, without overlap
  std::vector<HsaRelocation> relocations;
  std::vector<HsaKernel> kernels;

  const HsaKernel* find_kernel(std::string_view name) const;
  /// The segment that holds [address, address + size), or nullptr.
  const HsaSegment* segment_of(uint64_t address, uint64_t size) const;
};

/// Reads a linked amdhsa code object. The bytes are not trusted.
Result<HsaObject> read_hsa_object(std::span<const uint8_t> bytes);

/// Adds the kernels that the metadata document names; name, arguments and sizes only.
Result<void> read_hsa_metadata(std::span<const uint8_t> document, std::vector<HsaKernel>& kernels,
                               std::vector<std::string>& descriptor_symbols);

}  // namespace spalt::object
