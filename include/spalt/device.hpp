// SPDX-License-Identifier: MIT
/// @file device.hpp
/// A thin C++17 layer over device.h: handles that destroy themselves, structs with their sizes set. Header only. The
/// rules of device.h about threads, lifetimes and errors hold.
#ifndef SPALT_DEVICE_HPP
#define SPALT_DEVICE_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "spalt/common.hpp"
#include "spalt/device.h"
#include "spalt/draw.h"

namespace spalt_api {

/// A result and, when it is no success, why.
struct Outcome {
  spalt_result result = SPALT_SUCCESS;
  std::string message;
  bool ok() const { return result == SPALT_SUCCESS; }
};

/// Mappings of host memory at device addresses.
class AddressSpace {
 public:
  AddressSpace() {
    spalt_address_space* handle = nullptr;
    result_ = spalt_address_space_create(&handle);
    handle_.reset(handle);
  }
  bool ok() const { return handle_ != nullptr; }
  spalt_result result() const { return result_; }
  spalt_address_space* handle() const { return handle_.get(); }

  Outcome map(uint64_t address, void* host, uint64_t size, const char* name = nullptr, bool read_only = false,
              bool uncached = false) const {
    auto mapping = sized<spalt_mapping>();
    mapping.address = address;
    mapping.size = size;
    mapping.host = host;
    mapping.read_only = read_only ? 1 : 0;
    mapping.name = name;
    mapping.uncached = uncached ? 1 : 0;
    auto message = sized<spalt_message>();
    const spalt_result result = spalt_address_space_map(handle_.get(), &mapping, &message);
    return {result, message.text};
  }
  /// Addresses of a sparse resource without memory (spalt_mapping::not_resident).
  Outcome map_not_resident(uint64_t address, uint64_t size, const char* name = nullptr) const {
    auto mapping = sized<spalt_mapping>();
    mapping.address = address;
    mapping.size = size;
    mapping.name = name;
    mapping.not_resident = 1;
    auto message = sized<spalt_message>();
    const spalt_result result = spalt_address_space_map(handle_.get(), &mapping, &message);
    return {result, message.text};
  }
  spalt_result unmap(uint64_t address) const { return spalt_address_space_unmap(handle_.get(), address); }

 private:
  detail::Owned<spalt_address_space, spalt_address_space_destroy> handle_;
  spalt_result result_ = SPALT_ERROR_INTERNAL;
};

/// A compute or graphics pipeline of a code object in an address space.
class Program {
 public:
  Program() = default;
  /// `address` 0: the address space chooses.
  Program(const AddressSpace& space, const void* elf, size_t size, uint64_t address = 0, const char* name = nullptr) {
    auto info = sized<spalt_program_create_info>();
    info.elf = elf;
    info.elf_size = size;
    info.address = address;
    info.name = name;
    auto message = sized<spalt_message>();
    spalt_program* handle = nullptr;
    outcome_.result = spalt_program_create(space.handle(), &info, &handle, &message);
    outcome_.message = message.text;
    handle_.reset(handle);
  }
  bool ok() const { return handle_ != nullptr; }
  const Outcome& outcome() const { return outcome_; }
  const spalt_program* handle() const { return handle_.get(); }
  spalt_program_info info() const {
    auto info = sized<spalt_program_info>();
    spalt_program_get_info(handle_.get(), &info);
    return info;
  }

 private:
  detail::Owned<spalt_program, spalt_program_destroy> handle_;
  Outcome outcome_{SPALT_ERROR_INVALID_ARGUMENT, "no program was loaded"};
};

/// Host threads that run dispatches.
class Device {
 public:
  /// An info to change and to hand to the constructor.
  static spalt_device_create_info info(const AddressSpace& space, uint32_t threads = 1) {
    auto info = sized<spalt_device_create_info>();
    info.address_space = space.handle();
    info.threads = threads;
    return info;
  }
  explicit Device(const spalt_device_create_info& info) {
    auto message = sized<spalt_message>();
    spalt_device* handle = nullptr;
    outcome_.result = spalt_device_create(&info, &handle, &message);
    outcome_.message = message.text;
    handle_.reset(handle);
  }
  bool ok() const { return handle_ != nullptr; }
  const Outcome& outcome() const { return outcome_; }
  spalt_device* handle() const { return handle_.get(); }

