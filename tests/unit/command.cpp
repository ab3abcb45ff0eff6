// SPDX-License-Identifier: MIT
#include "command.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace spalt::test {

std::string output_of(const std::string& command, std::span<const uint8_t> bytes) {
  char path[] = "/tmp/spalt-test-XXXXXX";
  const int file = mkstemp(path);
  EXPECT_EQ(write(file, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  close(file);
  std::string text;
  if (FILE* pipe = popen((command + " " + path + " 2>&1").c_str(), "r")) {
    char buffer[512];
    while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) text += buffer;
    pclose(pipe);
  }
  unlink(path);
  return text;
}

}  // namespace spalt::test
