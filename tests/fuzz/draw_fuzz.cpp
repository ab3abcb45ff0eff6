// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as a draw (include/spalt/draw.h): fixed-function state, attachments, vertices and the code object of
// a graphics pipeline. The draw ends with a result and, where it failed, with a cause; nothing is an internal error,
// and drawn again in the same memory it gives the same texels and counts. An input is the fields of Case::read in their
// order, then the ELF. Seeds: tests/fuzz/make_seeds.
#include <spalt/draw.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <spalt/common.hpp>
#include <vector>

namespace {

using spalt_api::sized;

constexpr uint64_t kWindow = 0x7e0000000000, kCode = kWindow + 0x100000, kTable = kWindow + 0x2000000,
                   kDeviceTables = kWindow + 0x10000000;
constexpr uint64_t kMemory = 0x20000000000;
/// Vertices and indices come first, then ten planes of attachments.
constexpr size_t kInputBytes = 2048, kPlaneBytes = 16384, kPlanes = 10;
constexpr unsigned kTableWords = 16, kMaxVertices = 64;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

/// What an input describes. Most numbers are cut to what exists and one more.
class Case {
 public:
  Case(const uint8_t* data, size_t size) : at_(data), end_(data + size) { read(); }
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  const std::vector<uint32_t>& table() const { return table_; }
  const std::vector<uint8_t>& inputs() const { return inputs_; }
  const uint8_t* elf() const { return at_; }
  size_t elf_size() const { return static_cast<size_t>(end_ - at_); }
  unsigned threads() const { return threads_; }
  spalt_draw_info info(const spalt_program* program) const {
    spalt_draw_info info = info_;
    info.program = program;
    info.state = &state_;
    info.user_data = user_data_.data();
    return info;
  }

 private:
  template <class T>
  T take() {
    T value{};
    const size_t count = std::min(sizeof value, static_cast<size_t>(end_ - at_));
    std::memcpy(&value, at_, count);
    at_ += count;
    return value;
  }
  /// 0 to `last`, and one more.
  uint32_t up_to(uint32_t last) { return take<uint8_t>() % (last + 2); }
  bool flag(unsigned bit) const { return (flags_ >> bit & 1) != 0; }

  void read() {
    flags_ = take<uint64_t>();
    threads_ = 1 + take<uint8_t>() % 2u;
    read_primitives();
    read_tests();
    read_colors();
    read_draw();
    read_memory();
  }

  void read_primitives() {
    state_.topology = up_to(10);
    state_.primitive_restart = flag(0);
    state_.provoking_last = flag(1);
    state_.rasterizer_discard = flag(2);
    state_.negative_one_to_one = flag(3);
    state_.depth_clip = flag(4);
    state_.depth_clamp = flag(5);
    state_.depth_bias = flag(6);
    state_.line_stipple = flag(7);
    state_.polygon_mode = up_to(2);
    state_.cull_mode = up_to(3);
    state_.front_face = up_to(1);
    state_.line_mode = up_to(2);
    for (float* value :
         {&state_.depth_bias_constant, &state_.depth_bias_clamp, &state_.depth_bias_slope, &state_.line_width}) {
      *value = take<float>();
    }
    state_.line_stipple_factor = take<uint16_t>();
    state_.line_stipple_pattern = take<uint16_t>();
    state_.viewport_count = up_to(2);
    for (spalt_viewport& viewport : viewports_) viewport = take<spalt_viewport>();
    for (spalt_rect& scissor : scissors_) scissor = take<spalt_rect>();
    state_.viewports = viewports_.data();
    state_.scissors = scissors_.data();
    state_.render_area = take<spalt_rect>();
  }

  void read_tests() {
    state_.samples = 1u << up_to(3);
    state_.sample_mask = take<uint32_t>();
    state_.min_sample_shading = static_cast<float>(take<uint8_t>()) / 128;
    state_.alpha_to_coverage = flag(8);
    state_.alpha_to_one = flag(9);
    state_.depth_test = flag(10);
    state_.depth_write = flag(11);
    state_.depth_bounds_test = flag(12);
    state_.stencil_test = flag(13);
    state_.depth_compare_op = up_to(7);
    state_.min_depth_bounds = take<float>();
    state_.max_depth_bounds = take<float>();
    for (spalt_stencil_face* face : {&state_.stencil_front, &state_.stencil_back}) {
      for (uint32_t* op : {&face->fail_op, &face->pass_op, &face->depth_fail_op, &face->compare_op}) *op = up_to(7);
      face->compare_mask = take<uint8_t>();
      face->write_mask = take<uint8_t>();
      face->reference = take<uint8_t>();
    }
    state_.depth = attachment(8, flag(14));
    state_.stencil = attachment(9, flag(15));
  }

  void read_colors() {
    state_.logic_op_enable = flag(16);
    state_.logic_op = up_to(15);
    for (float& constant : state_.blend_constants) constant = take<float>();
    state_.color_target_count = up_to(kMaxTargets);
    for (size_t i = 0; i < blends_.size(); ++i) {
      const auto bits = take<uint8_t>();
      spalt_color_blend& blend = blends_[i];
      blend.enable = bits & 1;
      blend.write_mask = bits >> 1;
      for (uint32_t* factor :
           {&blend.src_color_factor, &blend.dst_color_factor, &blend.src_alpha_factor, &blend.dst_alpha_factor}) {
        *factor = up_to(18);
      }
      blend.color_op = up_to(4);
      blend.alpha_op = up_to(4);
      targets_[i] = attachment(static_cast<unsigned>(i), (bits & 32) == 0);
    }
    state_.blends = blends_.data();
    state_.color_targets = targets_.data();
    state_.view_mask = flag(17) ? take<uint8_t>() : 0;
  }

