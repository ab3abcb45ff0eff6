// SPDX-License-Identifier: MIT
#include "device.h"

#include <spalt/descriptor.h>

#include <algorithm>
#include <cstring>
#include <spalt/spalt.hpp>
#include <stdexcept>

#include "emu/device/bound_buffers.h"
#include "emu/device/device.h"
#include "module.h"
#include "variables.h"

namespace spalt::litmus {
namespace {

/// Enough for the table of the one descriptor set and an address.
constexpr size_t kUserDataEntries = 16;
/// Far more than any test needs, unless it spins for ever.
constexpr uint64_t kStepLimit = 4000;
/// Of the variables: outside of the window of programs and tables, and of where the emulator puts buffers.
constexpr uint64_t kMemoryAddress = 0x7f0300000000;
constexpr uint64_t kMemoryBytes = kMemoryWords * 4;
constexpr size_t kLanes = 64;

// Values of VkFormat.
constexpr uint32_t kR8Uint = 13, kR16Uint = 74, kR32Uint = 98, kRg32Uint = 101, kR64Uint = 110;
constexpr uint32_t kView2D = 1;

void check(spalt_result result) {
  if (result != SPALT_SUCCESS) throw std::runtime_error("a descriptor of the test cannot be written");
}

uint32_t format_of(unsigned bits) {
  if (bits < 32) return bits == 8 ? kR8Uint : kR16Uint;
  return bits == 32 ? kR32Uint : kR64Uint;
}

/// A row for each line.
std::vector<uint32_t> image_descriptor(const spalt_api::Compiler& compiler, uint32_t format, uint32_t texel_bytes) {
  auto image = spalt_api::sized<spalt_image_info>();
  image.format = format;
  image.dimensions = 2;
  image.width = kLineWords * 4 / texel_bytes;
  image.height = kMemoryLines;
  image.depth = image.levels = image.layers = image.samples = 1;
  auto layout = spalt_api::sized<spalt_image_layout>();
  check(spalt_query_image_layout(compiler.handle(), &image, &layout));
  if (layout.levels[0].offset != 0 || layout.levels[0].row_bytes != kLineWords * 4) {
    throw std::runtime_error("the rows of the image are not the lines of the memory");
  }
  auto info = spalt_api::sized<spalt_image_descriptor_info>();
  info.image = &image;
  info.address = kMemoryAddress;
  info.format = format;
  info.view_type = kView2D;
  info.level_count = info.layer_count = 1;
  info.storage = 1;
  std::vector<uint32_t> words(8);
  check(spalt_write_image_descriptor(compiler.handle(), &info, words.data()));
  return words;
}

std::vector<uint32_t> texel_buffer_descriptor(const spalt_api::Compiler& compiler, uint32_t format) {
  auto info = spalt_api::sized<spalt_texel_buffer_descriptor_info>();
  info.address = kMemoryAddress;
  info.size = kMemoryBytes;
  info.format = format;
  std::vector<uint32_t> words(4);
  check(spalt_write_texel_buffer_descriptor(compiler.handle(), &info, words.data()));
  return words;
}

/// What shows the memory of the variables; empty for other bindings.
std::vector<uint32_t> descriptor_of(const spalt_api::Compiler& compiler, uint32_t binding, const Variant& variant) {
  if (binding != kDataBinding && binding != kFlagBinding && binding != kTouchBinding) return {};
  const bool pairs = binding == kTouchBinding;
  const bool data = binding == kDataBinding || (pairs && variant.data.has_texels());
  const Cells& cells = data ? variant.data : variant.flags;
  const uint32_t format = pairs ? kRg32Uint : format_of(cells.bits);
  if (cells.memory == Memory::texel_buffer) return texel_buffer_descriptor(compiler, format);
  if (cells.memory == Memory::image) return image_descriptor(compiler, format, pairs ? 8 : cells.bytes());
  const std::array<uint32_t, 4> words = compiler.buffer_descriptor(kMemoryAddress, kMemoryBytes);
  return {words.begin(), words.end()};
}

/// Of the final value.
uint32_t value_of(unsigned variable, const Cells& cells, const uint8_t* memory) {
  uint32_t value = 0;
  std::memcpy(&value, memory + variable_offset(variable, cells), std::min(cells.bytes(), 4u));
  return value;
}

}  // namespace

std::string Configuration::name() const {
  return std::string(target) + " wave" + std::to_string(wave_size) + (wgp_mode ? " WGP" : " CU");
}

Compiled compile(const Program& program, const Variant& variant, const Configuration& configuration, bool verify) {
  const std::vector<uint32_t> words = make_module(program, variant, configuration.wave_size);
  const spalt_api::Compiler compiler(configuration.target);
  if (!compiler.ok()) throw std::runtime_error(std::string("no compiler for ") + configuration.target);
  spalt_compile_info info = compiler.info(words);
  info.wave_size = configuration.wave_size;
  info.wgp_mode = configuration.wgp_mode ? 1 : 0;
  info.verify = verify ? 1 : 0;
  const spalt_api::Compilation compilation = compiler.compile(info);
  if (!compilation.ok()) throw std::runtime_error("the test does not compile: " + compilation.message());
  const auto [elf, size] = compilation.elf();
  Result<object::StageObject> shader = object::read_elf({elf, size});
  if (!shader) throw std::runtime_error(shader.error().message);
  const spalt_user_data_layout layout = compilation.layout();
  Compiled compiled{std::move(*shader), {}, layout.push_constant_entry};
  for (size_t i = 0; i < layout.binding_count; ++i) {
    const spalt_binding_location& at = layout.bindings[i];
    compiled.bindings.push_back(
        {at.binding, at.user_data_entry, at.offset, descriptor_of(compiler, at.binding, variant)});
  }
  return compiled;
}

struct Machine::State {
  State() : space(std::make_shared<emu::AddressSpace>()), tables(space) {}

