// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "amdgpu/object/hsa_object.h"
#include "emu/device/hsa_dispatch.h"
#include "emu/memory/address_space.h"

namespace spalt::emu {

/// What an HSA runtime puts into guest memory for one dispatch, and where it lies.
class HsaMemory {
 public:
  /// Maps the code object with its relocations applied, the buffers, the kernarg segment, dispatch packet and queue.
  /// `lds_bytes` is the whole LDS of a workgroup.
  static Result<HsaMemory> build(AddressSpace& space, const object::HsaObject& object, const object::HsaKernel& kernel,
                                 const HsaDispatchInfo& info, uint32_t lds_bytes);

  uint64_t load_address() const;
  uint64_t kernarg() const;
  uint64_t dispatch_packet() const;
  uint64_t queue() const;

 private:
  Result<void> add(std::string name, uint64_t base, std::vector<uint8_t> bytes, bool writable);
  Result<void> add_code(const object::HsaObject& object);
  Result<void> add_kernarg(const object::HsaKernel& kernel, const HsaDispatchInfo& info);
  /// Maps host memory or a copy of bytes at the next address for buffers.
  Result<void> add_buffer(const HsaArgument& argument, uint64_t& address);
  Result<void> add_object(const HsaArgument& argument, uint64_t& address);
  Result<void> add_explicit(const object::KernelArgument& slot, const HsaArgument& argument,
                            std::vector<uint8_t>& kernarg);
  Result<void> add_packet(const object::HsaKernel& kernel, const HsaDispatchInfo& info, uint32_t lds_bytes);

  explicit HsaMemory(AddressSpace& space) : space_(&space) {}

  AddressSpace* space_;
  uint64_t next_buffer_ = 0;
  uint32_t next_local_ = 0;  ///< LDS offset of the next local argument
};

/// LDS of the whole dispatch: what the code names itself, then the local arguments.
Result<uint64_t> lds_bytes_of(const object::HsaKernel& kernel, const HsaDispatchInfo& info);

}  // namespace spalt::emu
