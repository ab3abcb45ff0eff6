// SPDX-License-Identifier: MIT
//
// What recorded commands execute on: the emulated device of a queue, and the state that goes from one command to the
// next.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "icd/command/binding_state.h"
#include "icd/command/command_buffer.h"
#include "spalt/device.hpp"

namespace spalt::icd {

struct Dispatch {
  const BoundPipeline* pipeline = nullptr;
  UserData user_data;
  std::array<uint32_t, 3> first{};
  std::array<uint32_t, 3> count{};
};

/// Addresses for the tables of an emulated device.
class DeviceTables {
 public:
  explicit DeviceTables(DeviceSpace& space);
  ~DeviceTables() { space_->unreserve(Range::tables, address_); }
  DeviceTables(const DeviceTables&) = delete;
  DeviceTables& operator=(const DeviceTables&) = delete;
  uint64_t address() const { return address_; }

 private:
  DeviceSpace* space_;
  uint64_t address_;
};

class Execution {
 public:
  explicit Execution(Device& device);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  Device& device() const { return *device_; }

  /// Executes a list to its end. False: the device is lost, or cancel() was called.
  bool run(const CommandBuffer& commands);
  bool finish();
  void cancel();

  // For commands; false: execution ends here.
  bool dispatch(const Dispatch& dispatch);
  /// Work on memory by the host: calls `command.transfer()`. The command must live in a list.
  template <typename T>
  bool transfer(const T& command) {
    command.transfer();
    return true;
  }
  /// Continues with another list, then with the present one.
  void call(const CommandBuffer& commands) { positions_.push_back(commands.first()); }

 private:
  bool fail(const Dispatch& dispatch, const spalt_api::Device::Report& report);

  Device* device_;
  DeviceTables tables_;
  spalt_api::Device emulated_;
  std::vector<const Command*> positions_;  // what comes next in each list that has begun
  std::atomic<bool> cancelled_ = false;
};

}  // namespace spalt::icd
