// SPDX-License-Identifier: MIT
//
// An image of each kind has four levels. Accesses are texel centers, edges and corners of texels, quarters between
// them, places far outside on both sides, and random ones; levels of detail are whole, ties between levels, and
// outside.
#include "sampling_case.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.h"
#include "shader_input/shader_input.h"
#include "vkrun/image_texels.h"

namespace spalt::sampling {
namespace {

using vkrun::ImageDesc;
using vkrun::SamplerDesc;

struct Kind {
  const char* name;  // as GLSL has it after "texture"
  int axes;
  bool is_cube, is_array;
  uint32_t view_type;
  std::array<uint32_t, 3> size;
  uint32_t layers;
};

constexpr Kind kKinds[] = {
    {"1D", 1, false, false, 0, {16, 1, 1}, 1},      {"2D", 2, false, false, 1, {16, 11, 1}, 1},
    {"3D", 3, false, false, 2, {8, 10, 9}, 1},      {"Cube", 2, true, false, 3, {8, 8, 1}, 6},
    {"1DArray", 1, false, true, 4, {13, 1, 1}, 3},  {"2DArray", 2, false, true, 5, {9, 12, 1}, 3},
    {"CubeArray", 2, true, true, 6, {8, 8, 1}, 12},
};

/// Formats of each class: how texels become numbers, and how exact numbers are.
struct FormatChoice {
  uint32_t vk;
  const char* name;
  bool is_quick;
};
constexpr FormatChoice kFloatFormats[] = {
    {37, "rgba8", true},     {43, "srgb8", false}, {38, "rgba8_snorm", false}, {97, "rgba16f", true},
    {109, "rgba32f", false}, {64, "a2b10", false}, {122, "b10g11r11f", false}, {91, "rgba16", false},
    {4, "r5g6b5", false},    {9, "r8", false},     {123, "e5b9g9r9f", false},
};
constexpr FormatChoice kIntegerFormats[] = {{41, "rgba8ui", true}, {108, "rgba32i", false}, {81, "rg16ui", false}};
constexpr FormatChoice kDepthFormats[] = {{126, "d32f", true}, {124, "d16", false}};

ImageDesc make_image(const Kind& kind, uint32_t vk_format, uint64_t seed) {
  ImageDesc image;
  image.name = "image";
  image.format = texel::find_format(vk_format);
  image.dimensions = static_cast<uint32_t>(kind.axes);
  image.width = kind.size[0];
  image.height = kind.size[1];
  image.depth = kind.size[2];
  image.levels = kind.axes == 1 && kind.size[0] == 13 ? 3 : 4;
  image.layers = kind.layers;
  image.initial.resize(vkrun::image_bytes(image));
  Random random(seed);
  const bool has_sign =
      image.format->layout.number == texel::Number::snorm || image.format->layout.number == texel::Number::sint;
  for (uint32_t level = 0; level < image.levels; ++level) {
    const vkrun::LevelSize size = vkrun::level_size(image, level);
    for (uint32_t i = 0; i < size.width * size.height * size.slices; ++i) {
      texel::Texel texel;
      for (uint32_t& component : texel) {
        const uint32_t word = random.word() >> 24;
        const double value = has_sign ? word / 128.0 - 1.0 : word / 256.0;
        const auto integer = static_cast<uint32_t>(static_cast<int32_t>(word) - (has_sign ? 128 : 0));
        component = vkrun::has_integers(*image.format) ? integer : std::bit_cast<uint32_t>(static_cast<float>(value));
      }
      vkrun::store_texel(image, image.initial,
                         {level, i % size.width, i / size.width % size.height, i / size.width / size.height}, texel);
    }
  }
  vkrun::ImageBinding binding;
  binding.format = image.format;
  binding.view_type = kind.view_type;
  binding.level_count = image.levels;
  binding.layer_count = image.layers;
  image.bindings.push_back(binding);
  return image;
}

/// Coordinates in texels that are worth a look, for an axis of `size` texels.
double coordinate(Random& random, uint32_t size) {
  const double whole = random.below(size + 1);
  switch (random.below(6)) {
    case 0:
      return whole + 0.5;  // a center
    case 1:
      return whole;  // an edge: centers are as far away on both sides
    case 2:
      return whole + 0.25;
    case 3:
      return (random.unit() * 6.0 - 2.5) * size;
    case 4:
      return (random.unit() - 0.5) * 200.0 * size;  // far outside
    default:
      return random.unit() * size;
  }
}

double level_of_detail(Random& random) {
  constexpr double kLevels[] = {0.0, -1.0, 0.25, 0.5, 1.0, 1.4375, 1.5, 2.0, 2.75, 3.0, 7.0};
  return kLevels[random.below(static_cast<unsigned>(std::size(kLevels)))];
}

/// As a shader gets it.
double rounded(double value) {
  return static_cast<double>(static_cast<float>(value));
}

/// `inside_face`: not where two faces meet, whose derivatives differ while a device may take either.
std::array<double, 3> direction(Random& random, bool inside_face) {
  const auto place = [&] { return inside_face ? 0.03125 + 0.9375 * random.unit() : coordinate(random, 8) / 8.0; };
  const auto face = static_cast<int>(random.below(6));
  const double at_s = place();
  const FacePoint point = {face, at_s, place()};
  const auto inside = [](double s) { return s - std::floor(s); };
  std::array<double, 3> result = direction_of({point.face, inside(point.s), inside(point.t)});
  const double scale = std::exp2(static_cast<double>(random.below(9)) - 4.0);
  for (double& component : result) component = rounded(component * scale);
  return result;
}

std::vector<Access> make_accesses(const Kind& kind, Operation operation, size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<Access> accesses(count);
  for (Access& access : accesses) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const double texels = coordinate(random, kind.size[axis]);
      access.coordinates[axis] = rounded(operation == Operation::Unnormalized ? texels : texels / kind.size[axis]);
    }
    if (kind.is_cube) access.coordinates = direction(random, operation == Operation::Gradients);
    if (kind.is_array) access.layer = rounded(random.unit() * 5.0 - 1.0);
    const double lod = rounded(level_of_detail(random));
    if (operation == Operation::Lod || operation == Operation::CompareLod || operation == Operation::Offset)
      access.lod = lod;
    if (operation == Operation::Gradients) {
      std::array<std::array<double, 3>, 2> gradients{};
      for (auto& derivative : gradients) {
        const double scale = std::exp2(random.unit() * 8.0 - 7.0);
        for (double& component : derivative) component = rounded((random.unit() - 0.5) * scale);
      }
      access.gradients = gradients;
    }
    if (operation == Operation::Offset || operation == Operation::GatherOffset) {
      for (size_t axis = 0; axis < static_cast<size_t>(kind.axes); ++axis) access.offset[axis] = kOffset[axis];
    }
    if (operation == Operation::CompareLod || operation == Operation::CompareGather) {
      access.reference = random.below(257) / 256.0;
    }
  }
  return accesses;
}

