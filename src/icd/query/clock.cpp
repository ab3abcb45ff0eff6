// SPDX-License-Identifier: MIT
#include "icd/query/clock.h"

#include <algorithm>
#include <array>
#include <ctime>

#include "commands.h"
#include "icd/object/chain.h"

namespace spalt::icd {
namespace {

// The clock of timestamps is the second one, unless it counts instructions.
constexpr std::array kDomains = {VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT,
                                 VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT};

uint64_t read_host_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t read_domain(const Device& device, VkTimeDomainEXT domain) {
  switch (domain) {
    case VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT:
      return read_host_clock(CLOCK_MONOTONIC);
    case VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT:
      return read_host_clock(CLOCK_MONOTONIC_RAW);
    default:
      return read_clock(device);
  }
}

}  // namespace

uint64_t read_clock(const Device& device) {
  if (device.settings().clock_counts_instructions) return device.executed_instructions.load();
  return read_host_clock(CLOCK_MONOTONIC);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceCalibrateableTimeDomainsEXT(VkPhysicalDevice,
                                                                                   uint32_t* pTimeDomainCount,
                                                                                   VkTimeDomainEXT* pTimeDomains) {
  return write_array(kDomains.size(), pTimeDomainCount, pTimeDomains,
                     [](VkTimeDomainEXT& domain, uint32_t i) { domain = kDomains[i]; });
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetCalibratedTimestampsEXT(VkDevice device, uint32_t timestampCount,
                                                                 const VkCalibratedTimestampInfoEXT* pTimestampInfos,
                                                                 uint64_t* pTimestamps, uint64_t* pMaxDeviation) {
  const auto& owner = from_handle<Device>(device);
  const uint64_t begin = read_host_clock(CLOCK_MONOTONIC_RAW);
  for (uint32_t i = 0; i < timestampCount; ++i) {
    pTimestamps[i] = read_domain(owner, pTimestampInfos[i].timeDomain);
  }
  // One tick of the clock comes on top of the time between the first reading and the last.
  *pMaxDeviation = read_host_clock(CLOCK_MONOTONIC_RAW) - begin + 1;
  return VK_SUCCESS;
}

}  // namespace spalt::icd
