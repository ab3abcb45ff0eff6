// SPDX-License-Identifier: MIT
// Pipeline caches: what they find, what they must not find, and what damaged data does to them.
#include <xxhash.h>

#include <cstring>

#include "shader_test.h"

namespace spalt::icd::test {
namespace {

constexpr size_t kHeaderBytes = 32;
constexpr size_t kEntryHeadBytes = 24;  // checksum of the body, and its bytes

class PipelineCacheTest : public ShaderTest {
 protected:
  /// The data of a cache with one shader.
  std::vector<char> data_of_one() {
    const VkPipelineCache cache = make_cache();
    EXPECT_EQ(create({module}, cache), VK_SUCCESS);
    return data_of(cache);
  }
  /// Like make_cache and is_cached, but nothing is left.
  bool finds_with(const std::vector<char>& data) {
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    VkPipelineCache cache = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreatePipelineCache(device(), &info, nullptr, &cache), VK_SUCCESS);
    const bool found = is_cached({module}, cache);
    entry::DestroyPipelineCache(device(), cache, nullptr);
    return found;
  }

  const VkShaderModule module = make_module(adding_shader());
};

TEST_F(PipelineCacheTest, FindsWhatItHas) {
  const VkPipelineCache cache = make_cache();
  EXPECT_FALSE(is_cached({module}, cache));
  const VkPipeline compiled = create_or_fail({module}, cache);
  EXPECT_TRUE(is_cached({module}, cache));
  const VkPipeline found = create_or_fail({module}, cache);
  EXPECT_EQ(elf_of(compiled), elf_of(found));
}

TEST_F(PipelineCacheTest, DataMakesAnEqualCache) {
  const std::vector<char> data = data_of_one();
  const VkPipelineCache copy = make_cache(data);
  EXPECT_EQ(data_of(copy), data);
  EXPECT_TRUE(is_cached({module}, copy));
  EXPECT_EQ(elf_of(create_or_fail({module}, copy)), elf_of(create_or_fail({module})));
}

TEST_F(PipelineCacheTest, HeaderNamesTheDevice) {
  const std::vector<char> data = data_of_one();
  VkPipelineCacheHeaderVersionOne header;
  ASSERT_GE(data.size(), kHeaderBytes);
  std::memcpy(&header, data.data(), sizeof(header));
  VkPhysicalDeviceProperties properties;
  entry::GetPhysicalDeviceProperties(gpu.physical(), &properties);
  EXPECT_EQ(header.headerSize, kHeaderBytes);
  EXPECT_EQ(header.headerVersion, VK_PIPELINE_CACHE_HEADER_VERSION_ONE);
  EXPECT_EQ(header.vendorID, properties.vendorID);
  EXPECT_EQ(header.deviceID, properties.deviceID);
  EXPECT_EQ(std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE), 0);
}

TEST_F(PipelineCacheTest, ADamagedByteAnywhereMakesAMiss) {
  const std::vector<char> data = data_of_one();
  ASSERT_TRUE(finds_with(data));
  for (size_t i = 0; i < data.size(); ++i) {
    std::vector<char> damaged = data;
    damaged[i] = static_cast<char>(~damaged[i]);
    EXPECT_FALSE(finds_with(damaged)) << "byte " << i;
  }
}

TEST_F(PipelineCacheTest, DataThatIsCutOffMakesAMiss) {
  const std::vector<char> data = data_of_one();
  for (size_t size = 0; size < data.size(); ++size) {
    EXPECT_FALSE(finds_with({data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size)})) << size << " bytes";
  }
}

TEST_F(PipelineCacheTest, ADamagedEntryLeavesTheOthers) {
  const VkPipelineCache cache = make_cache();
  for (uint32_t value = 0; value < 3; ++value) ASSERT_EQ(create({.module = module, .constant = value}, cache), 0);
  std::vector<char> data = data_of(cache);
  data.back() = static_cast<char>(~data.back());
  const VkPipelineCache rest = make_cache(data);
  int found = 0;
  for (uint32_t value = 0; value < 3; ++value) found += is_cached({.module = module, .constant = value}, rest) ? 1 : 0;
  EXPECT_EQ(found, 2);
}

// Damage that the checksum was made for: the code is loaded as strictly as any, and never wrongly trusted for its size.
TEST_F(PipelineCacheTest, AForgedElfIsRefusedOrLoads) {
  const std::vector<char> data = data_of_one();
  const size_t body = kHeaderBytes + kEntryHeadBytes;
  for (size_t i = body + 16; i < data.size(); ++i) {
    for (const int bit : {0, 3, 7}) {
      std::vector<char> forged = data;
      forged[i] = static_cast<char>(forged[i] ^ 1 << bit);
      const XXH128_hash_t checksum = XXH3_128bits(forged.data() + body, forged.size() - body);
      std::memcpy(forged.data() + kHeaderBytes, &checksum, sizeof(checksum));
      finds_with(forged);
    }
  }
  EXPECT_TRUE(take_messages().empty());
}

