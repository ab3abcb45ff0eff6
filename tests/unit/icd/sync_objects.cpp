// SPDX-License-Identifier: MIT
#include "sync_objects.h"

namespace spalt::icd::test {
namespace {

std::vector<VkSemaphoreSubmitInfo> submit_infos(std::initializer_list<At> semaphores) {
  std::vector<VkSemaphoreSubmitInfo> infos;
  for (const At& at : semaphores) {
    VkSemaphoreSubmitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    info.semaphore = at.semaphore;
    info.value = at.value;
    info.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    infos.push_back(info);
  }
  return infos;
}

}  // namespace

TestFence::TestFence(const TestDevice& device, bool signaled) : device_(device.handle()) {
  VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  info.flags = signaled ? VK_FENCE_CREATE_SIGNALED_BIT : 0;
  EXPECT_EQ(entry::CreateFence(device_, &info, nullptr, &handle_), VK_SUCCESS);
}

TestSemaphore::TestSemaphore(const TestDevice& device) : device_(device.handle()) {
  const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  EXPECT_EQ(entry::CreateSemaphore(device_, &info, nullptr, &handle_), VK_SUCCESS);
}

TestSemaphore::TestSemaphore(const TestDevice& device, uint64_t initial) : device_(device.handle()) {
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  type.initialValue = initial;
  const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  EXPECT_EQ(entry::CreateSemaphore(device_, &info, nullptr, &handle_), VK_SUCCESS);
}

uint64_t TestSemaphore::value() const {
  uint64_t value = 0;
  EXPECT_EQ(entry::GetSemaphoreCounterValue(device_, handle_, &value), VK_SUCCESS);
  return value;
}

VkResult TestSemaphore::signal(uint64_t value) const {
  VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  info.semaphore = handle_;
  info.value = value;
  return entry::SignalSemaphore(device_, &info);
}

VkResult TestSemaphore::wait(uint64_t value, uint64_t timeout) const {
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &handle_;
  info.pValues = &value;
  return entry::WaitSemaphores(device_, &info, timeout);
}

VkResult submit(VkQueue queue, std::initializer_list<At> waits, std::initializer_list<At> signals, VkFence fence) {
  const std::vector<VkSemaphoreSubmitInfo> wait_infos = submit_infos(waits), signal_infos = submit_infos(signals);
  VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.waitSemaphoreInfoCount = static_cast<uint32_t>(wait_infos.size());
  info.pWaitSemaphoreInfos = wait_infos.data();
  info.signalSemaphoreInfoCount = static_cast<uint32_t>(signal_infos.size());
  info.pSignalSemaphoreInfos = signal_infos.data();
  return entry::QueueSubmit2(queue, 1, &info, fence);
}

}  // namespace spalt::icd::test
