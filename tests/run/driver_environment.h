// SPDX-License-Identifier: MIT
//
// Which Vulkan driver the loader of this process finds, and what the validation layer prints. The functions change the
// environment, so that each call belongs into a process of its own.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace spalt::run {

struct Driver {
  std::string manifest;     // path of the driver's JSON
  bool validation = false;  // under VK_LAYER_KHRONOS_validation
};

/// Whether its manifest says so; throws vkrun::Error when there is no such manifest.
bool is_vulkan_1_2(const Driver& driver);

void choose_driver(const Driver& driver, const std::string& target, uint32_t wave);
/// Throws vkrun::Error when the validation layer is not installed: the loader only warns.
void check_that_layer_is_there();

/// What is printed to stdout, the layer's place for messages, from here on. Ends with the process at the latest.
class PrintedText {
 public:
  PrintedText();
  ~PrintedText();
  PrintedText(const PrintedText&) = delete;
  PrintedText& operator=(const PrintedText&) = delete;

  std::string text() const;

 private:
  std::FILE* file_;
  int stdout_;
};

}  // namespace spalt::run
