// SPDX-License-Identifier: MIT
//
// Images of graphics stages: textures with nearest samplers, and an image with a texel for each slot.
//
// Texture sizes are powers of two, and coordinates lie in the middle of texels of the first level, which is at a
// quarter or an eighth of a texel in the levels below, or at corners of texels for gathers: no rounding leads to
// another texel. Levels that derivatives choose are whole numbers, since coordinates move by a power of two in each
// pixel.
#include <algorithm>

#include "draw_shape.h"
#include "generator.h"

namespace spalt::random_programs {
namespace {

constexpr Type kTexelPlace{Base::Int, 2};

Id texture_type(Shared& s, const Texture& texture) {
  const Id sampled = texture.is_float ? s.module.type_float() : s.type(Type{texture.base, 1});
  const bool is_input = texture.kind == Texture::Kind::Input;
  const spv::Dim dim = is_input                                ? spv::DimSubpassData
                       : texture.kind == Texture::Kind::Buffer ? spv::DimBuffer
                                                               : spv::Dim2D;
  const bool is_array = texture.kind == Texture::Kind::Image && texture.layers > 1;
  return s.module.type_image(sampled, dim, is_array, !is_input, spv::ImageFormatUnknown);
}

}  // namespace

void declare_images(Shared& s) {
  ModuleBuilder& m = s.module;
  uint32_t binding = kFirstTextureBinding;
  for (const Texture& texture : s.shape->textures) {
    const bool is_input = texture.kind == Texture::Kind::Input;
    const uint32_t own_binding = binding++;
    if (is_input && s.stage != Stage::Fragment) continue;
    TextureInput input;
    input.image_type = texture_type(s, texture);
    input.variable_type =
        texture.kind == Texture::Kind::Image ? m.type_sampled_image(input.image_type) : input.image_type;
    input.id = m.buffer_variable(spv::StorageClassUniformConstant, input.variable_type, 1, own_binding);
    if (is_input) m.decorate(input.id, {spv::DecorationInputAttachmentIndex, 0});
    input.texture = &texture;
    s.textures.push_back(input);
  }
  const StoreFormat& store = s.shape->store_format;
  if (store.format == nullptr) return;
  s.store_image_type = m.type_image(s.type(Type{store.base, 1}), spv::Dim2D, false, false, store.spirv);
  s.store_image = m.buffer_variable(spv::StorageClassUniformConstant, s.store_image_type, 1, kStoreBinding);
}

// ---- textures ----

Id FunctionGenerator::float_vector(const Words& parts) {
  const Id type = module_.type_vector(module_.type_float(), static_cast<uint32_t>(parts.size()));
  return f_.value(spv::OpCompositeConstruct, type, parts);
}

FunctionGenerator::Texels FunctionGenerator::texels(bool uniform) {
  // An input attachment, which comes last, has nothing that all of a quad have.
  const bool has_input = s_.textures.back().texture->kind == Texture::Kind::Input;
  const auto count = static_cast<uint32_t>(s_.textures.size());
  const TextureInput& input = s_.textures[rng_.below(uniform && has_input ? count - 1 : count)];
  if (input.texture->kind == Texture::Kind::Input) return read_input(input);
  const bool is_sampled = input.texture->kind == Texture::Kind::Image && rng_.chance(60);
  return is_sampled ? sample(input, uniform) : fetch(input, uniform);
}

FunctionGenerator::Texels FunctionGenerator::read_input(const TextureInput& input) {
  const Id zero = splat(kTexelPlace, 0).id;
  return {&input, f_.value(spv::OpImageRead, texel_type(input), {load_image(input), zero}), false};
}

bool FunctionGenerator::has_texels(bool uniform) const {
  if (s_.textures.empty()) return false;
  return !uniform || s_.textures.front().texture->kind != Texture::Kind::Input;
}

Id FunctionGenerator::load_image(const TextureInput& input) {
  const Id whole = f_.value(spv::OpLoad, input.variable_type, {input.id});
  if (input.variable_type == input.image_type) return whole;
  return f_.value(spv::OpImage, input.image_type, {whole});
}

Value FunctionGenerator::image_query() {
  const TextureInput& input = rng_.pick(s_.textures);
  const Texture& texture = *input.texture;
  if (texture.kind == Texture::Kind::Input) return constant(kInt);
  const Id image = load_image(input);
  if (texture.kind == Texture::Kind::Buffer) {
    return {f_.value(spv::OpImageQuerySize, s_.type(kInt), {image}), kInt, true};
  }
  if (rng_.chance(30)) return {f_.value(spv::OpImageQueryLevels, s_.type(kInt), {image}), kInt, true};
  const Type size_type{Base::Int, static_cast<uint8_t>(texture.layers > 1 ? 3 : 2)};
  const Value level = index(texture.levels, true);
  const Id size = f_.value(spv::OpImageQuerySizeLod, s_.type(size_type), {image, cast(level, kInt).id});
  return {f_.value(spv::OpCompositeExtract, s_.type(kInt), {size, rng_.below(size_type.size)}), kInt, level.uniform};
}

FunctionGenerator::Texels FunctionGenerator::fetch(const TextureInput& input, bool uniform) {
  const Texture& texture = *input.texture;
  const bool is_buffer = texture.kind == Texture::Kind::Buffer;
  Texels result{&input, 0, true};
  Words place;
  const auto add = [&](Value value) {
    result.uniform &= value.uniform;
    place.push_back(cast(value, kInt).id);
  };
  if (is_buffer) {
    add(masked(leaf(kInt, uniform), (1u << texture.width_bits) - 1));
    result.id = f_.value(spv::OpImageFetch, texel_type(input), {load_image(input), place[0]});
    return result;
  }
  const Value level = index(texture.levels, uniform);
  result.uniform = level.uniform;
  // Inside of the smallest level.
  for (const uint32_t bits : {texture.width_bits, texture.height_bits}) {
    add(masked(leaf(kInt, uniform), (1u << (bits - (texture.levels - 1))) - 1));
  }
  if (texture.layers > 1) add(index(texture.layers, uniform));
  const Type place_type{Base::Int, static_cast<uint8_t>(place.size())};
  const Id at = f_.value(spv::OpCompositeConstruct, s_.type(place_type), place);
  const Id image = load_image(input);
  result.id =
      f_.value(spv::OpImageFetch, texel_type(input), {image, at, spv::ImageOperandsLodMask, cast(level, kInt).id});
  return result;
}

/// Also beyond the last layer.
Id FunctionGenerator::layer_coordinate(const TextureInput& input, bool& uniform) {
  const Exact layer = to_exact(leaf(kInt, uniform), input.texture->layers > 2 ? 3 : 2, true);
  uniform &= layer.uniform;
  return layer.id;
}

FunctionGenerator::Texels FunctionGenerator::sample(const TextureInput& input, bool uniform) {
  const Texture& texture = *input.texture;
  const bool gathers = rng_.chance(30);
  Texels result{&input, 0, true};
  Words place;
  for (const uint32_t bits : {texture.width_bits, texture.height_bits}) {
    // In and around the image.
    const Exact texel = to_exact(leaf(kInt, uniform), static_cast<int>(bits) + 2, true);
    const Id at = gathers ? texel.id : f_.value(spv::OpFAdd, module_.type_float(), {texel.id, float_constant(0.5f)});
    place.push_back(scaled({at, 0, 0, true}, -static_cast<int>(bits)).id);
    result.uniform &= texel.uniform;
  }
  if (texture.layers > 1) {
    bool layer_uniform = uniform;
    place.push_back(layer_coordinate(input, layer_uniform));
    result.uniform &= layer_uniform;
  }
  uint32_t mask = 0;
  Words operands;
  if (!gathers) {
    const Value level = index(texture.levels, uniform);
    result.uniform &= level.uniform;
    mask |= spv::ImageOperandsLodMask;
    operands.push_back(f_.value(spv::OpConvertSToF, module_.type_float(), {cast(level, kInt).id}));
  }
  if (rng_.chance(25)) {
    Words parts;
    for (int i = 0; i < 2; ++i) parts.push_back(module_.constant(s_.type(kInt), rng_.below(16) - 8));
    mask |= spv::ImageOperandsConstOffsetMask;
    operands.push_back(module_.constant_composite(s_.type(kTexelPlace), parts));
  }
  const Id whole = f_.value(spv::OpLoad, input.variable_type, {input.id});
  Words all = {whole, float_vector(place)};
  if (gathers) all.push_back(s_.uint_constant(rng_.below(4)));
  if (mask != 0) all.push_back(mask);
  all.insert(all.end(), operands.begin(), operands.end());
  result.id = f_.value(gathers ? spv::OpImageGather : spv::OpImageSampleExplicitLod, texel_type(input), all);
  return result;
}

FunctionGenerator::Texels FunctionGenerator::sample_implicit(const TextureInput& input) {
  const Texture& texture = *input.texture;
  const Id float_type = module_.type_float();
  const int last_level = static_cast<int>(texture.levels) - 1;
  const Id pixel = f_.value(spv::OpLoad, module_.type_vector(float_type, 4), {s_.place});
  Words place;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const auto bits = static_cast<int>(axis == 0 ? texture.width_bits : texture.height_bits);
    // So many texels in a pixel, and the start a whole number of texels of the smallest level.
    const int step = static_cast<int>(rng_.below(static_cast<uint32_t>(last_level) + 2)) - 1;
    const float sign = rng_.chance(30) ? -1.0f : 1.0f;
    const float factor = sign * static_cast<float>(1 << (step + 1)) / static_cast<float>(2 << bits);
    const float start = static_cast<float>(rng_.below(16) << last_level) / static_cast<float>(1 << bits);
    const Id coordinate = f_.value(spv::OpCompositeExtract, float_type, {pixel, axis});
    const Id moved = f_.value(spv::OpFMul, float_type, {coordinate, float_constant(factor)});
    place.push_back(f_.value(spv::OpFAdd, float_type, {moved, float_constant(start)}));
  }
  bool uniform = true;
  if (texture.layers > 1) place.push_back(layer_coordinate(input, uniform));
  const Id whole = f_.value(spv::OpLoad, input.variable_type, {input.id});
  Words all = {whole, float_vector(place)};
  if (rng_.chance(30)) {
    all.push_back(spv::ImageOperandsBiasMask);
    all.push_back(float_constant(static_cast<float>(rng_.below(3))));
  }
  return {&input, f_.value(spv::OpImageSampleImplicitLod, texel_type(input), all), false};
}

