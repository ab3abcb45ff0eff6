// SPDX-License-Identifier: MIT
#include "icd/wsi/xcb_window.h"

#include <xcb/shm.h>
#include <xcb/xcb.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "icd/object/result.h"
#include "icd/wsi/shared_segment.h"

namespace spalt::icd {
namespace {

/// Replies and errors are the caller's to free.
struct Freed {
  void operator()(void* reply) const { std::free(reply); }
};
template <typename T>
using Reply = std::unique_ptr<T, Freed>;
using Error = Reply<xcb_generic_error_t>;

constexpr uint8_t kBitsOfTexel = 32;
constexpr uint8_t kDepthWithAlpha = 32;

/// What a visual shows, as far as images of four bytes a texel can have it.
struct VisualFacts {
  uint8_t depth = 0;  // 0: there is no such visual, or none of that form
  bool blue_first = false;
};

/// Whether images of that depth have 32 bits a texel, which the client's order of bytes stores.
bool has_wide_texels(const xcb_setup_t* setup, uint8_t depth) {
  if (setup->image_byte_order != XCB_IMAGE_ORDER_LSB_FIRST) return false;
  for (auto i = xcb_setup_pixmap_formats_iterator(setup); i.rem != 0; xcb_format_next(&i)) {
    if (i.data->depth == depth) return i.data->bits_per_pixel == kBitsOfTexel && i.data->scanline_pad <= kBitsOfTexel;
  }
  return false;
}

VisualFacts facts_of(const xcb_setup_t* setup, uint8_t depth, const xcb_visualtype_t& visual) {
  if (visual._class != XCB_VISUAL_CLASS_TRUE_COLOR && visual._class != XCB_VISUAL_CLASS_DIRECT_COLOR) return {};
  if (visual.green_mask != 0xff00 || !has_wide_texels(setup, depth)) return {};
  if (visual.red_mask == 0xff0000 && visual.blue_mask == 0xff) return {depth, true};
  if (visual.red_mask == 0xff && visual.blue_mask == 0xff0000) return {depth, false};
  return {};
}

VisualFacts find_visual(xcb_connection_t* connection, xcb_visualid_t id) {
  const xcb_setup_t* setup = xcb_get_setup(connection);
  for (auto screen = xcb_setup_roots_iterator(setup); screen.rem != 0; xcb_screen_next(&screen)) {
    for (auto depth = xcb_screen_allowed_depths_iterator(screen.data); depth.rem != 0; xcb_depth_next(&depth)) {
      for (auto visual = xcb_depth_visuals_iterator(depth.data); visual.rem != 0; xcb_visualtype_next(&visual)) {
        if (visual.data->visual_id == id) return facts_of(setup, depth.data->depth, *visual.data);
      }
    }
  }
  return {};
}

/// Puts images into a window: from a shared segment where the server can read it, else through the connection in
/// pieces that fit into requests. It returns when the server has read the image.
class XcbPresenter : public Presenter {
 public:
  XcbPresenter(xcb_connection_t* connection, xcb_window_t window, uint8_t depth, const PresenterInfo& info)
      : connection_(connection),
        window_(window),
        context_(xcb_generate_id(connection)),
        depth_(depth),
        info_(info),
        opaque_(depth == kDepthWithAlpha && info.alpha == VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) {
    const uint32_t no_exposures = 0;
    xcb_discard_reply(
        connection_,
        xcb_create_gc_checked(connection_, context_, window_, XCB_GC_GRAPHICS_EXPOSURES, &no_exposures).sequence);
    attach();
    if (!segment_.attached()) texels_.resize(info.bytes());
  }

  ~XcbPresenter() override {
    if (segment_.attached()) xcb_discard_reply(connection_, xcb_shm_detach_checked(connection_, id_).sequence);
    xcb_discard_reply(connection_, xcb_free_gc_checked(connection_, context_).sequence);
    xcb_flush(connection_);
  }
  XcbPresenter(const XcbPresenter&) = delete;
  XcbPresenter& operator=(const XcbPresenter&) = delete;

  VkResult show(const std::byte* texels, size_t row_bytes) override {
    std::byte* packed = segment_.attached() ? segment_.data() : texels_.data();
    pack_rows(info_, texels, row_bytes, opaque_, packed);
    const bool shown = segment_.attached() ? put_segment() : put_pieces();
    return shown ? VK_SUCCESS : VK_ERROR_SURFACE_LOST_KHR;
  }

 private:
  bool succeeds(xcb_void_cookie_t request) const {
    const Error error(xcb_request_check(connection_, request));
    return error == nullptr && xcb_connection_has_error(connection_) == 0;
  }

