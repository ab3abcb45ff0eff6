// SPDX-License-Identifier: MIT
#include "resource_fixture.h"

#include <cstring>

#include "spirv/assemble.h"

namespace spalt::icd::test {
namespace {

constexpr uint32_t kTypes = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT + 1;

}  // namespace

ResourceTest::~ResourceTest() {
  clean_up();
}

void ResourceTest::clean_up() {
  for (; !cleanup_.empty(); cleanup_.pop_back()) cleanup_.back()();
}

void ResourceTest::restart() {
  clean_up();
  device_.reset();
  device_ = std::make_unique<TestDevice>();
}

VkDeviceMemory ResourceTest::memory(uint64_t size, const void* next) {
  const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, next, size, 0};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  EXPECT_EQ(entry::AllocateMemory(device(), &info, nullptr, &memory), VK_SUCCESS);
  at_end([=, this] { entry::FreeMemory(device(), memory, nullptr); });
  return memory;
}

VkBuffer ResourceTest::buffer(uint64_t size, VkBufferCreateFlags flags, const void* next) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, next, flags, size};
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateBuffer(device(), &info, nullptr, &buffer), VK_SUCCESS);
  at_end([=, this] { entry::DestroyBuffer(device(), buffer, nullptr); });
  return buffer;
}

VkBuffer ResourceTest::bound_buffer(uint64_t size) {
  VkBuffer result = buffer(size);
  EXPECT_EQ(entry::BindBufferMemory(device(), result, memory(size + 64), 0), VK_SUCCESS);
  return result;
}

VkDescriptorSetLayout ResourceTest::layout(const std::vector<VkDescriptorSetLayoutBinding>& bindings,
                                           VkDescriptorSetLayoutCreateFlags flags, const void* next) {
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, next, flags};
  info.bindingCount = static_cast<uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateDescriptorSetLayout(device(), &info, nullptr, &layout), VK_SUCCESS);
  at_end([=, this] { entry::DestroyDescriptorSetLayout(device(), layout, nullptr); });
  return layout;
}

VkDescriptorPool ResourceTest::pool(uint32_t max_sets, const std::vector<VkDescriptorPoolSize>& sizes,
                                    VkDescriptorPoolCreateFlags flags, const void* next) {
  VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, next, flags, max_sets};
  info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(entry::CreateDescriptorPool(device(), &info, nullptr, &pool), VK_SUCCESS);
  at_end([=, this] { entry::DestroyDescriptorPool(device(), pool, nullptr); });
  return pool;
}

VkResult ResourceTest::allocate_set(VkDescriptorPool pool, VkDescriptorSetLayout layout, VkDescriptorSet& set,
                                    const void* next) const {
  const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, next, pool, 1, &layout};
  return entry::AllocateDescriptorSets(device(), &info, &set);
}

VkDescriptorSet ResourceTest::set(VkDescriptorSetLayout layout, const void* next) {
  std::vector<VkDescriptorPoolSize> sizes;
  for (uint32_t type = 0; type < kTypes; ++type) sizes.push_back({static_cast<VkDescriptorType>(type), 64});
  sizes.push_back({VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 1024});
  VkDescriptorPoolInlineUniformBlockCreateInfo blocks{
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO, nullptr, 16};
  VkDescriptorSet set = VK_NULL_HANDLE;
  EXPECT_EQ(allocate_set(pool(1, sizes, 0, &blocks), layout, set, next), VK_SUCCESS);
  return set;
}

void ResourceTest::write_buffer(VkDescriptorSet set, uint32_t binding, const VkDescriptorBufferInfo& info,
                                uint32_t element, VkDescriptorType type) const {
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, binding, element, 1, type};
  write.pBufferInfo = &info;
  entry::UpdateDescriptorSets(device(), 1, &write, 0, nullptr);
}

DescribedBuffer ResourceTest::described(VkDescriptorSet set, uint32_t offset) {
  return described(from_handle<DescriptorSet>(set).host + offset);
}

DescribedBuffer ResourceTest::described(const std::byte* place) {
  uint32_t words[4];
  std::memcpy(words, place, sizeof words);
  return {words[0] | uint64_t{words[1]} << 32, words[2], words[3]};
}

VkDescriptorSetLayoutBinding binding(uint32_t number, VkDescriptorType type, uint32_t count) {
  return {number, type, count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
}

spalt_fault probe_store(Device& device, uint64_t address, uint64_t size, uint32_t index) {
  const std::vector<uint32_t> words = spirv::assemble(
      spirv::shader("%index = OpConstant %uint " + std::to_string(index),
                    "%place = OpAccessChain %element %buffer %u0 %index\nOpStore %place %u1\nOpReturn\n"));
  const spalt_api::Compilation compiled = device.compiler().compile(spalt_api::Compiler::info(words));
  EXPECT_TRUE(compiled.ok()) << compiled.message();
  const spalt_binding_location& location = compiled.layout().bindings[0];

  DeviceSpace& space = device.space();
  const OwnedBlock table(space, space.allocate(Range::tables, 4096, "table"));
  const std::array<uint32_t, 4> descriptor = device.compiler().buffer_descriptor(address, size);
  std::memcpy(table->host + location.offset, descriptor.data(), sizeof descriptor);
  std::vector<uint32_t> user_data(location.user_data_entry + 1, 0);
  user_data.back() = static_cast<uint32_t>(table->address);

  const uint64_t code = space.reserve(Range::tables, compiled.elf().second);
  const uint64_t tables = space.reserve(Range::tables, 192 << 10);
  spalt_api::Device::Report report;
  {
    const spalt_api::Program program(space.address_space(), compiled.elf().first, compiled.elf().second, code);
    EXPECT_TRUE(program.ok()) << program.outcome().message;
    spalt_device_create_info device_info = spalt_api::Device::info(space.address_space());
    device_info.table_address = tables;
    const spalt_api::Device runner(device_info);
    report = runner.dispatch(spalt_api::Device::dispatch_info(program, user_data));
    EXPECT_TRUE(report.ok() || report.result == SPALT_ERROR_EXECUTION) << report.fault.message;
  }
  space.unreserve(Range::tables, code);
  space.unreserve(Range::tables, tables);
  return report.fault;
}

}  // namespace spalt::icd::test
