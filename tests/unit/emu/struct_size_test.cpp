// SPDX-License-Identifier: MIT
// Structs of callers that were built with an older header: the library writes what they have room for, not a byte more,
// and ends a text that it cuts off with a zero.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <spalt/device.hpp>
#include <string>
#include <vector>

#include "amdgpu/object/link.h"
#include "assemble.h"

namespace spalt::emu::test {
namespace {

using spalt_api::AddressSpace;
using spalt_api::Device;
using spalt_api::Program;

constexpr uint8_t kUntouched = 0xaa;

/// A struct of which only the first `size` bytes are there.
template <class T>
class Small {
 public:
  explicit Small(size_t size) : size_(size), bytes_(sizeof(T), kUntouched) { get()->struct_size = size; }
  T* get() { return reinterpret_cast<T*>(bytes_.data()); }

  void expect_nothing_beyond() const {
    for (size_t i = size_; i < sizeof(T); ++i) ASSERT_EQ(bytes_[i], kUntouched) << "byte " << i << " of " << size_;
  }
  /// A member of `bytes` bytes at `offset`, as far as it is there, holds the beginning of `whole` and a zero.
  void expect_text(size_t offset, size_t bytes, const std::string& whole) const {
    if (size_ <= offset) return;
    const size_t room = std::min(bytes, size_ - offset);
    const char* text = reinterpret_cast<const char*>(bytes_.data()) + offset;
    const size_t length = strnlen(text, room);
    ASSERT_LT(length, room) << "no zero in a text of " << room << " bytes";
    EXPECT_EQ(std::string(text, length), whole.substr(0, room - 1));
  }

 private:
  size_t size_;
  std::vector<uint8_t> bytes_;
};

TEST(StructSize, AMessageIsCutOffWithAZero) {
  const AddressSpace space;
  auto mapping = spalt_api::sized<spalt_mapping>();
  auto whole = spalt_api::sized<spalt_message>();
  ASSERT_EQ(spalt_address_space_map(space.handle(), &mapping, &whole), SPALT_ERROR_INVALID_ARGUMENT);
  ASSERT_GT(std::strlen(whole.text), 10u);
  for (size_t size = sizeof(size_t); size <= sizeof(spalt_message); ++size) {
    Small<spalt_message> message(size);
    EXPECT_EQ(spalt_address_space_map(space.handle(), &mapping, message.get()), SPALT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(message.get()->struct_size, size);
    message.expect_nothing_beyond();
    message.expect_text(offsetof(spalt_message, text), sizeof whole.text, whole.text);
  }
}

TEST(StructSize, AFaultIsCutOffWithZeros) {
  const AddressSpace space;
  const std::string name(79, 'n');
  std::vector<uint64_t> memory(1);
  constexpr uint64_t kData = 0x10000000000;
  ASSERT_TRUE(space.map(kData, memory.data(), 8, name.c_str()).ok());
  object::StageObject shader =
      make_shader("v_mov_b32 v1, 0\nglobal_store_dwordx4 v1, v[2:5], s[0:1]\ns_endpgm\n", 32, 32);
  shader.user_data_reg_map[0] = 0;
  shader.user_data_reg_map[1] = 1;
  shader.user_data_limit = 2;
  const auto elf = object::link_stages({&shader, 1}, object::MetadataVersion::v3_0);
  ASSERT_TRUE(elf.ok());
  const Program program(space, elf->data(), elf->size());
  const Device device(Device::info(space));
  ASSERT_TRUE(program.ok() && device.ok()) << program.outcome().message << device.outcome().message;
  const std::vector<uint32_t> entries = {static_cast<uint32_t>(kData), static_cast<uint32_t>(kData >> 32)};
  const spalt_dispatch_info info = Device::dispatch_info(program, entries);
  const spalt_fault whole = device.dispatch(info).fault;
  ASSERT_EQ(whole.kind, SPALT_FAULT_UNMAPPED);
  ASSERT_EQ(whole.mapping, name);
  ASSERT_GT(std::strlen(whole.instruction), 10u);
  for (size_t size = sizeof(size_t); size <= sizeof(spalt_fault); ++size) {
    Small<spalt_fault> fault(size);
    EXPECT_EQ(spalt_device_dispatch(device.handle(), &info, nullptr, fault.get()), SPALT_ERROR_EXECUTION);
    EXPECT_EQ(fault.get()->struct_size, size);
    fault.expect_nothing_beyond();
    fault.expect_text(offsetof(spalt_fault, mapping), sizeof whole.mapping, whole.mapping);
    fault.expect_text(offsetof(spalt_fault, instruction), sizeof whole.instruction, whole.instruction);
    fault.expect_text(offsetof(spalt_fault, message), sizeof whole.message, whole.message);
  }
}

}  // namespace
}  // namespace spalt::emu::test