  alignas(8) uint32_t memory[kMemoryWords];
  alignas(8) uint32_t results[4 * kResults];  // and what was touched; each may have 64 bits
  uint64_t addresses[kLanes];
  std::shared_ptr<emu::AddressSpace> space;
  emu::BoundBuffers tables;
  std::unique_ptr<emu::Device> device;
  emu::PalDispatch dispatch;
  std::vector<uint32_t> user_data = std::vector<uint32_t>(kUserDataEntries);
};

namespace {

template <class T>
T value(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

void check(const Result<void>& done) {
  if (!done) throw std::runtime_error(done.error().message);
}

}  // namespace

Machine::Machine(const Compiled& compiled, const Program& program, const Variant& variant)
    : program_(program), variant_(variant), state_(std::make_unique<State>()) {
  State& s = *state_;
  emu::PalDispatch& dispatch = s.dispatch;
  dispatch.program = value(emu::PalProgram::load(s.space, compiled.shader, 0, "code"));
  s.device = value(emu::Device::create(s.space, 1, 0));
  map(compiled);
  if (variant.data.memory == Memory::address || variant.flags.memory == Memory::address) {
    std::memcpy(s.user_data.data() + compiled.push_constant_entry, &kMemoryAddress, sizeof kMemoryAddress);
  }
  dispatch.user_data = s.user_data;
  dispatch.group_count[0] = variant.place == Place::groups ? static_cast<uint32_t>(program.threads.size()) : 1;
  dispatch.step_limit = kStepLimit;
}

Machine::~Machine() = default;

void Machine::map(const Compiled& compiled) {
  State& s = *state_;
  std::fill_n(s.addresses, kLanes, kMemoryAddress);
  const auto bytes_of = [](auto& array) { return reinterpret_cast<uint8_t*>(array); };
  check(s.space->map({kMemoryAddress, kMemoryBytes, bytes_of(s.memory), true, "variables", {}}));
  std::vector<std::vector<uint32_t>> descriptors;
  std::vector<emu::BufferBinding> buffers;
  descriptors.reserve(compiled.bindings.size());
  for (const Compiled::Bound& at : compiled.bindings) {
    emu::BufferBinding buffer{emu::BufferForm::descriptor, at.entry, at.offset, nullptr, 0, "results"};
    if (at.binding == kResultBinding) {
      buffer.data = bytes_of(s.results);
      buffer.size = sizeof s.results;
    } else if (at.binding == kAddressBinding) {
      buffer.data = bytes_of(s.addresses);
      buffer.size = sizeof s.addresses;
      buffer.name = "addresses";
    } else {
      descriptors.push_back(at.descriptor);
      buffer.form = emu::BufferForm::bytes;
      buffer.data = reinterpret_cast<uint8_t*>(descriptors.back().data());
      buffer.size = descriptors.back().size() * 4;
      buffer.name = "a descriptor";
    }
    buffers.push_back(std::move(buffer));
  }
  check(s.tables.add(buffers, s.dispatch.program->target(), s.user_data));
}

RunResult Machine::run(uint64_t seed, bool registers_wait) {
  State& s = *state_;
  std::fill_n(s.memory, kMemoryWords, 0);
  std::fill_n(s.results, std::size(s.results), 0);
  s.dispatch.hierarchy = {true, seed, registers_wait};
  const emu::RunOutcome outcome = value(s.device->dispatch(s.dispatch));
  RunResult result;
  if (outcome.fault.kind != emu::FaultKind::none) result.fault = outcome.fault.message();
  for (unsigned i = 0; i < kResults; ++i) result.outcome[i] = s.results[i * result_bytes(variant_) / 4];
  for (unsigned v = 0; v < kBufferVariables; ++v) {
    result.outcome[kResults + v] =
        value_of(v, program_.cells_of(v, variant_), reinterpret_cast<const uint8_t*>(s.memory));
  }
  return result;
}

}  // namespace spalt::litmus
