// SPDX-License-Identifier: MIT
#include "mock_compositor.h"

#include <sys/socket.h>
#include <unistd.h>
#include <wayland-server-core.h>
#include <wayland-server-protocol.h>

#include <chrono>
#include <cstring>

namespace spalt::icd::test {

/// A surface's pending state, and the requests that change it.
struct MockSurface {
  MockCompositor* compositor;
  wl_resource* buffer = nullptr;
  wl_resource* frame = nullptr;

  static MockSurface& of(wl_resource* resource) {
    return *static_cast<MockSurface*>(wl_resource_get_user_data(resource));
  }
  static void destroy(wl_client*, wl_resource* resource) { wl_resource_destroy(resource); }
  static void attach(wl_client*, wl_resource* resource, wl_resource* buffer, int32_t, int32_t) {
    of(resource).buffer = buffer;
  }
  static void damage(wl_client*, wl_resource*, int32_t, int32_t, int32_t, int32_t) {}
  static void ask_for_frame(wl_client* client, wl_resource* resource, uint32_t id) {
    of(resource).frame = wl_resource_create(client, &wl_callback_interface, 1, id);
  }
  static void commit(wl_client*, wl_resource* resource) { of(resource).take(); }

  void take() {
    CommittedBuffer taken;
    taken.asked_for_frame = frame != nullptr;
    wl_shm_buffer* shared = buffer == nullptr ? nullptr : wl_shm_buffer_get(buffer);
    if (shared != nullptr) {
      taken.format = wl_shm_buffer_get_format(shared);
      taken.width = wl_shm_buffer_get_width(shared);
      taken.height = wl_shm_buffer_get_height(shared);
      const auto stride = static_cast<size_t>(wl_shm_buffer_get_stride(shared));
      wl_shm_buffer_begin_access(shared);
      const auto* rows = static_cast<const char*>(wl_shm_buffer_get_data(shared));
      const auto width = static_cast<size_t>(taken.width);
      taken.words.resize(width * static_cast<size_t>(taken.height));
      for (size_t y = 0; y < static_cast<size_t>(taken.height); ++y) {
        std::memcpy(&taken.words[y * width], rows + y * stride, width * 4);
      }
      wl_shm_buffer_end_access(shared);
    }
    if (buffer != nullptr && compositor->options_.gives_back) wl_buffer_send_release(buffer);
    if (frame != nullptr && compositor->options_.has_frames) {
      wl_callback_send_done(frame, 0);
      wl_resource_destroy(frame);
    }
    buffer = frame = nullptr;
    const std::lock_guard guard(compositor->mutex_);
    compositor->committed_.push_back(std::move(taken));
    compositor->changed_.notify_all();
  }
};

namespace {

void destroy_surface(wl_resource* resource) {
  delete &MockSurface::of(resource);
}

void create_surface(wl_client* client, wl_resource* resource, uint32_t id) {
  static const struct wl_surface_interface kRequests = [] {
    struct wl_surface_interface requests {};
    requests.destroy = &MockSurface::destroy;
    requests.attach = &MockSurface::attach;
    requests.damage = &MockSurface::damage;
    requests.frame = &MockSurface::ask_for_frame;
    requests.commit = &MockSurface::commit;
    return requests;
  }();
  wl_resource* surface = wl_resource_create(client, &wl_surface_interface, 1, id);
  auto* compositor = static_cast<MockCompositor*>(wl_resource_get_user_data(resource));
  wl_resource_set_implementation(surface, &kRequests, new MockSurface{compositor}, &destroy_surface);
}

void bind_compositor(wl_client* client, void* compositor, uint32_t, uint32_t id) {
  static const struct wl_compositor_interface kRequests = {&create_surface, nullptr};
  wl_resource* resource = wl_resource_create(client, &wl_compositor_interface, 1, id);
  wl_resource_set_implementation(resource, &kRequests, compositor, nullptr);
}

int stop_loop(int, uint32_t, void* display) {
  wl_display_terminate(static_cast<wl_display*>(display));
  return 0;
}

}  // namespace

MockCompositor::MockCompositor(const CompositorOptions& options) : options_(options), display_(wl_display_create()) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 || pipe(wake_) != 0) return;
  client_socket_ = ends[1];
  wl_display_init_shm(display_);
  if (options.red_first) {
    wl_display_add_shm_format(display_, WL_SHM_FORMAT_XBGR8888);
    wl_display_add_shm_format(display_, WL_SHM_FORMAT_ABGR8888);
  }
  wl_global_create(display_, &wl_compositor_interface, 1, this, &bind_compositor);
  stopper_ =
      wl_event_loop_add_fd(wl_display_get_event_loop(display_), wake_[0], WL_EVENT_READABLE, &stop_loop, display_);
  client_ = wl_client_create(display_, ends[0]);
  thread_ = std::thread([this] { wl_display_run(display_); });
}

MockCompositor::~MockCompositor() {
  stop();
  close(wake_[0]);
  close(wake_[1]);
  wl_display_destroy_clients(display_);
  if (stopper_ != nullptr) wl_event_source_remove(stopper_);
  wl_display_destroy(display_);
}

void MockCompositor::stop() {
  if (!thread_.joinable()) return;
  [[maybe_unused]] const ssize_t written = write(wake_[1], "", 1);
  thread_.join();
}

void MockCompositor::disconnect() {
  stop();
  wl_display_destroy_clients(display_);
}

std::vector<CommittedBuffer> MockCompositor::committed(size_t count) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::seconds(60), [&] { return committed_.size() >= count; });
  return committed_;
}

}  // namespace spalt::icd::test
