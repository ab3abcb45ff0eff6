// SPDX-License-Identifier: MIT
//
// Images, views and samplers as objects, what formats report, and how their descriptors get into sets.
#include <cstring>

#include "icd/resource/image_view.h"
#include "icd/resource/sampler.h"
#include "images.h"
#include "resource_fixture.h"

namespace spalt::icd::test {
namespace {

constexpr VkDescriptorType kMutable = VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
constexpr VkDescriptorType kCombined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;

class ImageTest : public ResourceTest {
 protected:
  VkImage image(const ImageOptions& options) {
    const VkImageCreateInfo info = image_info(options);
    VkImage image = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateImage(device(), &info, nullptr, &image), VK_SUCCESS);
    at_end([=, this] { entry::DestroyImage(device(), image, nullptr); });
    return image;
  }
  VkImage bound_image(const ImageOptions& options) {
    VkImage result = image(options);
    EXPECT_EQ(entry::BindImageMemory(device(), result, memory(requirements(result).size + 4096), 4096), VK_SUCCESS);
    return result;
  }
  VkMemoryRequirements requirements(VkImage image) const {
    VkMemoryRequirements result{};
    entry::GetImageMemoryRequirements(device(), image, &result);
    return result;
  }
  VkImageView view(VkImage image, VkFormat format, const VkImageSubresourceRange& range,
                   VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D) {
    VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image;
    info.viewType = type;
    info.format = format;
    info.subresourceRange = range;
    VkImageView view = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateImageView(device(), &info, nullptr, &view), VK_SUCCESS);
    at_end([=, this] { entry::DestroyImageView(device(), view, nullptr); });
    return view;
  }
  VkSampler sampler(const VkSamplerCreateInfo& info) {
    VkSampler sampler = VK_NULL_HANDLE;
    EXPECT_EQ(entry::CreateSampler(device(), &info, nullptr, &sampler), VK_SUCCESS);
    at_end([=, this] { entry::DestroySampler(device(), sampler, nullptr); });
    return sampler;
  }
  VkSampler linear_sampler() {
    VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    info.magFilter = info.minFilter = VK_FILTER_LINEAR;
    return sampler(info);
  }
  void write(VkDescriptorSet set, uint32_t binding, VkDescriptorType type, const VkDescriptorImageInfo& info) const {
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, binding, 0, 1, type};
    write.pImageInfo = &info;
    entry::UpdateDescriptorSets(device(), 1, &write, 0, nullptr);
  }
  template <size_t count>
  static std::array<uint32_t, count> words_at(VkDescriptorSet set, uint32_t offset) {
    std::array<uint32_t, count> words;
    std::memcpy(words.data(), from_handle<DescriptorSet>(set).host + offset, sizeof words);
    return words;
  }
  /// Bits 0 to 39 of an image descriptor are its address in units of 256 bytes.
  static uint64_t address_in(const ImageWords& words) { return (words[0] | (words[1] & 0xffull) << 32) << 8; }
  static constexpr VkImageSubresourceRange kAll{VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                                VK_REMAINING_ARRAY_LAYERS};
};

