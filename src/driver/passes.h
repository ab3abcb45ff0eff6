// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace spalt::driver {

/// The passes, from pass_list.def.
enum class Pass : uint8_t {
#define PASS(name, account, tier) name,
#include "driver/pass_list.def"
#undef PASS
  count
};

/// The rows of the data-flow table in docs/architecture.md: whose time is reported.
enum class Account : uint8_t {
  spirv,
  passes,
  lower,
  select,
  opt,
  exec,
  sched,
  regalloc,
  expand,
  hazard,
  encode,
  object,
  count
};

/// How much a compilation may do for the sake of the code. A pass belongs to the least that it runs in.
enum class Tier : uint8_t {
  fast,  ///< what code must have, and what costs less than it saves the passes after it
  full
};

const char* pass_name(Pass pass);
std::optional<Pass> find_pass(std::string_view name);
/// By Pass.
inline constexpr Account kAccounts[] = {
#define PASS(name, account, tier) Account::account,
#include "driver/pass_list.def"
#undef PASS
};
inline constexpr Tier kTiers[] = {
#define PASS(name, account, tier) Tier::tier,
#include "driver/pass_list.def"
#undef PASS
};
constexpr Account account_of(Pass pass) {
  return kAccounts[static_cast<size_t>(pass)];
}
constexpr Tier tier_of(Pass pass) {
  return kTiers[static_cast<size_t>(pass)];
}

const char* account_name(Account account);

/// Names for stop_after and dump_after, in pipeline order.
std::span<const char* const> pass_names();

}  // namespace spalt::driver
