// SPDX-License-Identifier: MIT
#include "sampling_case.h"

#include "shader_input/shader_input.h"
#include "vkrun/image_texels.h"

namespace spalt::sampling {
namespace {

constexpr size_t kAccesses = 384, kQuickAccesses = 64;  // whole workgroups
constexpr uint32_t kQuickMain = 37;

/// FNV-1a: the same on every machine.
uint64_t seed_of(const std::string& name) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (const char letter : name) hash = (hash ^ static_cast<uint8_t>(letter)) * 0x100000001b3ull;
  return hash;
}

vkrun::BufferDesc buffer_at(uint32_t binding, const std::vector<float>& values) {
  vkrun::BufferDesc buffer;
  buffer.binding = binding;
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  buffer.initial.assign(bytes, bytes + values.size() * sizeof(float));
  return buffer;
}

const char* quads_name(Quads quads) {
  constexpr const char* kNames[] = {"", " linear", " squares"};
  return kNames[static_cast<size_t>(quads)];
}

class Maker {
 public:
  explicit Maker(bool quick) : quick_(quick) {}

  void add(const Kind& kind, const FormatChoice& format, Operation operation, Theme theme = Theme::Plain,
           Quads quads = Quads::None) {
    if (quick_ && !format.is_quick) return;
    Case test;
    test.name = std::string(kind.name) + " " + format.name + " " + facts(operation).name + theme_name(theme) +
                quads_name(quads);
    test.kind = &kind;
    test.operation = operation;
    test.theme = theme;
    test.quads = quads;
    const uint64_t seed = seed_of(test.name);
    vkrun::ImageDesc image = make_image(kind, format.vk, seed);
    for (const SamplerState& state : sampler_states(kind, image, operation, theme, quick_)) {
      test.manifest.samplers.push_back(state.sampler);
      image.bindings.push_back(state.binding);
    }
    const size_t count = quick_ ? kQuickAccesses : kAccesses;
    test.accesses =
        make_accesses(kind, operation, theme == Theme::Anisotropy, image.bindings[0].first_level, count, seed + 1);
    // Normalized depths are not quite multiples of 1/256, which references are: these lie between them.
    const bool is_normalized = image.format->layout.number == texel::Number::unorm;
    for (Access& access : test.accesses) {
      if (is_normalized && access.reference) *access.reference += 0x1p-9;
    }
    test.manifest.images.push_back(std::move(image));
    test.manifest.buffers.push_back(buffer_at(2, packed(test.accesses, seed + 2)));
    test.manifest.buffers.push_back(buffer_at(3, std::vector<float>(count * test.manifest.samplers.size() * 4)));
    for (uint32_t state = 0; state < test.manifest.samplers.size(); ++state) {
      vkrun::Dispatch dispatch;
      dispatch.shader = "sample.comp";
      dispatch.groups = {static_cast<uint32_t>(count / 64), 1, 1};
      dispatch.push = {static_cast<uint32_t>(count)};
      // A constant: lavapipe 22.3 crashes when the sampler of gradients or offsets is chosen at run time.
      dispatch.spec = {{0, {state}}};
      test.manifest.dispatches.push_back(dispatch);
    }
    cases_.push_back(std::move(test));
  }

  /// Whether all operations are tried with the format.
  bool is_main(const FormatChoice& format) const { return format.is_main && (!quick_ || format.vk == kQuickMain); }

  void add_themes(const Kind& kind, const FormatChoice& format, Operation operation) {
    add(kind, format, operation);
    if (kind.axes > 1 && !kind.is_cube) add(kind, format, operation, Theme::Mixed);
  }

  std::vector<Case> take() { return std::move(cases_); }

