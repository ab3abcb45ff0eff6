// SPDX-License-Identifier: MIT
//
// Arbitrary structs for the functions that write descriptors and lay out images, and arbitrary words for their text. An
// input is a target, a function, and the bytes of its struct. What is accepted must make sense: levels lie in their
// slice, slices in the image, and the text of a written descriptor names its address. Seeds: tests/fuzz/make_seeds.
#include <spalt/descriptor.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <spalt/spalt.hpp>
#include <string>

namespace {

constexpr const char* kTargets[] = {"gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

const spalt_api::Compiler& compiler_for(uint8_t choice) {
  static const std::array<spalt_api::Compiler, std::size(kTargets)> compilers = {
      spalt_api::Compiler(kTargets[0]), spalt_api::Compiler(kTargets[1]), spalt_api::Compiler(kTargets[2]),
      spalt_api::Compiler(kTargets[3]), spalt_api::Compiler(kTargets[4]), spalt_api::Compiler(kTargets[5])};
  return compilers[choice % compilers.size()];
}

class Input {
 public:
  Input(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}
  /// A struct filled with bytes but for its size; zeros where the input has ended.
  template <class Struct>
  Struct take_struct() {
    auto value = take<Struct>();
    value.struct_size = sizeof value;
    return value;
  }
  template <class T>
  T take() {
    T value{};
    const size_t count = std::min(sizeof value, static_cast<size_t>(end_ - at_));
    std::memcpy(static_cast<void*>(&value), at_, count);
    at_ += count;
    return value;
  }

 private:
  const uint8_t *at_, *end_;
};

std::string text_of(const spalt_compiler* compiler, spalt_binding_kind kind, const uint32_t* words) {
  std::array<char, 4096> text;
  const size_t length = spalt_describe_descriptor(compiler, kind, words, text.data(), text.size());
  if (length == 0 || length >= text.size()) fail("no text of a descriptor");
  return text.data();
}

void lay_out(const spalt_compiler* compiler, Input input) {
  const auto image = input.take_struct<spalt_image_info>();
  auto layout = spalt_api::sized<spalt_image_layout>();
  if (spalt_query_image_layout(compiler, &image, &layout) != SPALT_SUCCESS) return;
  if (layout.bytes % layout.slice_bytes != 0 || layout.slice_bytes == 0) fail("an image is not made of slices");
  for (uint32_t l = 0; l < image.levels; ++l) {
    const spalt_image_level& level = layout.levels[l];
    if (level.offset % layout.alignment != 0) fail("a level is not aligned");
    if (level.rows == 0 || level.offset + level.row_bytes * level.rows > layout.slice_bytes) fail("a level is outside");
  }
}

void write_image(const spalt_compiler* compiler, Input input) {
  const auto image = input.take_struct<spalt_image_info>();
  auto view = input.take_struct<spalt_image_descriptor_info>();
  view.image = &image;
  std::array<uint32_t, 8> words{};
  if (spalt_write_image_descriptor(compiler, &view, words.data()) != SPALT_SUCCESS) return;
  if (text_of(compiler, SPALT_BINDING_IMAGE, words.data()).find("reserved") != std::string::npos) {
    fail("a written image descriptor has a reserved value");
  }
}

void write_sampler(const spalt_compiler* compiler, Input input) {
  const auto info = input.take_struct<spalt_sampler_descriptor_info>();
  std::array<uint32_t, 4> words{};
  if (spalt_write_sampler_descriptor(compiler, &info, words.data()) != SPALT_SUCCESS) return;
  if (text_of(compiler, SPALT_BINDING_SAMPLER, words.data()).find("reserved") != std::string::npos) {
    fail("a written sampler descriptor has a reserved value");
  }
}

void write_texel_buffer(const spalt_compiler* compiler, Input input) {
  const auto info = input.take_struct<spalt_texel_buffer_descriptor_info>();
  std::array<uint32_t, 4> words{};
  if (spalt_write_texel_buffer_descriptor(compiler, &info, words.data()) == SPALT_SUCCESS) {
    text_of(compiler, SPALT_BINDING_TYPED_BUFFER, words.data());
  }
}

void describe(const spalt_compiler* compiler, Input input) {
  const auto words = input.take<std::array<uint32_t, 12>>();
  text_of(compiler, SPALT_BINDING_TYPED_BUFFER, words.data());
  text_of(compiler, SPALT_BINDING_COMBINED_IMAGE_SAMPLER, words.data());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const spalt_compiler* compiler = compiler_for(input.take<uint8_t>()).handle();
  constexpr void (*kFunctions[])(const spalt_compiler*, Input) = {lay_out, write_image, write_sampler,
                                                                  write_texel_buffer, describe};
  kFunctions[input.take<uint8_t>() % std::size(kFunctions)](compiler, input);
  return 0;
}
