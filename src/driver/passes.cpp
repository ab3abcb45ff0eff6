// SPDX-License-Identifier: MIT
#include "driver/passes.h"

#include <algorithm>

namespace spalt::driver {
namespace {

constexpr const char* kNames[] = {
#define PASS(name, account, tier) #name,
#include "driver/pass_list.def"
#undef PASS
};
constexpr const char* kAccountNames[] = {"spirv", "passes",   "lower",  "select", "opt",    "exec",
                                         "sched", "regalloc", "expand", "hazard", "encode", "object"};
static_assert(std::size(kAccountNames) == static_cast<size_t>(Account::count));

}  // namespace

const char* pass_name(Pass pass) {
  return kNames[static_cast<size_t>(pass)];
}

std::optional<Pass> find_pass(std::string_view name) {
  const auto at = std::find(std::begin(kNames), std::end(kNames), name);
  if (at == std::end(kNames)) return std::nullopt;
  return static_cast<Pass>(at - std::begin(kNames));
}

const char* account_name(Account account) {
  return kAccountNames[static_cast<size_t>(account)];
}

std::span<const char* const> pass_names() {
  return kNames;
}

}  // namespace spalt::driver
