// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "emu/debug/observer.h"
#include "emu/debug/register_changes.h"

namespace spalt::emu {

/// Tells every executed instruction and the registers that it changed.
class Tracer final : public Observer {
 public:
  using Sink = std::function<void(const std::string& text)>;
  explicit Tracer(Sink sink) : sink_(std::move(sink)) {}

  void start(const Wave& wave) override;
  bool before(const Wave& wave, const Step& step) override;
  bool after(const Wave& wave, const Step& step) override;

 private:
  Sink sink_;
  std::map<const Wave*, RegisterChanges> waves_;  ///< those of several workgroups and programs may take turns
};

}  // namespace spalt::emu