Id FunctionGenerator::texel_type(const TextureInput& input) {
  const Texture& texture = *input.texture;
  if (texture.is_float) return module_.type_vector(module_.type_float(), 4);
  return s_.type(Type{texture.base, 4});
}

Exact FunctionGenerator::texel_part(const Texels& some, uint32_t component) {
  const Texture& texture = *some.input->texture;
  const Id type = module_.type_float();
  Id part = f_.value(spv::OpCompositeExtract, type, {some.id, component});
  if (texture.scale != 0.0f) {
    const Id whole = f_.value(spv::OpFMul, type, {part, float_constant(texture.scale)});
    const Id sum = f_.value(spv::OpFAdd, type, {whole, float_constant(0.5f)});
    part = f_.value(spv::OpConvertFToS, s_.type(kInt), {sum});
    part = f_.value(spv::OpConvertSToF, type, {part});
  }
  return {part, texture.high, texture.low, some.uniform};
}

Value FunctionGenerator::texel_value(const Texels& some) {
  const uint32_t component = rng_.below(4);
  if (some.input->texture->is_float) return to_int(texel_part(some, component));
  const Type scalar{some.input->texture->base, 1};
  return {f_.value(spv::OpCompositeExtract, s_.type(scalar), {some.id, component}), scalar, some.uniform};
}

