// SPDX-License-Identifier: MIT
//
// Random updates of random layouts against a model: a list of all elements of a set in the order of their bindings, in
// which a run that leaves one binding is in the next one by itself.
#include <algorithm>
#include <random>

#include "resource_fixture.h"

namespace spalt::icd::test {
namespace {

constexpr VkDescriptorType kTypes[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                       VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
                                       VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK};
constexpr VkDescriptorType kInline = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;

/// A buffer's size, or an inline byte; 0: null.
struct Element {
  uint32_t binding = 0, number = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
  uint32_t value = 0;
};
using Model = std::vector<Element>;

class DescriptorModelTest : public ResourceTest {
 protected:
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }

  /// Bindings with gaps in their numbers, some without elements, equal types often next to each other.
  std::vector<VkDescriptorSetLayoutBinding> random_bindings() {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    uint32_t number = 0;
    VkDescriptorType type = kTypes[0];
    for (uint32_t count = 1 + below(6); count > 0; --count) {
      if (below(3) == 0) type = kTypes[below(4)];
      bindings.push_back(binding(number, type, type == kInline ? 4 + 4 * below(6) : below(4)));
      number += 1 + below(3);
    }
    std::shuffle(bindings.begin(), bindings.end(), random_);
    return bindings;
  }

  static Model model_of(std::vector<VkDescriptorSetLayoutBinding> bindings) {
    std::sort(bindings.begin(), bindings.end(), [](const auto& a, const auto& b) { return a.binding < b.binding; });
    Model model;
    for (const auto& b : bindings) {
      for (uint32_t i = 0; i < b.descriptorCount; ++i) model.push_back({b.binding, i, b.descriptorType, 0});
    }
    return model;
  }

  /// Elements from there on that have the type.
  static uint32_t run_length(const Model& model, size_t begin, VkDescriptorType type) {
    size_t end = begin;
    while (end < model.size() && model[end].type == type) ++end;
    return static_cast<uint32_t>(end - begin);
  }

  /// A place where an update may begin: inline bytes change by fours.
  size_t random_place(const Model& model) {
    size_t place = below(static_cast<uint32_t>(model.size()));
    if (model[place].type == kInline) place -= model[place].number % 4;
    return place;
  }
  uint32_t random_length(uint32_t longest, VkDescriptorType type) {
    return type == kInline ? 4 * (1 + below(longest / 4)) : 1 + below(longest);
  }

  void write(VkDescriptorSet set, Model& model) {
    const size_t begin = random_place(model);
    const VkDescriptorType type = model[begin].type;
    const uint32_t count = random_length(run_length(model, begin, type), type);
    std::vector<VkDescriptorBufferInfo> infos;
    std::vector<uint8_t> bytes;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t value = below(type == kInline ? 256 : 1000);
      model[begin + i].value = value;
      bytes.push_back(static_cast<uint8_t>(value));
      infos.push_back({value == 0 ? VkBuffer{VK_NULL_HANDLE} : buffer_, 0, value == 0 ? VK_WHOLE_SIZE : value});
    }
    const VkWriteDescriptorSetInlineUniformBlock block{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
                                                       nullptr, count, bytes.data()};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                               &block,
                               set,
                               model[begin].binding,
                               model[begin].number,
                               count,
                               type,
                               nullptr,
                               infos.data()};
    entry::UpdateDescriptorSets(device(), 1, &write, 0, nullptr);
  }

  /// Between sets, so that source and target do not overlap.
  void copy(VkDescriptorSet from_set, const Model& from, VkDescriptorSet to_set, Model& to) {
    const size_t source = random_place(from), target = random_place(to);
    const VkDescriptorType type = from[source].type;
    if (to[target].type != type) return;
    const uint32_t count = random_length(std::min(run_length(from, source, type), run_length(to, target, type)), type);
    for (uint32_t i = 0; i < count; ++i) to[target + i].value = from[source + i].value;
    const VkCopyDescriptorSet copy{VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                   nullptr,
                                   from_set,
                                   from[source].binding,
                                   from[source].number,
                                   to_set,
                                   to[target].binding,
                                   to[target].number,
                                   count};
    entry::UpdateDescriptorSets(device(), 0, nullptr, 1, &copy);
  }

  static void check(VkDescriptorSet handle, const Model& model) {
    const auto& set = from_handle<DescriptorSet>(handle);
    for (const Element& element : model) {
      const SetBinding& binding = *set.layout->find(element.binding);
      uint32_t found = 0;
      if (element.type == kInline) {
        found = static_cast<uint32_t>(set.host[binding.offset + element.number]);
      } else if (is_dynamic(element.type)) {
        found = static_cast<uint32_t>(set.dynamic[binding.dynamic_index + element.number].range.size);
      } else {
        found = described(handle, binding.offset + 16 * element.number).size;
      }
      ASSERT_EQ(found, element.value) << "binding " << element.binding << " element " << element.number;
    }
  }

  VkBuffer buffer_ = bound_buffer(1000);
  std::mt19937 random_{7};
};

TEST_F(DescriptorModelTest, AgreesWithTheSets) {
  for (int round = 0; round < 300; ++round) {
    const auto first_bindings = random_bindings(), second_bindings = random_bindings();
    Model first = model_of(first_bindings), second = model_of(second_bindings);
    if (first.empty() || second.empty()) continue;
    VkDescriptorSet first_set = set(layout(first_bindings)), second_set = set(layout(second_bindings));
    for (int step = 0; step < 40; ++step) {
      write(first_set, first);
      write(second_set, second);
      copy(first_set, first, second_set, second);
      copy(second_set, second, first_set, first);
    }
    check(first_set, first);
    check(second_set, second);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

}  // namespace
}  // namespace spalt::icd::test
