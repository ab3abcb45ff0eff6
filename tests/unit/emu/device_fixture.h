// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <spalt/device.hpp>
#include <string>
#include <vector>

#include "assemble.h"

namespace spalt::emu::test {

constexpr uint64_t kWindow = 0x7e0000000000, kCode = kWindow + 0x100000, kTables = kWindow + 0x10000000;
constexpr uint64_t kData = 0x10000000000;

std::vector<uint8_t> elf_of(const object::StageObject& shader);

/// User SGPRs s0, s1, ... hold entries 0, 1, ...; the workgroup's x id follows, or is in ttmp9.
object::StageObject make_raw_shader(const std::string& text, unsigned entries, unsigned wave_size, unsigned threads,
                                    const char* target = kDefaultTarget);

/// The halves of addresses, as user-data entries.
std::vector<uint32_t> address_entries(const std::vector<uint64_t>& addresses);
inline std::vector<uint32_t> address_entries(uint64_t address) {
  return address_entries(std::vector<uint64_t>{address});
}

/// A device in a window of the caller's choice.
struct DeviceFixture {
  spalt_api::AddressSpace space;
  spalt_api::Device device;
  explicit DeviceFixture(uint32_t threads = 1);
  spalt_api::Program load(const object::StageObject& shader, uint64_t address = kCode) const;
};

}  // namespace spalt::emu::test
