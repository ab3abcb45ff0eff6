// SPDX-License-Identifier: MIT
#include "icd/device/device.h"

#include <cstdio>
#include <cstdlib>

#include "icd/device/instance.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

ExtensionSet wanted_extensions(const PhysicalDevice& physical, const VkDeviceCreateInfo& info) {
  ExtensionSet set;
  for (uint32_t i = 0; i < info.enabledExtensionCount; ++i) {
    const auto extension = find_extension(info.ppEnabledExtensionNames[i]);
    if (!extension || !physical.extensions().has(*extension)) throw VulkanError{VK_ERROR_EXTENSION_NOT_PRESENT};
    set.add(*extension);
  }
  return set;
}

FeatureSet wanted_features(const PhysicalDevice& physical, const VkDeviceCreateInfo& info) {
  FeatureSet set;
  if (info.pEnabledFeatures != nullptr) read_core_features(*info.pEnabledFeatures, set);
  for (auto* link = static_cast<const VkBaseInStructure*>(info.pNext); link != nullptr; link = link->pNext) {
    read_features(link, set);
  }
  if (!physical.features().contains(set)) throw VulkanError{VK_ERROR_FEATURE_NOT_PRESENT};
  return set;
}

}  // namespace

Device::Device(PhysicalDevice& physical, const VkDeviceCreateInfo& info, const HostMemory& memory)
    : physical_(&physical),
      memory_(memory),
      features_(wanted_features(physical, info)),
      extensions_(wanted_extensions(physical, info)),
      border_palette_(space_),
      compiler_(physical.target().name) {
  if (!compiler_.ok()) throw std::bad_alloc();
  if (settings().printf) printf_log_ = std::make_unique<PrintfLog>(space_, compiler_);
}

Device::~Device() = default;

void Device::send(const DebugMessage& message) {
  if (settings().log) std::fprintf(stderr, "spalt: %s\n", message.text.c_str());
  instance().messengers().send(message);
}

bool Device::lose(const FaultReport& report) {
  const bool stays = settings().on_fault == OnFault::continue_ && report.fault.kind != SPALT_FAULT_NONE;
  if (!stays && !record_loss(report)) return true;
  DebugMessage message;
  message.id = "spalt-device-lost";
  message.text = report.text;
  message.objects = report.objects;
  message.queue_labels = report.queue_labels;
  message.command_labels = report.command_labels;
  send(message);
  if (settings().on_fault == OnFault::abort) std::abort();
  return !stays;
}

bool Device::record_loss(const FaultReport& report) {
  auto copy = std::make_unique<const FaultReport>(report);
  {
    const Monitor::Lock lock = monitor_.lock();
    if (!monitor_.lose()) return false;
    fault_ = std::move(copy);
  }
  if (queues != nullptr) queues->cancel();
  return true;
}

}  // namespace spalt::icd
