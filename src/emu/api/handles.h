// SPDX-License-Identifier: MIT
// What the handles of the public API are.
#pragma once
#include <spalt/device.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "emu/debug/debug_session.h"
#include "emu/device/device.h"
#include "emu/draw/graphics_program.h"

struct spalt_address_space {
  std::shared_ptr<spalt::emu::AddressSpace> space;
};

struct spalt_program {
  std::shared_ptr<const spalt::emu::PalProgram> program;        ///< of a compute pipeline
  std::shared_ptr<const spalt::emu::GraphicsProgram> graphics;  ///< of a graphics pipeline; one of the two
};

struct spalt_device {
  std::unique_ptr<spalt::emu::Device> device;
  std::string target;  ///< empty: any
  std::mutex mutex;    ///< of what follows
  std::shared_ptr<const spalt::emu::DebugSettings> debug;
};

namespace spalt::emu {

/// What looks at the instructions of one call, if anything does.
class Debugging {
 public:
  explicit Debugging(spalt_device& device) {
    std::shared_ptr<const DebugSettings> settings;
    {
      const std::lock_guard lock(device.mutex);
      settings = device.debug;
    }
    if (settings != nullptr) session_.emplace(*settings);
  }
  Observer* observer() { return session_ ? session_->observer() : nullptr; }

 private:
  std::optional<DebugSession> session_;
};

}  // namespace spalt::emu
