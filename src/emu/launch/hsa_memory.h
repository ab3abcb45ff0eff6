// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "amdgpu/object/hsa_object.h"
#include "emu/launch/hsa_dispatch.h"
#include "emu/memory/guest_memory.h"

namespace spalt::emu {

/// What an HSA runtime puts into guest memory for one dispatch, and where it lies.
class HsaMemory {
 public:
  /// Lays out the code object with its relocations applied, the buffers, the kernarg segment, dispatch packet, queue
  /// and a scratch ring of `scratch_bytes`. `lds_bytes` is the whole LDS of a workgroup.
  static Result<HsaMemory> build(const object::HsaObject& object, const object::HsaKernel& kernel,
                                 const HsaDispatchInfo& info, uint32_t lds_bytes, uint64_t scratch_bytes);

  const Memory& memory() const { return memory_; }
  uint64_t load_address() const;
  uint64_t kernarg() const;
  uint64_t dispatch_packet() const;
  uint64_t queue() const;
  uint64_t scratch_ring() const;  ///< 0 when there is none

 private:
  Result<void> add(std::string name, uint64_t base, std::vector<uint8_t> bytes, bool writable);
  Result<void> add_code(const object::HsaObject& object);
  Result<void> add_kernarg(const object::HsaKernel& kernel, const HsaDispatchInfo& info);
  Result<void> add_explicit(const object::KernelArgument& slot, const HsaArgument& argument,
                            std::vector<uint8_t>& kernarg);
  Result<void> add_packet(const object::HsaKernel& kernel, const HsaDispatchInfo& info, uint32_t lds_bytes);

  Memory memory_;
  std::vector<std::unique_ptr<std::vector<uint8_t>>> storage_;
  uint64_t next_buffer_ = 0;
  uint32_t next_local_ = 0;  ///< LDS offset of the next local argument
  bool has_scratch_ = false;
};

/// LDS that the local arguments take, behind what the code names itself.
Result<uint64_t> lds_bytes_of(const object::HsaKernel& kernel, const HsaDispatchInfo& info);

}  // namespace spalt::emu