TEST_F(ImageTest, RequirementsAreTheSameWithoutAnImage) {
  const ImageOptions options{.format = VK_FORMAT_D24_UNORM_S8_UINT, .extent = {100, 50, 1}, .levels = 3, .layers = 2};
  const VkMemoryRequirements made = requirements(image(options));
  // Depth has 4 bytes a texel, stencil has one.
  EXPECT_GE(made.size, 100u * 50 * 5 * 2);
  EXPECT_EQ(made.size % made.alignment, 0u);
  const VkImageCreateInfo info = image_info(options);
  VkDeviceImageMemoryRequirements question{VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS};
  question.pCreateInfo = &info;
  VkMemoryRequirements2 answer{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  entry::GetDeviceImageMemoryRequirements(device(), &question, &answer);
  EXPECT_EQ(answer.memoryRequirements.size, made.size);
  EXPECT_EQ(answer.memoryRequirements.alignment, made.alignment);
  EXPECT_EQ(answer.memoryRequirements.memoryTypeBits, made.memoryTypeBits);
}

TEST_F(ImageTest, ImpossibleOnesAreRefused) {
  VkImage made = VK_NULL_HANDLE;
  const VkImageCreateInfo unknown = image_info({.format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM});
  EXPECT_EQ(entry::CreateImage(device(), &unknown, nullptr, &made), VK_ERROR_FORMAT_NOT_SUPPORTED);
  const VkImageCreateInfo huge =
      image_info({.format = VK_FORMAT_R32G32B32A32_SFLOAT, .extent = {16384, 16384, 1}, .layers = 2048});
  EXPECT_EQ(entry::CreateImage(device(), &huge, nullptr, &made), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

TEST_F(ImageTest, ViewsOfPlanesHaveTheirAddresses) {
  VkImage image = bound_image({.format = VK_FORMAT_D32_SFLOAT_S8_UINT, .extent = {64, 4, 1}});
  const uint64_t address = from_handle<Image>(image).binding().address();
  const auto plane_view = [&](VkImageAspectFlags aspect) {
    return from_handle<ImageView>(view(image, VK_FORMAT_D32_SFLOAT_S8_UINT, {aspect, 0, 1, 0, 1})).sampled();
  };
  EXPECT_EQ(address_in(plane_view(VK_IMAGE_ASPECT_DEPTH_BIT)), address);
  EXPECT_EQ(address_in(plane_view(VK_IMAGE_ASPECT_STENCIL_BIT)), address + 64 * 4 * 4);
}

TEST_F(ImageTest, OnlyStorageImagesHaveStorageDescriptors) {
  ImageOptions options{.extent = {4, 4, 1}};
  VkImage sampled = bound_image(options);
  options.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  VkImage storage = bound_image(options);
  const auto words = [&](VkImage image) -> const ImageView& {
    return from_handle<ImageView>(view(image, VK_FORMAT_R8G8B8A8_UNORM, kAll));
  };
  EXPECT_EQ(words(sampled).storage(), ImageWords{});
  EXPECT_NE(words(sampled).sampled(), ImageWords{});
  EXPECT_EQ(address_in(words(storage).storage()), from_handle<Image>(storage).binding().address());
}

TEST_F(ImageTest, SetsHoldTheBitsOfViewsAndSamplers) {
  VkDescriptorSet set = this->set(layout({binding(0, VK_DESCRIPTOR_TYPE_SAMPLER), binding(1, kCombined)}));
  VkImageView view = this->view(bound_image({.extent = {4, 4, 1}}), VK_FORMAT_R8G8B8A8_UNORM, kAll);
  VkSampler sampler = linear_sampler();
  write(set, 0, VK_DESCRIPTOR_TYPE_SAMPLER, {sampler, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED});
  write(set, 1, kCombined, {sampler, view, VK_IMAGE_LAYOUT_GENERAL});
  EXPECT_NE(from_handle<Sampler>(sampler).words(), SamplerWords{});
  EXPECT_EQ(words_at<4>(set, 0), from_handle<Sampler>(sampler).words());
  EXPECT_EQ(words_at<8>(set, 16), from_handle<ImageView>(view).sampled());
  EXPECT_EQ(words_at<4>(set, 48), from_handle<Sampler>(sampler).words());
  write(set, 1, kCombined, {sampler, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL});
  EXPECT_EQ(words_at<8>(set, 16), ImageWords{});
}

TEST_F(ImageTest, ImmutableSamplersStay) {
  VkSampler immutable = linear_sampler();
  VkSamplerCreateInfo nearest{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler other = sampler(nearest);
  VkDescriptorSetLayoutBinding fixed = binding(0, kCombined);
  fixed.pImmutableSamplers = &immutable;
  VkDescriptorSet set = this->set(layout({fixed})), free = this->set(layout({binding(0, kCombined)}));
  const SamplerWords words = from_handle<Sampler>(immutable).words();
  ASSERT_NE(words, from_handle<Sampler>(other).words());
  EXPECT_EQ(words_at<4>(set, 32), words);
  VkImageView view = this->view(bound_image({.extent = {4, 4, 1}}), VK_FORMAT_R8G8B8A8_UNORM, kAll);
  write(free, 0, kCombined, {other, view, VK_IMAGE_LAYOUT_GENERAL});
  const VkCopyDescriptorSet copy{VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, nullptr, free, 0, 0, set, 0, 0, 1};
  entry::UpdateDescriptorSets(device(), 0, nullptr, 1, &copy);
  EXPECT_EQ(words_at<8>(set, 0), from_handle<ImageView>(view).sampled());
  EXPECT_EQ(words_at<4>(set, 32), words);
  write(set, 0, kCombined, {other, view, VK_IMAGE_LAYOUT_GENERAL});
  EXPECT_EQ(words_at<4>(set, 32), words);
}

TEST_F(ImageTest, MutableDescriptorsBecomeWhatIsWritten) {
  constexpr VkDescriptorType kTypes[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE};
  const VkMutableDescriptorTypeListEXT list{2, kTypes};
  const VkMutableDescriptorTypeCreateInfoEXT lists{VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, nullptr,
                                                   1, &list};
  VkDescriptorSetLayout layout = this->layout({binding(0, kMutable, 2)}, 0, &lists);
  VkDescriptorSet set = VK_NULL_HANDLE;
  ASSERT_EQ(allocate_set(pool(1, {{kMutable, 2}}), layout, set), VK_SUCCESS);
  VkImageView view = this->view(bound_image({.extent = {4, 4, 1}}), VK_FORMAT_R8G8B8A8_UNORM, kAll);
  write(set, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL});
  write_buffer(set, 0, {bound_buffer(100), 0, VK_WHOLE_SIZE}, 1);
  EXPECT_EQ(words_at<8>(set, 0), from_handle<ImageView>(view).sampled());
  EXPECT_EQ(described(set, 32).size, 100u);  // elements are as far apart as the largest type wants

  VkDescriptorSet plain = this->set(this->layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)}));
  const VkCopyDescriptorSet copy{VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, nullptr, set, 0, 1, plain, 0, 0, 1};
  entry::UpdateDescriptorSets(device(), 0, nullptr, 1, &copy);
  EXPECT_EQ(described(plain, 0).size, 100u);
}