 private:
  bool quick_;
  std::vector<Case> cases_;
};

void add_color(Maker& maker, const Kind& kind, const FormatChoice& format) {
  maker.add_themes(kind, format, Operation::Lod);
  if (!kind.is_cube) maker.add(kind, format, Operation::Fetch);
  if (!maker.is_main(format)) return;
  maker.add(kind, format, Operation::Lod, Theme::Reduction);
  maker.add(kind, format, Operation::Lod, Theme::Border);
  if (kind.is_cube) maker.add(kind, format, Operation::Lod, Theme::NonSeamless);
  maker.add_themes(kind, format, Operation::Gradients);
  maker.add(kind, format, Operation::Gradients, Theme::Anisotropy);
  maker.add(kind, format, Operation::ClampedGradients);
  maker.add(kind, format, Operation::Implicit, Theme::Plain, Quads::Linear);
  maker.add(kind, format, Operation::Implicit, Theme::Anisotropy, Quads::Squares);
  maker.add(kind, format, Operation::ImplicitBias, Theme::Plain, Quads::Squares);
  maker.add(kind, format, Operation::ImplicitClamp, Theme::Plain, Quads::Linear);
  maker.add(kind, format, Operation::QueryLod, Theme::Plain, Quads::Linear);
  if (!kind.is_cube) {
    maker.add_themes(kind, format, Operation::Offset);
    maker.add(kind, format, Operation::FetchOffset);
    if (!kind.is_array) maker.add(kind, format, Operation::Projective);
    if (kind.axes < 3 && !kind.is_array) maker.add(kind, format, Operation::Unnormalized);
  }
}

void add_gathers(Maker& maker, const Kind& kind, const FormatChoice& format) {
  maker.add_themes(kind, format, Operation::Gather);
  if (kind.is_cube) maker.add(kind, format, Operation::Gather, Theme::NonSeamless);
  if (!kind.is_plane()) return;
  maker.add(kind, format, Operation::Gather, Theme::Border);
  maker.add_themes(kind, format, Operation::GatherOffset);
  maker.add(kind, format, Operation::GatherDynamicOffset);
  maker.add(kind, format, Operation::GatherFourOffsets);
}

void add_depth(Maker& maker, const Kind& kind, const FormatChoice& format) {
  if (kind.is_plane() && !kind.is_array) maker.add_themes(kind, format, Operation::CompareLod);
  if (kind.is_plane() && !kind.is_array) maker.add(kind, format, Operation::CompareLod, Theme::Border);
  maker.add(kind, format, Operation::CompareLevelZero);
  if (!kind.is_cube || !kind.is_array) maker.add(kind, format, Operation::CompareGradients);
  maker.add(kind, format, Operation::CompareImplicit, Theme::Plain, Quads::Linear);
  maker.add_themes(kind, format, Operation::CompareGather);
  maker.add(kind, format, Operation::Lod);
}

}  // namespace

std::vector<Case> make_cases(bool quick) {
  Maker maker(quick);
  for (const Kind& kind : kinds()) {
    for (const FormatChoice& format : formats()) {
      if (!exists(kind, format)) continue;
      switch (format.kind) {
        case FormatClass::Color:
        case FormatClass::Compressed:
          add_color(maker, kind, format);
          if (kind.axes == 2 && maker.is_main(format)) add_gathers(maker, kind, format);
          break;
        case FormatClass::Integer:
          maker.add(kind, format, Operation::Lod);
          maker.add(kind, format, Operation::Lod, Theme::Border);
          if (!kind.is_cube) maker.add(kind, format, Operation::Fetch);
          if (kind.axes == 2) add_gathers(maker, kind, format);
          break;
        case FormatClass::Depth:
          add_depth(maker, kind, format);
          break;
      }
    }
  }
  return maker.take();
}

vkrun::ShaderWords shaders_of(const Case& test) {
  const vkrun::ImageDesc& image = test.manifest.images[0];
  const bool is_signed = image.format->layout.number == texel::Number::sint;
  const std::string prefix = !vkrun::has_integers(*image.format) ? "" : is_signed ? "i" : "u";
  shader_input::Options options;
  options.validate = true;
  options.defines = {
      "SAMPLER=" + prefix + "sampler" + test.kind->name + (facts(test.operation).compares ? "Shadow" : ""),
      "STATES=" + std::to_string(test.manifest.samplers.size()),
      "OPERATION=" + expression_of(*test.kind, test.operation)};
  if (test.quads != Quads::None) options.defines.push_back(test.quads == Quads::Linear ? "LINEAR=1" : "QUADS=1");
  const bool clamps = test.operation == Operation::ClampedGradients || test.operation == Operation::ImplicitClamp;
  if (clamps) options.defines.push_back("CLAMPS=1");
  vkrun::ShaderWords shaders;
  std::string messages;
  if (!shader_input::load(SPALT_SAMPLING_SHADER, options, shaders["sample.comp"], messages)) {
    throw vkrun::Error(messages);
  }
  return shaders;
}

}  // namespace spalt::sampling
