// SPDX-License-Identifier: MIT
#include "replay/progress.h"

#include <unistd.h>

#include <cstdio>

namespace spalt_tool::replay {

Progress::Mode Progress::automatic() {
  return ::isatty(STDERR_FILENO) == 1 ? Mode::terminal : Mode::log;
}

void Progress::start(size_t count) {
  count_ = count;
  start_ = printed_ = Clock::now();
}

void Progress::done(Cause cause) {
  ++done_;
  if (cause == Cause::unsupported) {
    ++unsupported_;
  } else if (cause != Cause::none) {
    ++failed_;
  }
}

void Progress::tick() {
  if (mode_ == Mode::off) return;
  const auto now = Clock::now();
  const auto pause = mode_ == Mode::terminal ? std::chrono::milliseconds(200) : std::chrono::milliseconds(30000);
  if (now - printed_ < pause) return;
  printed_ = now;
  print(std::chrono::duration<double>(now - start_).count());
}

void Progress::print(double seconds) {
  const size_t done = done_;
  const double left = done == 0 ? 0 : seconds / static_cast<double>(done) * static_cast<double>(count_ - done);
  const char* start = mode_ == Mode::terminal ? "\r\033[K" : "";
  const char* end = mode_ == Mode::terminal ? "" : "\n";
  std::fprintf(stderr, "%s%zu of %zu pipelines, %zu unsupported, %zu failed, %.0f s, about %.0f s left%s", start, done,
               count_, unsupported_.load(), failed_.load(), seconds, left, end);
  on_screen_ = mode_ == Mode::terminal;
}

void Progress::finish() {
  if (on_screen_) std::fprintf(stderr, "\r\033[K");
  on_screen_ = false;
}

}  // namespace spalt_tool::replay
