// SPDX-License-Identifier: MIT
#include "icd/wsi/wayland_window.h"

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <vector>

#include "icd/object/result.h"

namespace spalt::icd {
namespace {

using Clock = std::chrono::steady_clock;

/// How long the driver waits for an answer of the compositor: it never hangs with it. A compositor does not ask for
/// frames of a window that nobody sees.
constexpr auto kPatience = std::chrono::seconds(1);
/// The compositor reads one buffer, has another next, and one is written.
constexpr size_t kMaxBuffers = 4;

/// Proxies that requests of one thread go through; its events arrive in `queue`.
template <typename T>
T* wrap(T* proxy, wl_event_queue* queue) {
  auto* wrapper = static_cast<T*>(wl_proxy_create_wrapper(proxy));
  if (wrapper == nullptr) throw std::bad_alloc();
  wl_proxy_set_queue(reinterpret_cast<wl_proxy*>(wrapper), queue);
  return wrapper;
}

class EventQueue {
 public:
  explicit EventQueue(wl_display* display) : display_(display), queue_(wl_display_create_queue(display)) {
    if (queue_ == nullptr) throw std::bad_alloc();
  }
  ~EventQueue() { wl_event_queue_destroy(queue_); }
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  wl_display* display() const { return display_; }
  wl_event_queue* get() const { return queue_; }
  bool is_connected() const { return wl_display_get_error(display_) == 0; }

  /// Sends requests and dispatches events until `predicate()`. False: the connection is broken, or patience at an end.
  template <typename Predicate>
  bool dispatch_until(Predicate predicate) const {
    const auto deadline = Clock::now() + kPatience;
    while (true) {
      if (wl_display_dispatch_queue_pending(display_, queue_) < 0) return false;
      if (predicate()) return true;
      if (wl_display_prepare_read_queue(display_, queue_) != 0) continue;  // events came in between
      if (!read_events(deadline)) return false;
    }
  }

 private:
  /// After a successful prepare. False: there is nothing to read in time.
  bool read_events(Clock::time_point deadline) const {
    wl_display_flush(display_);  // what does not fit is sent next time
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd ready{wl_display_get_fd(display_), POLLIN, 0};
    const int found = left <= 0 ? 0 : poll(&ready, 1, static_cast<int>(left));
    if (found > 0) return wl_display_read_events(display_) >= 0;
    wl_display_cancel_read(display_);
    return found < 0 && errno == EINTR;
  }

  wl_display* display_;
  wl_event_queue* queue_;
};

/// A buffer of the compositor over memory that both have.
class SharedBuffer {
 public:
  SharedBuffer(wl_shm* shm, const PresenterInfo& info, uint32_t format) : bytes_(info.bytes()) {
    const int file = memfd_create("spalt-swapchain", MFD_CLOEXEC);
    if (file < 0) throw std::bad_alloc();
    void* place = ftruncate(file, static_cast<off_t>(bytes_)) == 0
                      ? mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                      : MAP_FAILED;
    if (place == MAP_FAILED) {
      close(file);
      throw std::bad_alloc();
    }
    data_ = static_cast<std::byte*>(place);
    wl_shm_pool* pool = wl_shm_create_pool(shm, file, static_cast<int32_t>(bytes_));
    buffer_ = wl_shm_pool_create_buffer(pool, 0, static_cast<int32_t>(info.extent.width),
                                        static_cast<int32_t>(info.extent.height),
                                        static_cast<int32_t>(info.row_bytes()), format);
    wl_shm_pool_destroy(pool);
    close(file);
    static constexpr wl_buffer_listener kListener = {&release};
    wl_buffer_add_listener(buffer_, &kListener, this);
  }
  ~SharedBuffer() {
    wl_buffer_destroy(buffer_);
    munmap(data_, bytes_);
  }
  SharedBuffer(const SharedBuffer&) = delete;
  SharedBuffer& operator=(const SharedBuffer&) = delete;

