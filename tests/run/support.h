// SPDX-License-Identifier: MIT
//
// What keeps a program from running without being a failure: Vulkan has no multisampled images where formats cannot be
// attachments. Nothing that the compiler refuses is left out.
#pragma once

#include <stdexcept>

namespace spalt::run {

/// The way to execute programs does not have what this one needs; what() is one sentence.
class NotThere : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace spalt::run
