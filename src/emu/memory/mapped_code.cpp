// SPDX-License-Identifier: MIT
#include "emu/memory/mapped_code.h"

#include <new>

namespace spalt::emu {

Result<void> MappedCode::map(std::shared_ptr<AddressSpace> space, uint64_t address, std::span<const uint8_t> code,
                             std::shared_ptr<const void> owner, std::string name) {
  if (address % kAlignment != 0) return Error{Status::invalid_argument, "code lies at multiples of 256 bytes"};
  // Stores to the mapping are refused.
  auto* bytes = const_cast<uint8_t*>(code.data());
  Mapping mapping{address, code.size(), bytes, false, std::move(name), std::move(owner)};
  if (address != 0) {
    if (Result<void> done = space->map(std::move(mapping)); !done) return done;
    address_ = address;
  } else {
    const Result<uint64_t> at = space->map_anywhere(Area::programs, kAlignment, std::move(mapping));
    if (!at) return at.error();
    address_ = *at;
  }
  space_ = std::move(space);
  return {};
}

MappedCode::~MappedCode() {
  if (space_ == nullptr) return;
  try {
    space_->unmap(address_);
  } catch (const std::bad_alloc&) {
    // Something runs, and there is no memory for a table without this mapping. It stays, and keeps the code.
  }
}

}  // namespace spalt::emu