TEST_F(ImageTest, SamplersWithTheSameBorderShareAPlace) {
  VkSamplerCustomBorderColorCreateInfoEXT color{VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT};
  color.customBorderColor.float32[1] = 0.5f;
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, &color};
  info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
  info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  const SamplerWords first = from_handle<Sampler>(sampler(info)).words();
  EXPECT_EQ(from_handle<Sampler>(sampler(info)).words(), first);
  color.customBorderColor.float32[1] = 0.25f;
  EXPECT_NE(from_handle<Sampler>(sampler(info)).words(), first);
  float stored[8];
  bool found = false;
  const uint64_t address = driver_device().border_palette().address();
  driver_device().space().for_each_block([&](const Block& block, const std::string&, bool read_only) {
    if (block.address != address) return;
    std::memcpy(stored, block.host, sizeof stored);
    found = read_only;
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(stored[1], 0.5f);
  EXPECT_EQ(stored[5], 0.25f);
}

TEST_F(ImageTest, PlacesOfBordersCanRunOut) {
  BorderPalette palette(driver_device().space());
  for (uint32_t i = 0; i < kMaxBorderColors; ++i) EXPECT_EQ(palette.take({i, 1, 2, 3}), i);
  EXPECT_EQ(palette.take({7, 1, 2, 3}), 7u);
  EXPECT_THROW(palette.take({0, 0, 0, 0}), VulkanError);
  palette.give_back(7);
  EXPECT_THROW(palette.take({0, 0, 0, 0}), VulkanError);
  palette.give_back(7);
  EXPECT_EQ(palette.take({0, 0, 0, 0}), 7u);
}

TEST_F(ImageTest, FormatsTellWhatImagesOfThemCanBe) {
  const auto ask = [&](VkFormat format, VkImageType type, VkImageUsageFlags usage, VkImageCreateFlags flags = 0) {
    VkImageFormatProperties properties{};
    const VkResult result = entry::GetPhysicalDeviceImageFormatProperties(
        physical(), format, type, VK_IMAGE_TILING_OPTIMAL, usage, flags, &properties);
    EXPECT_EQ(result == VK_SUCCESS, properties.sampleCounts != 0);
    return result;
  };
  constexpr VkImageUsageFlags kTransfer = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  EXPECT_EQ(ask(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_3D, kTransfer), VK_SUCCESS);
  EXPECT_EQ(ask(VK_FORMAT_D32_SFLOAT, VK_IMAGE_TYPE_2D, kTransfer), VK_SUCCESS);
  EXPECT_EQ(ask(VK_FORMAT_D32_SFLOAT, VK_IMAGE_TYPE_3D, kTransfer), VK_ERROR_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(ask(VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_IMAGE_TYPE_1D, kTransfer), VK_ERROR_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(ask(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT), VK_SUCCESS);
  EXPECT_EQ(ask(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT),
            VK_ERROR_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(ask(VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_IMAGE_TYPE_2D, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
            VK_ERROR_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(ask(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, kTransfer, VK_IMAGE_CREATE_SPARSE_BINDING_BIT),
            VK_ERROR_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(ask(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_3D, kTransfer, VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT),
            VK_ERROR_FORMAT_NOT_SUPPORTED);
  constexpr VkImageCreateFlags kBlocks = VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT;
  EXPECT_EQ(ask(VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_IMAGE_TYPE_2D, kTransfer, kBlocks), VK_SUCCESS);
  EXPECT_EQ(ask(VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_IMAGE_TYPE_3D, kTransfer, kBlocks), VK_ERROR_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(ask(VK_FORMAT_UNDEFINED, VK_IMAGE_TYPE_2D, kTransfer), VK_ERROR_FORMAT_NOT_SUPPORTED);
}

}  // namespace
}  // namespace spalt::icd::test
