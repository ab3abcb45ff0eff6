// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct wl_client;
struct wl_display;
struct wl_event_source;
struct wl_resource;

namespace spalt::icd::test {

struct CompositorOptions {
  bool red_first = true;   // whether it takes formats that begin with red
  bool has_frames = true;  // whether it ever asks for another frame
  bool gives_back = true;  // whether it releases buffers
};

/// What was committed to a surface.
struct CommittedBuffer {
  uint32_t format = 0;
  int32_t width = 0, height = 0;
  std::vector<uint32_t> words;
  bool asked_for_frame = false;
};

/// A Wayland compositor with surfaces and shared memory that shows nothing and keeps what is committed. It runs on a
/// thread of its own and has one client, at the other end of a socket.
class MockCompositor {
 public:
  explicit MockCompositor(const CompositorOptions& options = {});
  ~MockCompositor();
  MockCompositor(const MockCompositor&) = delete;
  MockCompositor& operator=(const MockCompositor&) = delete;

  /// For wl_display_connect_to_fd, which takes it.
  int client_socket() const { return client_socket_; }
  /// What was committed so far; waits until there are so many.
  std::vector<CommittedBuffer> committed(size_t count);
  /// Ends the connection from this side.
  void disconnect();

 private:
  friend struct MockSurface;
  void stop();

  CompositorOptions options_;
  int client_socket_ = -1;
  int wake_[2] = {-1, -1};
  wl_display* display_ = nullptr;
  wl_client* client_ = nullptr;
  wl_event_source* stopper_ = nullptr;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<CommittedBuffer> committed_;
  std::thread thread_;
};

}  // namespace spalt::icd::test
