// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "amdgpu/isa/target.h"
#include "emu/memory/address_space.h"

namespace spalt::emu {

/// What the program finds of a buffer.
enum class BufferForm : uint8_t {
  descriptor,           ///< a descriptor in a table
  bytes,                ///< a copy of the bytes in a table
  user_data_descriptor  ///< a descriptor in four user-data entries
};

/// A buffer and its place: `offset` bytes into the table whose address is user-data entry `entry`, or `entry` itself.
struct BufferBinding {
  BufferForm form = BufferForm::descriptor;
  uint32_t entry = 0;
  uint32_t offset = 0;
  uint8_t* data = nullptr;  ///< aligned to 8 bytes
  uint64_t size = 0;        ///< 0: a null descriptor. Bytes without data: zeros
  std::string name;         ///< for diagnostics
};

/// Buffers and their descriptor tables in an address space, as long as this object lives: what a driver does with
/// descriptor sets, in short.
class BoundBuffers {
 public:
  explicit BoundBuffers(std::shared_ptr<AddressSpace> space) : space_(std::move(space)) {}
  ~BoundBuffers();
  BoundBuffers(const BoundBuffers&) = delete;
  BoundBuffers& operator=(const BoundBuffers&) = delete;

  /// Maps the buffers and read-only tables with their descriptors and bytes. The address of each table goes into its
  /// entry of `user_data`, which grows where it must, and so do descriptors that are in no table.
  Result<void> add(const std::vector<BufferBinding>& buffers, const isa::Target& target,
                   std::vector<uint32_t>& user_data);

 private:
  using Tables = std::map<uint32_t, std::vector<uint8_t>>;
  Result<uint64_t> add_buffer(const BufferBinding& buffer);
  Result<void> add_tables(Tables& tables, std::vector<uint32_t>& user_data);

  std::shared_ptr<AddressSpace> space_;
  std::vector<uint64_t> mapped_;
};

}  // namespace spalt::emu
