// SPDX-License-Identifier: MIT
#include "spalt_runner.h"

namespace spalt::run {

vkrun::BufferContents run_on_spalt(const vkrun::Manifest&, const vkrun::ShaderWords&, const SpaltOptions&) {
  throw vkrun::Error("this build has no emulator");
}

}  // namespace spalt::run
