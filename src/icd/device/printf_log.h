// SPDX-License-Identifier: MIT
//
// What shaders print (spalt/printf.h): one buffer for all queues of a device, and the modules whose messages may be in
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "icd/memory/device_space.h"
#include "spalt/printf.h"
#include "spalt/spalt.hpp"

namespace spalt::icd {

class PrintfLog {
 public:
  /// The binding that shaders print to: none that an application has.
  static constexpr uint32_t kSet = UINT32_MAX, kBinding = 0;

  PrintfLog(DeviceSpace& space, const spalt_api::Compiler& compiler);

  /// Of the table with the buffer's descriptor, in the window of tables.
  uint64_t table_address() const { return table_->address; }
  /// The number of the first message of a module; the same for equal words. 0 for what is no module.
  uint32_t add_module(std::span<const uint32_t> words);

  /// Held by queues while they execute commands.
  std::shared_mutex running;

  using Print = std::function<void(const char* text, const char* file, uint32_t line)>;
  /// Prints what is there and empties the buffer, unless a queue executes: then that one will, when it is done.
  void print_when_idle(const Print& print);

 private:
  struct DestroyMessages {
    void operator()(spalt_printf_messages* messages) const { spalt_printf_messages_destroy(messages); }
  };
  using Messages = std::unique_ptr<spalt_printf_messages, DestroyMessages>;
  using Hash = std::pair<uint64_t, uint64_t>;

  struct Line {
    std::string text, file;
    uint32_t number;
  };

  std::vector<Line> take_lines();
  void read_records(std::span<const uint32_t> words, std::vector<Line>& lines);
  void read_record(uint32_t number, std::span<const uint32_t> arguments, std::vector<Line>& lines);

  OwnedBlock buffer_, table_;
  std::mutex mutex_;
  std::map<Hash, uint32_t> numbers_;      // of modules, their first message
  std::map<uint32_t, Messages> modules_;  // by their first message
  uint32_t next_number_ = 1;
};

}  // namespace spalt::icd