  /// Mostly in its plane; a row or slice may lead out of it.
  spalt_attachment attachment(unsigned plane, bool exists) {
    spalt_attachment made{};
    made.format = take<uint8_t>();
    made.width = up_to(32);
    made.height = up_to(32);
    made.layers = up_to(4);
    made.samples = state_.samples;
    made.row_bytes = take<uint16_t>();
    made.slice_bytes = take<uint16_t>();
    if (exists) made.address = kMemory + kInputBytes + plane * kPlaneBytes;
    return made;
  }

  void read_draw() {
    info_.indexed = flag(18);
    info_.index_size = 1u << up_to(2);
    info_.index_address = kMemory + take<uint16_t>() % (2 * kInputBytes);
    info_.index_bytes = take<uint16_t>() % (2 * kInputBytes);
    info_.first = take<uint8_t>();
    info_.count = take<uint8_t>() % kMaxVertices;
    info_.vertex_offset = take<int16_t>();
    info_.first_instance = take<uint8_t>();
    info_.instance_count = up_to(2);
    info_.draw_index = take<uint8_t>();
    info_.vertex_buffer_table = static_cast<uint32_t>(kTable);
    info_.user_data_count = up_to(static_cast<uint32_t>(user_data_.size()) - 1);
    for (uint32_t& entry : user_data_) entry = take<uint32_t>();
    info_.step_limit = 2000;
  }

  /// Descriptors of vertex buffers, and what is in them and in the index buffer.
  void read_memory() {
    for (unsigned i = 0; i < kTableWords; ++i) table_.push_back(take<uint32_t>());
    const size_t given = std::min<size_t>({take<uint16_t>(), kInputBytes, elf_size()});
    inputs_.assign(at_, at_ + given);
    at_ += given;
  }

  static constexpr uint32_t kMaxTargets = 8;

  const uint8_t* at_;
  const uint8_t* const end_;
  uint64_t flags_ = 0;
  unsigned threads_ = 1;
  spalt_raster_state state_ = sized<spalt_raster_state>();
  spalt_draw_info info_ = sized<spalt_draw_info>();
  // One more than may be used, since counts may be one too large.
  std::array<spalt_viewport, 3> viewports_{};
  std::array<spalt_rect, 3> scissors_{};
  std::array<spalt_color_blend, kMaxTargets + 1> blends_{};
  std::array<spalt_attachment, kMaxTargets + 1> targets_{};
  std::array<uint32_t, 16> user_data_{};
  std::vector<uint32_t> table_;
  std::vector<uint8_t> inputs_;
};

/// What a draw leaves.
struct Outcome {
  spalt_result result = SPALT_SUCCESS;
  uint64_t fragments = 0, samples = 0, vertices = 0;
  std::vector<uint8_t> memory;
  bool operator==(const Outcome&) const = default;
};

class Machine {
 public:
  explicit Machine(const Case& described) : case_(described) {
    if (spalt_address_space_create(&space_) != SPALT_SUCCESS) fail("no address space");
    memory_.resize(kInputBytes + kPlanes * kPlaneBytes);
    table_ = described.table();
    map(kMemory, memory_.data(), memory_.size());
    map(kTable, table_.data(), table_.size() * sizeof(uint32_t));
  }
  ~Machine() {
    spalt_device_destroy(device_);
    spalt_program_destroy(program_);
    spalt_address_space_destroy(space_);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  bool load() {
    auto info = sized<spalt_program_create_info>();
    info.address = kCode;
    info.elf = case_.elf();
    info.elf_size = case_.elf_size();
    if (spalt_program_create(space_, &info, &program_, nullptr) != SPALT_SUCCESS) return false;
    auto device = sized<spalt_device_create_info>();
    device.address_space = space_;
    device.threads = case_.threads();
    device.table_address = kDeviceTables;
    return spalt_device_create(&device, &device_, nullptr) == SPALT_SUCCESS;
  }

  Outcome draw() {
    std::fill(memory_.begin(), memory_.end(), 0);
    std::copy(case_.inputs().begin(), case_.inputs().end(), memory_.begin());
    const spalt_draw_info info = case_.info(program_);
    auto counters = sized<spalt_draw_counters>();
    auto fault = sized<spalt_fault>();
    Outcome outcome;
    outcome.result = spalt_device_draw(device_, &info, &counters, &fault);
    if (outcome.result == SPALT_ERROR_INTERNAL) fail("an internal error");
    if ((outcome.result == SPALT_SUCCESS) != (fault.message[0] == '\0'))
      fail("an error without a cause, or a cause without an error");
    if ((outcome.result == SPALT_ERROR_EXECUTION) != (fault.kind != SPALT_FAULT_NONE)) fail("a fault that is none");
    outcome.fragments = counters.fragment_invocations;
    outcome.samples = counters.samples_passed;
    outcome.vertices = counters.vertex_invocations;
    outcome.memory = memory_;
    return outcome;
  }

 private:
  void map(uint64_t address, void* host, size_t size) {
    auto mapping = sized<spalt_mapping>();
    mapping.address = address;
    mapping.size = size;
    mapping.host = host;
    if (spalt_address_space_map(space_, &mapping, nullptr) != SPALT_SUCCESS) fail("a mapping that must work does not");
  }

  const Case& case_;
  std::vector<uint8_t> memory_;
  std::vector<uint32_t> table_;
  spalt_address_space* space_ = nullptr;
  spalt_program* program_ = nullptr;
  spalt_device* device_ = nullptr;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Case described(data, size);
  Machine machine(described);
  if (!machine.load()) return 0;
  const Outcome first = machine.draw();
  // With several threads it is open which fault ends a draw, and waves that write to the same place race.
  if (described.threads() == 1 && machine.draw() != first) fail("drawn again, a draw gives something else");
  return 0;
}
