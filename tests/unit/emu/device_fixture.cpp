// SPDX-License-Identifier: MIT
#include "device_fixture.h"

#include <gtest/gtest.h>

#include "amdgpu/object/link.h"

namespace spalt::emu::test {

using spalt_api::AddressSpace;
using spalt_api::Device;
using spalt_api::Program;

std::vector<uint8_t> elf_of(const object::StageObject& shader) {
  const Result<object::Bytes> elf = object::link_stages({&shader, 1}, object::MetadataVersion::v3_0);
  EXPECT_TRUE(elf.ok());
  return elf.ok() ? std::vector<uint8_t>(elf->begin(), elf->end()) : std::vector<uint8_t>();
}

object::StageObject make_raw_shader(const std::string& text, unsigned entries, unsigned wave_size, unsigned threads,
                                    const char* target) {
  object::StageObject shader = make_shader(text, wave_size, threads, target);
  shader.user_sgprs = entries;
  for (unsigned i = 0; i < entries; ++i) shader.user_data_reg_map[i] = i;
  shader.user_data_limit = std::max(1u, entries);
  return shader;
}

std::vector<uint32_t> address_entries(const std::vector<uint64_t>& addresses) {
  std::vector<uint32_t> entries;
  for (const uint64_t address : addresses) {
    entries.push_back(static_cast<uint32_t>(address));
    entries.push_back(static_cast<uint32_t>(address >> 32));
  }
  return entries;
}

namespace {

spalt_device_create_info info_of(const AddressSpace& space, uint32_t threads) {
  spalt_device_create_info info = Device::info(space, threads);
  info.table_address = kTables;
  return info;
}

}  // namespace

DeviceFixture::DeviceFixture(uint32_t threads) : device(info_of(space, threads)) {
  EXPECT_TRUE(device.ok()) << device.outcome().message;
}

Program DeviceFixture::load(const object::StageObject& shader, uint64_t address) const {
  const std::vector<uint8_t> elf = elf_of(shader);
  Program program(space, elf.data(), elf.size(), address, "test code");
  EXPECT_TRUE(program.ok()) << program.outcome().message;
  return program;
}

}  // namespace spalt::emu::test
