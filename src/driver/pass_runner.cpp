// SPDX-License-Identifier: MIT
#include "driver/pass_runner.h"

#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"
#include "ir/printer.h"
#include "ir/verifier.h"

namespace spalt::driver {

bool PassRunner::begin(Pass pass) {
  context.cancellation.poll();
  if (tier_of(pass) > options_.tier) return false;
  clock_.charge(account_of(pass));
  return true;
}

bool PassRunner::fail(Error error) {
  failed_ = true;
  error_ = std::move(error);
  return false;
}

bool PassRunner::wants_dump(Pass pass) const {
  return options_.dump && (options_.dump_all || options_.dump_after == pass);
}

bool PassRunner::check(Pass pass, Result<void> verdict) {
  if (!verdict) {
    Error error = verdict.error();
    error.status = Status::internal_error;
    error.message = "after " + std::string(pass_name(pass)) + ": " + error.message;
    return fail(std::move(error));
  }
  return after(pass);
}

bool PassRunner::after(Pass pass, const ir::Module& module) {
  if (!watched_) return after(pass);
  clock_.stop();
  if (wants_dump(pass)) options_.dump(pass_name(pass), ir::print(module));
  if (options_.watch) options_.watch(pass, module);
  if (!options_.verify) return after(pass);
  Result<void> verdict = ir::verify(module);
  if (verdict && analyses) verdict = analyses->verify();
  return check(pass, std::move(verdict));
}

bool PassRunner::after(Pass pass, const mir::Function& function) {
  if (!watched_) return after(pass);
  clock_.stop();
  if (wants_dump(pass)) options_.dump(pass_name(pass), mir::print(function));
  return check(pass, options_.verify ? mir::verify(function) : Result<void>());
}

bool PassRunner::after(Pass pass) {
  stopped_ = options_.stop_after == pass;
  return !stopped_;
}

}  // namespace spalt::driver