TEST_F(PipelineCacheTest, AForgedElfThatDoesNotLoadIsCompiledAgain) {
  std::vector<char> data = data_of_one();
  const size_t body = kHeaderBytes + kEntryHeadBytes;
  const auto magic = std::search(data.begin(), data.end(),
                                 std::begin("\x7f"
                                            "ELF"),
                                 std::end("\x7f"
                                          "ELF") -
                                     1);
  ASSERT_NE(magic, data.end());
  *magic = 0;
  const XXH128_hash_t checksum = XXH3_128bits(data.data() + body, data.size() - body);
  std::memcpy(data.data() + kHeaderBytes, &checksum, sizeof(checksum));
  const VkPipelineCache cache = make_cache(data);
  EXPECT_FALSE(is_cached({module}, cache));
  EXPECT_EQ(elf_of(create_or_fail({module}, cache)), elf_of(create_or_fail({module})));
}

TEST_F(PipelineCacheTest, ShortBuffersGetWholeEntries) {
  const VkPipelineCache cache = make_cache();
  for (uint32_t value = 0; value < 3; ++value) ASSERT_EQ(create({.module = module, .constant = value}, cache), 0);
  const std::vector<char> data = data_of(cache);
  const std::vector<char> guard(data.size() + 8, 0x5a);
  std::vector<size_t> sizes;
  for (size_t available = 0; available <= data.size(); ++available) {
    std::vector<char> output = guard;
    size_t size = available;
    const VkResult result = entry::GetPipelineCacheData(device(), cache, &size, output.data());
    EXPECT_EQ(result, available < data.size() ? VK_INCOMPLETE : VK_SUCCESS);
    ASSERT_LE(size, available);
    EXPECT_EQ(std::memcmp(output.data(), data.data(), size), 0);
    EXPECT_EQ(std::memcmp(output.data() + size, guard.data() + size, guard.size() - size), 0) << available;
    if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
  }
  ASSERT_EQ(sizes.size(), 5u);  // nothing, the header, one to three entries
  EXPECT_EQ(sizes[0], 0u);
  EXPECT_EQ(sizes[1], kHeaderBytes);
  EXPECT_EQ(sizes[4], data.size());
}

TEST_F(PipelineCacheTest, MergingIsAUnion) {
  const VkPipelineCache target = make_cache();
  const VkPipelineCache sources[] = {make_cache(), make_cache()};
  ASSERT_EQ(create({.module = module, .constant = 1}, target), VK_SUCCESS);
  ASSERT_EQ(create({.module = module, .constant = 2}, sources[0]), VK_SUCCESS);
  for (uint32_t value : {1, 3}) ASSERT_EQ(create({.module = module, .constant = value}, sources[1]), VK_SUCCESS);
  ASSERT_EQ(entry::MergePipelineCaches(device(), target, 2, sources), VK_SUCCESS);
  for (uint32_t value : {1, 2, 3}) EXPECT_TRUE(is_cached({.module = module, .constant = value}, target)) << value;
  EXPECT_FALSE(is_cached({.module = module, .constant = 4}, target));
  EXPECT_FALSE(is_cached({.module = module, .constant = 3}, sources[0]));
}

TEST_F(PipelineCacheTest, OtherRequestsAreOtherEntries) {
  const VkPipelineCache cache = make_cache();
  ASSERT_EQ(create({module}, cache), VK_SUCCESS);
  EXPECT_FALSE(is_cached({make_module(multiplying_shader())}, cache));
  EXPECT_FALSE(is_cached({.module = module, .constant = 6}, cache));
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo wave64{
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO, nullptr, 64};
  EXPECT_FALSE(is_cached({.module = module, .stage_next = &wave64}, cache));
}

TEST_F(PipelineCacheTest, AModuleAtTheAddressOfAnotherIsAnotherModule) {
  const VkPipelineCache cache = make_cache();
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  for (const std::vector<uint32_t>& words : {adding_shader(), multiplying_shader()}) {
    info.codeSize = words.size() * 4;
    info.pCode = words.data();
    VkShaderModule own = VK_NULL_HANDLE;
    ASSERT_EQ(entry::CreateShaderModule(device(), &info, nullptr, &own), VK_SUCCESS);
    const VkPipeline cached = create_or_fail({own}, cache);
    EXPECT_EQ(elf_of(cached), elf_of(create_or_fail({own})));
    entry::DestroyShaderModule(device(), own, nullptr);
  }
}

TEST_F(PipelineCacheTest, OtherTargetsDoNotTakeItsData) {
  const std::vector<char> data = data_of_one();
  const Environment target("SPALT_ICD_TARGET", "gfx1100");
  const TestDevice other;
  VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  ASSERT_EQ(entry::CreatePipelineCache(other.handle(), &info, nullptr, &cache), VK_SUCCESS);
  size_t size = 0;
  EXPECT_EQ(entry::GetPipelineCacheData(other.handle(), cache, &size, nullptr), VK_SUCCESS);
  EXPECT_EQ(size, kHeaderBytes);
  entry::DestroyPipelineCache(other.handle(), cache, nullptr);
}

}  // namespace
}  // namespace spalt::icd::test
