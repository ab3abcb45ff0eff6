// SPDX-License-Identifier: MIT
#include "icd/device/printf_log.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace spalt::icd {
namespace {

constexpr uint64_t kBufferBytes = 1 << 20;
constexpr size_t kRecordWords = 2;  // before the arguments

}  // namespace

PrintfLog::PrintfLog(DeviceSpace& space, const spalt_api::Compiler& compiler)
    : buffer_(space, space.allocate(Range::general, kBufferBytes, "what shaders print")),
      table_(space, space.allocate(Range::tables, 16, "descriptor of what shaders print")) {
  const auto words = compiler.buffer_descriptor(buffer_->address, kBufferBytes);
  std::memcpy(table_->host, words.data(), sizeof words);
}

uint32_t PrintfLog::add_module(std::span<const uint32_t> words) {
  const XXH128_hash_t hashed = XXH3_128bits(words.data(), words.size_bytes());
  const Hash hash{hashed.low64, hashed.high64};
  const std::lock_guard guard(mutex_);
  if (const auto known = numbers_.find(hash); known != numbers_.end()) return known->second;
  spalt_printf_messages* made = nullptr;
  if (spalt_printf_messages_create(words.data(), words.size(), &made) != SPALT_SUCCESS) return 0;
  Messages messages(made);
  const uint32_t first = next_number_;
  next_number_ += static_cast<uint32_t>(spalt_printf_message_count(made));
  if (next_number_ != first) modules_.emplace(first, std::move(messages));
  numbers_.emplace(hash, first);
  return first;
}

void PrintfLog::print_when_idle(const Print& print) {
  for (const Line& line : take_lines()) print(line.text.c_str(), line.file.c_str(), line.number);
}

/// Who prints may do what it likes, so that no lock is held then.
std::vector<PrintfLog::Line> PrintfLog::take_lines() {
  std::vector<Line> lines;
  const std::unique_lock idle(running, std::try_to_lock);
  if (!idle.owns_lock()) return lines;
  const std::span<uint32_t> words(reinterpret_cast<uint32_t*>(buffer_->host), kBufferBytes / 4);
  const size_t asked = words[0], used = std::min(asked, words.size() - 1);
  if (asked == 0) return lines;
  const std::lock_guard guard(mutex_);
  read_records(words.subspan(1, used), lines);
  if (asked > used) {
    lines.push_back(
        {"shaders printed " + std::to_string(4 * (asked - used)) + " bytes more than there is room for", "", 0});
  }
  std::fill_n(words.begin(), 1 + used, 0);
  return lines;
}

void PrintfLog::read_records(std::span<const uint32_t> words, std::vector<Line>& lines) {
  while (words.size() >= kRecordWords && words[1] <= words.size() - kRecordWords) {
    read_record(words[0], words.subspan(kRecordWords, words[1]), lines);
    words = words.subspan(kRecordWords + words[1]);
  }
}

void PrintfLog::read_record(uint32_t number, std::span<const uint32_t> arguments, std::vector<Line>& lines) {
  const auto after = modules_.upper_bound(number);
  if (after == modules_.begin()) return;
  const auto& [first, messages] = *std::prev(after);
  const auto keep = [](void* to, const char* text, const char* file, uint32_t line) {
    static_cast<std::vector<Line>*>(to)->push_back({text, file, line});
  };
  spalt_printf_print(messages.get(), number - first, arguments.data(), arguments.size(), keep, &lines);
}

}  // namespace spalt::icd