  /// What a dispatch came to.
  struct Report {
    spalt_result result = SPALT_ERROR_INTERNAL;
    spalt_counters counters = sized<spalt_counters>();  ///< of a dispatch
    spalt_fault fault = sized<spalt_fault>();
    bool ok() const { return result == SPALT_SUCCESS; }
  };

  /// A dispatch of workgroups from id 0 on. `user_data` must live until it is dispatched.
  static spalt_dispatch_info dispatch_info(const Program& program, const std::vector<uint32_t>& user_data,
                                           uint32_t x = 1, uint32_t y = 1, uint32_t z = 1) {
    auto info = sized<spalt_dispatch_info>();
    info.program = program.handle();
    info.user_data = user_data.data();
    info.user_data_count = static_cast<uint32_t>(user_data.size());
    info.workgroup_count[0] = x;
    info.workgroup_count[1] = y;
    info.workgroup_count[2] = z;
    return info;
  }
  Report dispatch(const spalt_dispatch_info& info) const {
    Report report;
    report.result = spalt_device_dispatch(handle_.get(), &info, &report.counters, &report.fault);
    return report;
  }

  /// What a draw came to.
  struct DrawReport {
    spalt_result result = SPALT_ERROR_INTERNAL;
    spalt_draw_counters counters = sized<spalt_draw_counters>();
    spalt_fault fault = sized<spalt_fault>();
    bool ok() const { return result == SPALT_SUCCESS; }
  };
  /// A draw of `count` vertices, to change and to hand to draw(). All that is referred to must live until then.
  static spalt_draw_info draw_info(const Program& program, const spalt_raster_state& state,
                                   const std::vector<uint32_t>& user_data, uint32_t count) {
    auto info = sized<spalt_draw_info>();
    info.program = program.handle();
    info.user_data = user_data.data();
    info.user_data_count = static_cast<uint32_t>(user_data.size());
    info.state = &state;
    info.count = count;
    info.instance_count = 1;
    return info;
  }
  DrawReport draw(const spalt_draw_info& info) const {
    DrawReport report;
    report.result = spalt_device_draw(handle_.get(), &info, &report.counters, &report.fault);
    return report;
  }

  static spalt_device_task task(const spalt_dispatch_info& dispatch, spalt_counters* counters = nullptr) {
    return {&dispatch, nullptr, nullptr, counters};
  }
  /// The function, which must live until the task has run, is called with no arguments.
  template <class Function>
  static spalt_device_task host_task(Function& function) {
    return {nullptr, [](void* user) { (*static_cast<Function*>(user))(); }, &function, nullptr};
  }
  /// A run to change and to hand to run(). `tasks` must live until then.
  static spalt_run_info run_info(const std::vector<spalt_device_task>& tasks) {
    auto info = sized<spalt_run_info>();
    info.tasks = tasks.data();
    info.task_count = tasks.size();
    info.task_size = sizeof(spalt_device_task);
    return info;
  }
  /// Counters are where the tasks say.
  Report run(const spalt_run_info& info) const {
    Report report;
    report.result = spalt_device_run(handle_.get(), &info, &report.fault);
    return report;
  }
  /// A combination of spalt_cache_operation.
  spalt_result cache_operation(uint32_t operations) const {
    return spalt_device_cache_operation(handle_.get(), operations);
  }

  void cancel() const { spalt_device_cancel(handle_.get()); }
  void resume() const { spalt_device_resume(handle_.get()); }

 private:
  detail::Owned<spalt_device, spalt_device_destroy> handle_;
  Outcome outcome_;
};

}  // namespace spalt_api
#endif