void FunctionGenerator::implicit_sample() {
  const TextureInput& input = rng_.pick(s_.textures);
  if (input.texture->kind != Texture::Kind::Image) return assign();
  const Value value = texel_value(sample_implicit(input));
  trace(value);
  pool_.push_back(value);
}

// ---- the image with a texel for each slot ----

Id FunctionGenerator::store_texel() {
  const Id type = s_.type(kUint);
  const Id slot = f_.value(spv::OpLoad, type, {s_.slot});
  const Id x = f_.value(spv::OpBitwiseAnd, type, {slot, s_.uint_constant((1u << kStoreWidthBits) - 1)});
  const Id y = f_.value(spv::OpShiftRightLogical, type, {slot, s_.uint_constant(kStoreWidthBits)});
  return f_.value(spv::OpCompositeConstruct, s_.type({Base::Uint, 2}), {x, y});
}

void FunctionGenerator::image_store() {
  const StoreFormat& format = s_.shape->store_format;
  const Type scalar{format.base, 1};
  Words parts;
  for (int i = 0; i < 4; ++i) parts.push_back(narrow(scalar, format.bits, format.base == Base::Int).id);
  const Id texel = f_.value(spv::OpCompositeConstruct, s_.type(Type{format.base, 4}), parts);
  const Id at = store_texel();
  const Id image = f_.value(spv::OpLoad, s_.store_image_type, {s_.store_image});
  f_.statement(spv::OpImageWrite, {image, at, texel});
}

Value FunctionGenerator::image_load() {
  const StoreFormat& format = s_.shape->store_format;
  const Type scalar{format.base, 1};
  const Id at = store_texel();
  const Id image = f_.value(spv::OpLoad, s_.store_image_type, {s_.store_image});
  const Id texel = f_.value(spv::OpImageRead, s_.type(Type{format.base, 4}), {image, at});
  const uint32_t component = rng_.below(format.components);
  return {f_.value(spv::OpCompositeExtract, s_.type(scalar), {texel, component}), scalar, false};
}

}  // namespace spalt::random_programs
