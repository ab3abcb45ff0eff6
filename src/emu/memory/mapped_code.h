// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "emu/memory/address_space.h"

namespace spalt::emu {

/// The code of a program in an address space, read-only, as long as this lives.
class MappedCode {
 public:
  /// Bytes. A load address is a multiple of it.
  static constexpr uint64_t kAlignment = 256;

  MappedCode() = default;
  ~MappedCode();
  MappedCode(const MappedCode&) = delete;
  MappedCode& operator=(const MappedCode&) = delete;

  /// Once. `owner` keeps `code`. An `address` of 0: anywhere in the window of programs.
  Result<void> map(std::shared_ptr<AddressSpace> space, uint64_t address, std::span<const uint8_t> code,
                   std::shared_ptr<const void> owner, std::string name);

  uint64_t address() const { return address_; }
  const AddressSpace* space() const { return space_.get(); }

 private:
  std::shared_ptr<AddressSpace> space_;
  uint64_t address_ = 0;
};

}  // namespace spalt::emu