bool is_gather(Operation operation) {
  return operation == Operation::Gather || operation == Operation::GatherOffset ||
         operation == Operation::CompareGather;
}

bool is_comparison(Operation operation) {
  return operation == Operation::CompareLod || operation == Operation::CompareGather;
}

/// Filters as bits: magnification, the mip filter, and whether minification differs.
std::vector<uint32_t> filters_for(Operation operation, bool integers, bool quick) {
  if (integers || is_gather(operation)) return {0};
  if (operation == Operation::Unnormalized) return {0, 1};
  if (quick) return {0, 3, 4};
  return {0, 1, 2, 3, 4, 5};
}

/// A sampler for each address mode and filter. In the second part each axis has another address mode.
std::vector<SamplerDesc> make_samplers(Operation operation, bool integers, bool quick, uint32_t part) {
  std::vector<SamplerDesc> samplers;
  for (uint32_t mode = 0; mode < 5; ++mode) {
    for (const uint32_t filters : filters_for(operation, integers, quick)) {
      SamplerDesc sampler;
      for (uint32_t axis = 0; axis < 3; ++axis) sampler.address_modes[axis] = (mode + axis * part * 2) % 5;
      sampler.mag_filter = filters & 1;
      sampler.min_filter = (filters >> 2) ^ (filters & 1);
      sampler.mipmap_mode = filters < 4 ? filters >> 1 : 1;
      sampler.border_color = (mode * 2 + filters) % 3 * 2 + (integers ? 1 : 0);
      if (mode == 3 && filters >= 2) sampler.lod_bias = 0.75f;
      if (mode == 4 && filters >= 2) {
        sampler.min_lod = 0.25f;
        sampler.max_lod = 1.625f;
      }
      if (is_comparison(operation)) sampler.compare_op = (mode + filters + part) % 8;
      if (operation == Operation::Unnormalized) {
        sampler.unnormalized = true;
        sampler.max_lod = 0.0f;
        const uint32_t clamp = 2 + (mode & 1);
        sampler.address_modes = {clamp, clamp, clamp};
      }
      samplers.push_back(sampler);
    }
  }
  return samplers;
}

