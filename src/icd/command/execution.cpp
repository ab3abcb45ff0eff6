// SPDX-License-Identifier: MIT
#include "icd/command/execution.h"

#include "icd/command/fault.h"

namespace spalt::icd {
namespace {

constexpr uint64_t kDeviceTableBytes = 192 * 1024;  // spalt_device_create_info::table_address

spalt_device_create_info device_info(Device& device, uint64_t table_address) {
  spalt_device_create_info info = spalt_api::Device::info(device.space().address_space(), device.settings().threads);
  info.target = device.physical().target().name;
  info.table_address = table_address;
  return info;
}

}  // namespace

DeviceTables::DeviceTables(DeviceSpace& space)
    : space_(&space), address_(space.reserve(Range::tables, kDeviceTableBytes)) {}

Execution::Execution(Device& device)
    : device_(&device), tables_(device.space()), emulated_(device_info(device, tables_.address())) {
  if (!emulated_.ok()) throw VulkanError{VK_ERROR_INITIALIZATION_FAILED};
}

bool Execution::run(const CommandBuffer& commands) {
  call(commands);
  while (!positions_.empty()) {
    const Command* command = positions_.back();
    if (command == nullptr) {
      positions_.pop_back();
      continue;
    }
    positions_.back() = command->next;
    if (cancelled_.load(std::memory_order_relaxed) || !command->execute(*command, *this)) {
      positions_.clear();
      return false;
    }
  }
  return true;
}

bool Execution::finish() {
  return true;
}

void Execution::cancel() {
  cancelled_ = true;
  emulated_.cancel();
}

bool Execution::dispatch(const Dispatch& dispatch) {
  auto info = spalt_api::sized<spalt_dispatch_info>();
  info.program = dispatch.pipeline->program->loaded().handle();
  info.user_data = dispatch.user_data.entries;
  info.user_data_count = dispatch.user_data.count;
  for (int i = 0; i < 3; ++i) {
    info.first_workgroup[i] = dispatch.first[i];
    info.workgroup_count[i] = dispatch.count[i];
  }
  info.step_limit = device_->settings().step_limit;
  const spalt_api::Device::Report report = emulated_.dispatch(info);
  return report.ok() || fail(dispatch, report);
}

bool Execution::fail(const Dispatch& dispatch, const spalt_api::Device::Report& report) {
  if (report.result == SPALT_ERROR_CANCELLED) return false;
  return report_fault(*device_, {dispatch, report.fault, {}}) == AfterFault::go_on;
}

}  // namespace spalt::icd
