// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace spalt::icd::test {

/// An X server without a screen (Xvfb), on a display that nobody else has.
class XServer {
 public:
  /// `arguments` come after those that every one has.
  explicit XServer(const std::vector<std::string>& arguments = {});
  ~XServer();
  XServer(const XServer&) = delete;
  XServer& operator=(const XServer&) = delete;

  /// False: Xvfb is not installed, or does not start.
  bool runs() const { return !display_.empty(); }
  /// ":7"
  const std::string& display() const { return display_; }

 private:
  pid_t process_ = -1;
  std::string display_;
};

}  // namespace spalt::icd::test