  wl_buffer* get() const { return buffer_; }
  std::byte* data() const { return data_; }
  bool is_free = true;

 private:
  static void release(void* buffer, wl_buffer*) { static_cast<SharedBuffer*>(buffer)->is_free = true; }

  size_t bytes_;
  std::byte* data_ = nullptr;
  wl_buffer* buffer_ = nullptr;
};

uint32_t format_of(const PresenterInfo& info) {
  const bool opaque = info.alpha == VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  if (info.blue_first) return opaque ? WL_SHM_FORMAT_XRGB8888 : WL_SHM_FORMAT_ARGB8888;
  return opaque ? WL_SHM_FORMAT_XBGR8888 : WL_SHM_FORMAT_ABGR8888;
}

/// Attaches a buffer for each image. With FIFO, the next one waits until the compositor asks for another frame.
class WaylandPresenter : public Presenter {
 public:
  WaylandPresenter(wl_display* display, wl_surface* surface, wl_shm* shm, const PresenterInfo& info)
      : queue_(display), surface_(wrap(surface, queue_.get())), shm_(wrap(shm, queue_.get())), info_(info) {}
  ~WaylandPresenter() override {
    if (frame_ != nullptr) wl_callback_destroy(frame_);
    buffers_.clear();
    wl_proxy_wrapper_destroy(shm_);
    wl_proxy_wrapper_destroy(surface_);
    wl_display_flush(queue_.display());
  }
  WaylandPresenter(const WaylandPresenter&) = delete;
  WaylandPresenter& operator=(const WaylandPresenter&) = delete;

  VkResult show(const std::byte* texels, size_t row_bytes) override {
    if (info_.mode == VK_PRESENT_MODE_FIFO_KHR) wait_for_frame();
    SharedBuffer* buffer = find_free();
    if (!queue_.is_connected()) return VK_ERROR_SURFACE_LOST_KHR;
    if (buffer == nullptr) return VK_SUCCESS;  // the compositor does not look; the next image may be seen
    pack_rows(info_, texels, row_bytes, false, buffer->data());
    buffer->is_free = false;
    wl_surface_attach(surface_, buffer->get(), 0, 0);
    wl_surface_damage(surface_, 0, 0, INT32_MAX, INT32_MAX);
    if (info_.mode == VK_PRESENT_MODE_FIFO_KHR) ask_for_frame();
    wl_surface_commit(surface_);
    wl_display_flush(queue_.display());
    return queue_.is_connected() ? VK_SUCCESS : VK_ERROR_SURFACE_LOST_KHR;
  }

 private:
  void wait_for_frame() {
    queue_.dispatch_until([&] { return frame_ == nullptr; });
  }

  void ask_for_frame() {
    if (frame_ != nullptr) wl_callback_destroy(frame_);
    static constexpr wl_callback_listener kListener = {&frame_done};
    frame_ = wl_surface_frame(surface_);
    wl_callback_add_listener(frame_, &kListener, this);
  }

  static void frame_done(void* presenter, wl_callback* callback, uint32_t) {
    wl_callback_destroy(callback);
    static_cast<WaylandPresenter*>(presenter)->frame_ = nullptr;
  }

  SharedBuffer* known_free() const {
    for (const auto& buffer : buffers_) {
      if (buffer->is_free) return buffer.get();
    }
    return nullptr;
  }

  /// nullptr: the compositor keeps them all.
  SharedBuffer* find_free() {
    wl_display_dispatch_queue_pending(queue_.display(), queue_.get());
    if (known_free() == nullptr && buffers_.size() < kMaxBuffers) {
      buffers_.push_back(std::make_unique<SharedBuffer>(shm_, info_, format_of(info_)));
    }
    queue_.dispatch_until([&] { return known_free() != nullptr; });
    return known_free();
  }

