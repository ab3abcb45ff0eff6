// SPDX-License-Identifier: MIT
#include "replay/problem.h"

#include <charconv>
#include <cstdio>
#include <utility>

namespace spalt_tool::replay {
namespace {

constexpr const char* kNames[kCauseCount] = {"none",  "unsupported", "damaged", "missing",     "invalid",
                                             "limit", "time",        "memory",  "interrupted", "bug"};

}  // namespace

const char* cause_name(Cause cause) {
  return kNames[static_cast<unsigned>(cause)];
}

Cause find_cause(const std::string& name) {
  for (unsigned i = 0; i < kCauseCount; ++i) {
    if (name == kNames[i]) return static_cast<Cause>(i);
  }
  return Cause::none;
}

bool fail(Problem& problem, Cause cause, std::string message) {
  problem = {cause, std::move(message)};
  return false;
}

std::string hash_name(uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

bool parse_hash(const std::string& text, uint64_t& hash) {
  if (text.empty() || text.size() > 16) return false;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, hash, 16);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

}  // namespace spalt_tool::replay