std::string coordinates_text(const Kind& kind) {
  if (kind.is_cube) return kind.is_array ? "a.at" : "a.at.xyz";
  constexpr const char* kPlain[] = {"a.at.x", "a.at.xy", "a.at.xyz"};
  constexpr const char* kArray[] = {"vec2(a.at.x, a.at.w)", "a.at.xyw"};
  const auto axes = static_cast<size_t>(kind.axes - 1);
  return kind.is_array ? kArray[axes] : kPlain[axes];
}

std::string offset_text(const Kind& kind) {
  constexpr const char* kOffsets[] = {"3", "ivec2(3, -2)", "ivec3(3, -2, 1)"};
  return kOffsets[kind.axes - 1];
}

std::string expression_of(const Kind& kind, Operation operation) {
  const std::string at = coordinates_text(kind);
  constexpr const char* kGradients[] = {", a.dx.x, a.dy.x", ", a.dx.xy, a.dy.xy", ", a.dx.xyz, a.dy.xyz"};
  const auto vectors = static_cast<size_t>(kind.is_cube ? 2 : kind.axes - 1);
  switch (operation) {
    case Operation::Lod:
      return "textureLod(S, " + at + ", a.more.x)";
    case Operation::Unnormalized:
      return "textureLod(S, " + at + ", 0.0)";
    case Operation::Gradients:
      return "textureGrad(S, " + at + kGradients[vectors] + ")";
    case Operation::Offset:
      return "textureLodOffset(S, " + at + ", a.more.x, " + offset_text(kind) + ")";
    case Operation::Gather:
      return "textureGather(S, " + at + ", 1)";
    case Operation::GatherOffset:
      return "textureGatherOffset(S, " + at + ", " + offset_text(kind) + ", 1)";
    case Operation::CompareLod:
      // GLSL has no textureLod of shadow samplers of arrays and cubes.
      return "textureLod(S, vec3(a.at.xy, a.more.y), a.more.x)";
    case Operation::CompareGather:
      return "textureGather(S, " + at + ", a.more.y)";
  }
  return "";
}

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

std::vector<float> packed(const std::vector<Access>& accesses) {
  std::vector<float> values;
  const auto add = [&](std::initializer_list<double> numbers) {
    for (const double number : numbers) values.push_back(static_cast<float>(number));
  };
  for (const Access& access : accesses) {
    const auto& at = access.coordinates;
    const auto gradients = access.gradients.value_or(std::array<std::array<double, 3>, 2>{});
    add({at[0], at[1], at[2], access.layer});
    for (const auto& derivative : gradients) add({derivative[0], derivative[1], derivative[2], 0.0});
    add({access.lod, access.reference.value_or(0.0), 0.0, 0.0});
  }
  return values;
}

class Maker {
 public:
  explicit Maker(bool quick) : quick_(quick) {}

  void add(const Kind& kind, const FormatChoice& format, Operation operation, const char* operation_name) {
    if (quick_ && !format.is_quick) return;
    add_part(kind, format, operation, operation_name, quick_ ? 1 : 0);
    if (!quick_ && kind.axes > 1 && !kind.is_cube) add_part(kind, format, operation, operation_name, 1);
  }

  std::vector<Case> take() { return std::move(cases_); }

 private:
  void add_part(const Kind& kind, const FormatChoice& format, Operation operation, const char* operation_name,
                uint32_t part) {
    Case test;
    test.name = std::string(kind.name) + " " + format.name + " " + operation_name + (part == 0 ? "" : " mixed");
    test.operation = operation;
    test.is_cube = kind.is_cube;
    test.is_array = kind.is_array;
    const uint64_t seed = seed_of(test.name);
    ImageDesc image = make_image(kind, format.vk, seed);
    const bool integers = vkrun::has_integers(*image.format);
    if (operation == Operation::Unnormalized) image.bindings[0].level_count = 1;
    test.manifest.samplers = make_samplers(operation, integers, quick_, part);
    test.accesses = make_accesses(kind, operation, quick_ ? 64 : 192, seed + 1);
    image.bindings.resize(test.manifest.samplers.size(), image.bindings[0]);
    for (uint32_t state = 0; state < image.bindings.size(); ++state) {
      image.bindings[state].use = vkrun::ImageUse::Combined;
      image.bindings[state].element = state;
      image.bindings[state].sampler = state;
    }
    test.manifest.images.push_back(image);
    const size_t count = test.accesses.size();
    test.manifest.buffers.push_back(buffer_at(2, packed(test.accesses)));
    test.manifest.buffers.push_back(buffer_at(3, std::vector<float>(count * test.manifest.samplers.size() * 4)));
    for (uint32_t state = 0; state < test.manifest.samplers.size(); ++state) {
      vkrun::Dispatch dispatch;
      dispatch.shader = "sample.comp";
      dispatch.groups = {static_cast<uint32_t>((count + 63) / 64), 1, 1};
      dispatch.push = {static_cast<uint32_t>(count)};
      // A constant: lavapipe 22.3 crashes when the sampler of gradients or offsets is chosen at run time.
      dispatch.spec = {{0, state}};
      test.manifest.dispatches.push_back(dispatch);
    }
    const bool is_signed = image.format->layout.number == texel::Number::sint;
    const std::string prefix = integers ? is_signed ? "i" : "u" : "";
    test.sampler = prefix + "sampler" + kind.name + (is_comparison(operation) ? "Shadow" : "");
    test.expression = expression_of(kind, operation);
    cases_.push_back(std::move(test));
  }