  EventQueue queue_;
  wl_surface* surface_;
  wl_shm* shm_;
  PresenterInfo info_;
  std::vector<std::unique_ptr<SharedBuffer>> buffers_;
  wl_callback* frame_ = nullptr;  // until the compositor wants the next frame
};

class WaylandWindow : public Window {
 public:
  WaylandWindow(wl_display* display, wl_surface* surface) : queue_(display), surface_(surface) {
    try {
      find_formats();
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~WaylandWindow() override { destroy(); }
  WaylandWindow(const WaylandWindow&) = delete;
  WaylandWindow& operator=(const WaylandWindow&) = delete;

  VkResult query(WindowFacts& facts) const override {
    if (!queue_.is_connected()) return VK_ERROR_SURFACE_LOST_KHR;
    facts.blue_first = shm_ != nullptr;  // these formats every compositor has
    facts.red_first = has_xbgr_ && has_abgr_;
    facts.alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR;
    return VK_SUCCESS;
  }

  std::unique_ptr<Presenter> make_presenter(const PresenterInfo& info) const override {
    if (shm_ == nullptr || info.bytes() > INT32_MAX) throw VulkanError{VK_ERROR_INITIALIZATION_FAILED};
    return std::make_unique<WaylandPresenter>(queue_.display(), surface_, shm_, info);
  }

 private:
  void destroy() {
    if (shm_ != nullptr) wl_shm_destroy(shm_);
  }

  void find_formats() {
    wl_display* wrapper = wrap(queue_.display(), queue_.get());
    wl_registry* registry = wl_display_get_registry(wrapper);
    static constexpr wl_registry_listener kRegistryListener = {&add_global, &remove_global};
    wl_registry_add_listener(registry, &kRegistryListener, this);
    const bool answered = has_answered(wrapper) && has_answered(wrapper);  // the globals, then the formats
    wl_registry_destroy(registry);
    wl_proxy_wrapper_destroy(wrapper);
    if (!answered) throw VulkanError{VK_ERROR_SURFACE_LOST_KHR};
  }

  /// Waits for the answer to all requests so far.
  bool has_answered(wl_display* wrapper) const {
    bool done = false;
    static constexpr wl_callback_listener kListener = {
        [](void* flag, wl_callback*, uint32_t) { *static_cast<bool*>(flag) = true; }};
    wl_callback* callback = wl_display_sync(wrapper);
    wl_callback_add_listener(callback, &kListener, &done);
    const bool dispatched = queue_.dispatch_until([&] { return done; });
    wl_callback_destroy(callback);
    return dispatched;
  }

  static void add_global(void* object, wl_registry* registry, uint32_t name, const char* interface, uint32_t) {
    auto& window = *static_cast<WaylandWindow*>(object);
    if (window.shm_ != nullptr || std::string_view(interface) != wl_shm_interface.name) return;
    window.shm_ = static_cast<wl_shm*>(wl_registry_bind(registry, name, &wl_shm_interface, 1));
    static constexpr wl_shm_listener kListener = {&add_format};
    wl_shm_add_listener(window.shm_, &kListener, object);
  }
  static void remove_global(void*, wl_registry*, uint32_t) {}

  static void add_format(void* object, wl_shm*, uint32_t format) {
    auto& window = *static_cast<WaylandWindow*>(object);
    window.has_xbgr_ = window.has_xbgr_ || format == WL_SHM_FORMAT_XBGR8888;
    window.has_abgr_ = window.has_abgr_ || format == WL_SHM_FORMAT_ABGR8888;
  }

  EventQueue queue_;
  wl_surface* surface_;
  wl_shm* shm_ = nullptr;
  bool has_xbgr_ = false, has_abgr_ = false;
};

}  // namespace

std::unique_ptr<Window> make_wayland_window(wl_display* display, wl_surface* surface) {
  return std::make_unique<WaylandWindow>(display, surface);
}

}  // namespace spalt::icd
