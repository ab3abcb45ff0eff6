// SPDX-License-Identifier: MIT
//
// What a program with images needs and a target may not have yet. Programs without images need nothing that is not
// there: for them nothing is ever skipped.
#pragma once

#include <stdexcept>
#include <string>

#include "vkrun/manifest.h"
#include "vkrun/vulkan_runner.h"

namespace spalt::run {

/// The way to execute programs says that it does not have what this one needs; what() is one sentence.
class NotThere : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws NotThere unless spalt_query_target lists every capability that the modules declare and every kind of binding
/// that the manifest has, or when the compiler refuses a module as not supported.
void check_support(const vkrun::Manifest& manifest, const vkrun::ShaderWords& shaders, const std::string& target);

}  // namespace spalt::run