  bool quick_;
  std::vector<Case> cases_;
};

}  // namespace

View Case::view() const {
  const ImageDesc& image = manifest.images[0];
  View view;
  view.axes = static_cast<int>(image.dimensions);
  view.is_cube = is_cube;
  view.size = {static_cast<int>(image.width), static_cast<int>(image.height), static_cast<int>(image.depth)};
  view.levels = static_cast<int>(image.bindings[0].level_count);
  view.layers = static_cast<int>(image.layers);
  for (size_t c = 0; c < 4; ++c) {
    const texel::Select select = image.format->swizzle[c];
    view.has_component[c] = select != texel::Select::zero && select != texel::Select::one;
  }
  view.texel = [&image](int level, int x, int y, int slice) {
    const texel::Texel bits = vkrun::load_texel(image, image.initial,
                                                {static_cast<uint32_t>(level), static_cast<uint32_t>(x),
                                                 static_cast<uint32_t>(y), static_cast<uint32_t>(slice)});
    Vec4 value;
    for (size_t c = 0; c < 4; ++c) {
      switch (image.format->layout.number) {
        case texel::Number::uint:
          value[c] = bits[c];
          break;
        case texel::Number::sint:
          value[c] = static_cast<int32_t>(bits[c]);
          break;
        default:
          value[c] = static_cast<double>(std::bit_cast<float>(bits[c]));
          break;
      }
    }
    return value;
  };
  return view;
}

std::vector<Case> make_cases(bool quick) {
  Maker maker(quick);
  for (const Kind& kind : kKinds) {
    const bool plane = kind.axes == 2 && !kind.is_cube;
    for (const FormatChoice& format : kFloatFormats) {
      maker.add(kind, format, Operation::Lod, "lod");
      if (format.vk != 37 && format.vk != 97) continue;
      maker.add(kind, format, Operation::Gradients, "gradients");
      if (!kind.is_cube) maker.add(kind, format, Operation::Offset, "offset");
      if (kind.axes == 2) maker.add(kind, format, Operation::Gather, "gather");
      if (plane) maker.add(kind, format, Operation::GatherOffset, "gather_offset");
      if (kind.axes < 3 && !kind.is_cube && !kind.is_array)
        maker.add(kind, format, Operation::Unnormalized, "unnormalized");
    }
    for (const FormatChoice& format : kIntegerFormats) {
      maker.add(kind, format, Operation::Lod, "lod");
      if (kind.axes == 2) maker.add(kind, format, Operation::Gather, "gather");
    }
    for (const FormatChoice& format : kDepthFormats) {
      if (plane && !kind.is_array) maker.add(kind, format, Operation::CompareLod, "compare");
      if (kind.axes == 2) maker.add(kind, format, Operation::CompareGather, "compare_gather");
    }
  }
  return maker.take();
}

vkrun::ShaderWords shaders_of(const Case& test) {
  shader_input::Options options;
  options.validate = true;
  options.defines = {"SAMPLER=" + test.sampler, "STATES=" + std::to_string(test.manifest.samplers.size()),
                     "OPERATION=" + test.expression};
  vkrun::ShaderWords shaders;
  std::string messages;
  if (!shader_input::load(SPALT_SAMPLING_SHADER, options, shaders["sample.comp"], messages)) {
    throw vkrun::Error(messages);
  }
  return shaders;
}

}  // namespace spalt::sampling
