// SPDX-License-Identifier: MIT
#include "run/resources.h"

#include <spalt/texel.h>

#include <algorithm>
#include <utility>

#include "run/failure.h"
#include "run/image_source.h"
#include "run/image_view.h"

namespace spalt_tool {
namespace {

/// Adds what an option describes, once for each place.
template <class Value>
void add(std::map<Place, Value>& values, const char* option, const Place& place, Value value) {
  if (values.emplace(place, std::move(value)).second) return;
  throw Failure{std::string(option) + " " + to_string(place) + ": given twice"};
}

[[noreturn]] void fail_at(const char* option, const Place& place, const std::string& sentence, ExitCode code = kUsage) {
  throw Failure{std::string(option) + " " + to_string(place) + ": " + sentence, code};
}

}  // namespace

void Resources::parse(const std::vector<std::string>& buffers, const std::vector<std::string>& images,
                      const std::vector<std::string>& samplers) {
  for (const std::string& text : buffers) {
    const BufferArgument argument = parse_buffer(text);
    add(buffers_, "--buffer", argument.place, Buffer{argument, {}});
  }
  for (const std::string& text : images) {
    const ImageArgument argument = parse_image(text);
    add(images_, "--image", argument.place, Image{argument, nullptr, 0});
  }
  for (const std::string& text : samplers) {
    const SamplerArgument argument = parse_sampler(text);
    add(samplers_, "--sampler", argument.place, argument);
  }
  for (const auto& [place, image] : images_) {
    const auto* other = std::get_if<OtherImage>(&image.argument.content);
    if (other == nullptr) continue;
    const auto found = images_.find(other->place);
    if (found != images_.end() && !std::holds_alternative<OtherImage>(found->second.argument.content)) continue;
    fail_at("--image", place, "view:" + to_string(other->place) + " is no image that another --image makes");
  }
}

/// The one that has the memory.
const Resources::Image& Resources::image_behind(const Image& image) const {
  const auto* other = std::get_if<OtherImage>(&image.argument.content);
  return other == nullptr ? image : images_.at(other->place);
}

bool Resources::has_image(const Place& place) const {
  const auto found = images_.find(place);
  if (found == images_.end()) return false;
  return !std::holds_alternative<NoImage>(image_behind(found->second).argument.content);
}

bool Resources::has_any_image(uint32_t set, uint32_t binding) const {
  const auto found = images_.lower_bound({set, binding, 0});
  return found != images_.end() && found->first.set == set && found->first.binding == binding;
}

void Resources::load(const spalt_compiler* compiler, const ShaderBindings& shader) {
  for (auto& [place, buffer] : buffers_) buffer.bytes = buffer_bytes(buffer.argument);
  for (auto& [place, image] : images_) {
    const spalt_reflected_binding* binding = shader.find_image(place);
    if (binding == nullptr) fail_at("--image", place, "the shader has no image there");
    const bool makes = std::holds_alternative<ImageFile>(image.argument.content) ||
                       std::holds_alternative<ImageZeros>(image.argument.content);
    if (!makes) continue;
    ImageData data = make_image(image.argument, binding->texel_format);
    image.memory = std::make_unique<ImageMemory>(compiler, std::move(data), about_image(place));
  }
  for (const auto& [place, sampler] : samplers_) {
    if (shader.find_sampler(place) == nullptr) fail_at("--sampler", place, "the shader has no sampler there");
  }
}

void Resources::bind_texel_buffer(const spalt_compiler* compiler, const spalt_reflected_binding& shader,
                                  Machine& machine, Buffer& buffer) {
  const Place& place = buffer.argument.place;
  auto info = spalt_api::sized<spalt_texel_buffer_descriptor_info>();
  info.format = buffer.argument.format != 0 ? buffer.argument.format : shader.texel_format;
  if (info.format == 0) {
    fail_at("--buffer", place,
            "the shader declares no format here; name one, for example --buffer " + to_string(place) +
                ":R32_SFLOAT=zeros:64");
  }
  const bool storage = shader.type == SPALT_RESOURCE_STORAGE_TEXEL_BUFFER;
  const uint32_t use = storage ? SPALT_FORMAT_STORAGE_TEXEL_BUFFER : SPALT_FORMAT_TEXEL_BUFFER;
  if ((spalt_query_format_uses(compiler, info.format) & use) == 0) {
    fail_at("--buffer", place, "the target has no such texel buffers of " + format_name(info.format), kUnsupported);
  }
  info.size = buffer.bytes.size();
  info.address = info.size == 0 ? 0 : machine.map(buffer.bytes.data(), info.size, "buffer " + to_string(place));
  uint32_t words[4];
  if (spalt_write_texel_buffer_descriptor(compiler, &info, words) != SPALT_SUCCESS) {
    fail_at("--buffer", place, "the target has no such texel buffer", kUnsupported);
  }
  machine.write(place, SPALT_BINDING_TYPED_BUFFER, words);
}

/// A buffer that the program does not use is left alone: the shader may declare it and the compiler drop it.
void Resources::bind_buffer(const spalt_compiler* compiler, const ShaderBindings& shader, Machine& machine,
                            Buffer& buffer) {
  const Place& place = buffer.argument.place;
  const spalt_reflected_binding* texels = shader.find_texel_buffer(place);
  if (texels != nullptr && machine.holds(place, SPALT_BINDING_TYPED_BUFFER)) {
    return bind_texel_buffer(compiler, *texels, machine, buffer);
  }
  if (buffer.argument.format != 0) fail_at("--buffer", place, "the shader has no texel buffer there");
  if (machine.write_inline(place, buffer.bytes) || !machine.holds(place, SPALT_BINDING_RAW_BUFFER)) return;
  auto info = spalt_api::sized<spalt_buffer_descriptor_info>();
  info.size = buffer.bytes.size();
  info.address = info.size == 0 ? 0 : machine.map(buffer.bytes.data(), info.size, "buffer " + to_string(place));
  uint32_t words[4];
  if (spalt_write_buffer_descriptor(compiler, &info, words) != SPALT_SUCCESS) {
    fail_at("--buffer", place, "larger than a descriptor can say", kInput);
  }
  machine.write(place, SPALT_BINDING_RAW_BUFFER, words);
}

void Resources::bind_image(const spalt_compiler* compiler, const ShaderBindings& shader, Machine& machine,
                           const Image& image) {
  const Image& behind = image_behind(image);
  const spalt_image_info* info = behind.memory != nullptr ? &behind.memory->info() : nullptr;
  const Place& place = image.argument.place;
  machine.write(place, SPALT_BINDING_IMAGE,
                image_words(compiler, image.argument, *shader.find_image(place), info, behind.address));
}

void Resources::bind(const spalt_compiler* compiler, const ShaderBindings& shader, Machine& machine) {
  for (auto& [place, buffer] : buffers_) bind_buffer(compiler, shader, machine, buffer);
  for (auto& [place, image] : images_) {
    if (image.memory == nullptr) continue;
    image.address = machine.map(image.memory->host(), image.memory->bytes(), "image " + to_string(place));
  }
  for (const auto& [place, image] : images_) bind_image(compiler, shader, machine, image);
  for (const auto& [place, sampler] : samplers_) {
    uint32_t words[4];
    if (spalt_write_sampler_descriptor(compiler, &sampler.state, words) != SPALT_SUCCESS) {
      fail_at("--sampler", place, "the target has no such sampler", kUnsupported);
    }
    machine.write(place, SPALT_BINDING_SAMPLER, words);
  }
  for (const Place& place : machine.places_of(SPALT_BINDING_IMAGE)) {
    if (has_any_image(place.set, place.binding)) continue;
    throw Failure{"the shader uses an image at " + to_string(place) + ", which no --image gives; --image " +
                  to_string(place) + "=null runs it without one"};
  }
}

ImageData Resources::image(const Place& place) const {
  return image_behind(images_.at(place)).memory->contents();
}

}  // namespace spalt_tool