  /// Leaves the segment unattached where the server has no such extension, or runs on another machine.
  void attach() {
    const xcb_query_extension_reply_t* extension = xcb_get_extension_data(connection_, &xcb_shm_id);
    if (extension == nullptr || extension->present == 0) return;
    SharedSegment segment(info_.bytes());
    if (!segment.attached()) return;
    id_ = xcb_generate_id(connection_);
    if (succeeds(xcb_shm_attach_checked(connection_, id_, segment.id(), 1))) segment_ = std::move(segment);
  }

  bool put_segment() const {
    const auto width = static_cast<uint16_t>(info_.extent.width), height = static_cast<uint16_t>(info_.extent.height);
    return succeeds(xcb_shm_put_image_checked(connection_, window_, context_, width, height, 0, 0, width, height, 0, 0,
                                              depth_, XCB_IMAGE_FORMAT_Z_PIXMAP, 0, id_, 0));
  }

  bool put_pieces() const {
    const size_t largest =
        size_t{xcb_get_maximum_request_length(connection_)} * 4 - sizeof(xcb_put_image_request_t) - 4;
    const auto rows = static_cast<uint32_t>(std::max<size_t>(1, largest / info_.row_bytes()));
    for (uint32_t y = 0; y < info_.extent.height; y += rows) {
      const uint32_t count = std::min(rows, info_.extent.height - y);
      const auto* data = reinterpret_cast<const uint8_t*>(texels_.data() + y * info_.row_bytes());
      if (!succeeds(xcb_put_image_checked(connection_, XCB_IMAGE_FORMAT_Z_PIXMAP, window_, context_,
                                          static_cast<uint16_t>(info_.extent.width), static_cast<uint16_t>(count), 0,
                                          static_cast<int16_t>(y), 0, depth_,
                                          static_cast<uint32_t>(count * info_.row_bytes()), data))) {
        return false;
      }
    }
    return true;
  }

  xcb_connection_t* connection_;
  xcb_window_t window_;
  xcb_gcontext_t context_;
  xcb_shm_seg_t id_ = XCB_NONE;
  uint8_t depth_;
  PresenterInfo info_;
  bool opaque_;  // the window's visual has alpha, and the application wants none
  SharedSegment segment_;
  std::vector<std::byte> texels_;  // without a segment
};

class XcbWindow : public Window {
 public:
  XcbWindow(xcb_connection_t* connection, xcb_window_t window) : connection_(connection), window_(window) {}

  VkResult query(WindowFacts& facts) const override {
    VisualFacts visual;
    return query(facts, visual);
  }

  std::unique_ptr<Presenter> make_presenter(const PresenterInfo& info) const override {
    WindowFacts facts;
    VisualFacts visual;
    const VkResult found = query(facts, visual);
    if (found != VK_SUCCESS) throw VulkanError{found};
    // The application asks for what the surface does not have.
    if (visual.depth == 0 || visual.blue_first != info.blue_first) throw VulkanError{VK_ERROR_INITIALIZATION_FAILED};
    return std::make_unique<XcbPresenter>(connection_, window_, visual.depth, info);
  }

 private:
  /// One trip to the server and back.
  VkResult query(WindowFacts& facts, VisualFacts& visual) const {
    const auto geometry_cookie = xcb_get_geometry(connection_, window_);
    const auto attributes_cookie = xcb_get_window_attributes(connection_, window_);
    xcb_generic_error_t* geometry_error = nullptr;
    xcb_generic_error_t* attributes_error = nullptr;
    const Reply<xcb_get_geometry_reply_t> geometry(
        xcb_get_geometry_reply(connection_, geometry_cookie, &geometry_error));
    const Reply<xcb_get_window_attributes_reply_t> attributes(
        xcb_get_window_attributes_reply(connection_, attributes_cookie, &attributes_error));
    const Error errors[] = {Error(geometry_error), Error(attributes_error)};
    if (geometry == nullptr || attributes == nullptr) return VK_ERROR_SURFACE_LOST_KHR;
    visual = find_visual(connection_, attributes->visual);
    facts.extent = {geometry->width, geometry->height};
    facts.blue_first = visual.depth != 0 && visual.blue_first;
    facts.red_first = visual.depth != 0 && !visual.blue_first;
    if (visual.depth == kDepthWithAlpha) facts.alpha |= VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR;
    return VK_SUCCESS;
  }

  xcb_connection_t* connection_;
  xcb_window_t window_;
};

}  // namespace

std::unique_ptr<Window> make_xcb_window(xcb_connection_t* connection, uint32_t window) {
  return std::make_unique<XcbWindow>(connection, window);
}

bool can_present_to_visual(xcb_connection_t* connection, uint32_t visual) {
  return find_visual(connection, visual).depth != 0;
}

}  // namespace spalt::icd
