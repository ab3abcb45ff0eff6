// SPDX-License-Identifier: MIT
// The public C API of the emulator: checks arguments, keeps what was set, maps errors.
#include <spalt/emulator.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <thread>
#include <tuple>

#include "base/ice.h"
#include "emu/debug/debug_session.h"
#include "emu/device/bound_buffers.h"
#include "emu/device/device.h"

namespace {

using namespace spalt;

struct BufferPlace {
  uint32_t set, binding, element;
  auto operator<=>(const BufferPlace&) const = default;
};
struct BufferMemory {
  void* data;
  size_t size;
};

struct LayoutCopy {
  std::vector<spalt_binding_location> bindings;
  uint32_t push_constant_entry = 0, push_constant_dwords = 0;
};

spalt_result result_of(Status status) {
  switch (status) {
    case Status::ok:
      return SPALT_SUCCESS;
    case Status::invalid_argument:
      return SPALT_ERROR_INVALID_ARGUMENT;
    case Status::invalid_input:
      return SPALT_ERROR_INVALID_INPUT;
    case Status::unsupported:
      return SPALT_ERROR_UNSUPPORTED;
    case Status::limit_exceeded:
      return SPALT_ERROR_LIMIT_EXCEEDED;
    case Status::out_of_memory:
      return SPALT_ERROR_OUT_OF_MEMORY;
    case Status::internal_error:
      break;
  }
  return SPALT_ERROR_INTERNAL;
}

/// Copies a size-tagged output struct: the caller may know fewer fields.
template <class T>
spalt_result write_struct(const T& value, T* out) {
  if (out == nullptr || out->struct_size < sizeof(size_t)) return SPALT_ERROR_INVALID_ARGUMENT;
  const size_t size = out->struct_size;
  std::memcpy(out, &value, std::min(size, sizeof(T)));
  out->struct_size = size;
  return SPALT_SUCCESS;
}

/// Reads a size-tagged input struct: fields beyond the caller's version are zero.
template <class T>
bool read_struct(const T* in, T& value) {
  if (in == nullptr || in->struct_size < sizeof(size_t)) return false;
  value = T{};
  std::memcpy(&value, in, std::min(in->struct_size, sizeof(T)));
  return true;
}

constexpr size_t kHostAlignment = 8;

}  // namespace

struct spalt_emulator {
  std::shared_ptr<emu::AddressSpace> space = std::make_shared<emu::AddressSpace>();
  std::shared_ptr<const emu::PalProgram> program;
  std::unique_ptr<emu::Device> device;  ///< with as many threads as the last dispatch wanted
  bool has_layout = false;
  LayoutCopy layout;
  std::map<BufferPlace, BufferMemory> buffers;
  std::vector<uint32_t> push_constants;
  std::string diagnostic;
  emu::Statistics statistics;
  emu::DebugSettings debug;

  spalt_result fail(spalt_result result, std::string message) {
    diagnostic = std::move(message);
    return result;
  }
};

namespace {

/// Runs the body of an API function: nothing escapes it.
template <class Body>
spalt_result guarded(spalt_emulator* emulator, Body body) {
  if (emulator == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  try {
    emulator->diagnostic.clear();
    return body();
  } catch (const std::bad_alloc&) {
    return SPALT_ERROR_OUT_OF_MEMORY;
  } catch (const InternalError& error) {
    return emulator->fail(SPALT_ERROR_INTERNAL, error.what());
  } catch (const std::exception& error) {
    return emulator->fail(SPALT_ERROR_INTERNAL, error.what());
  }
}

/// The layout of a module that uses exactly the bound buffers.
LayoutCopy default_layout(const spalt_emulator& emulator) {
  LayoutCopy layout;
  layout.push_constant_dwords = static_cast<uint32_t>(emulator.push_constants.size());
  uint32_t next_entry = layout.push_constant_dwords, offset = 0;
  for (const auto& [place, memory] : emulator.buffers) {
    const bool new_set = layout.bindings.empty() || layout.bindings.back().set != place.set;
    if (new_set) offset = 0;
    if (new_set || layout.bindings.back().binding != place.binding) {
      const uint32_t entry = new_set ? next_entry++ : layout.bindings.back().user_data_entry;
      layout.bindings.push_back({place.set, place.binding, 0, entry, offset, abi::kBufferDescriptorBytes});
    }
    spalt_binding_location& location = layout.bindings.back();
    offset += (place.element + 1 - location.count) * abi::kBufferDescriptorBytes;
    location.count = place.element + 1;
  }
  return layout;
}

const spalt_binding_location* find_binding(const LayoutCopy& layout, const BufferPlace& place) {
  for (const spalt_binding_location& location : layout.bindings) {
    if (location.set == place.set && location.binding == place.binding) return &location;
  }
  return nullptr;
}

std::string name_of(const BufferPlace& place) {
  return "buffer " + std::to_string(place.set) + ":" + std::to_string(place.binding) +
         (place.element == 0 ? std::string() : "[" + std::to_string(place.element) + "]");
}

/// Buffers that the host cannot map in place.
struct Copies {
  std::vector<std::pair<BufferMemory, std::vector<uint64_t>>> items;
};

void add_buffers(const spalt_emulator& emulator, const LayoutCopy& layout, std::vector<emu::BufferBinding>& bindings,
                 Copies& copies) {
  copies.items.reserve(emulator.buffers.size());
  for (const auto& [place, memory] : emulator.buffers) {
    // A buffer that the program's layout does not name is not used by it.
    const spalt_binding_location* location = find_binding(layout, place);
    if (location == nullptr) continue;
    emu::BufferBinding binding;
    binding.entry = location->user_data_entry;
    binding.offset = location->offset + place.element * location->stride;
    binding.size = memory.size;
    binding.name = name_of(place);
    binding.data = static_cast<uint8_t*>(memory.data);
    if (reinterpret_cast<uintptr_t>(memory.data) % kHostAlignment != 0) {
      copies.items.emplace_back(memory, std::vector<uint64_t>((memory.size + 7) / 8));
      binding.data = reinterpret_cast<uint8_t*>(copies.items.back().second.data());
      std::memcpy(binding.data, memory.data, memory.size);
    }
    bindings.push_back(std::move(binding));
  }
}

/// Every binding of the layout has its table, so that unbound elements read as null descriptors.
void add_null_descriptors(const LayoutCopy& layout, std::vector<emu::BufferBinding>& bindings) {
  for (const spalt_binding_location& location : layout.bindings) {
    emu::BufferBinding null;
    null.entry = location.user_data_entry;
    const uint32_t last = location.count == 0 ? 0 : location.count - 1;
    null.offset = location.offset + last * location.stride;
    null.name = "null descriptor";
    bindings.push_back(std::move(null));
  }
}

bool place_push_constants(const spalt_emulator& emulator, const LayoutCopy& layout, std::vector<uint32_t>& user_data) {
  if (layout.push_constant_entry > object::kUserDataEntryLimit ||
      layout.push_constant_dwords > object::kUserDataEntryLimit - layout.push_constant_entry) {
    return false;
  }
  size_t entries = layout.push_constant_entry + layout.push_constant_dwords;
  for (const spalt_binding_location& location : layout.bindings) {
    if (location.user_data_entry >= object::kUserDataEntryLimit) return false;
    entries = std::max<size_t>(entries, location.user_data_entry + 1);
  }
  user_data.assign(entries, 0);
  const size_t count = std::min<size_t>(emulator.push_constants.size(), layout.push_constant_dwords);
  std::copy_n(emulator.push_constants.begin(), count, user_data.begin() + layout.push_constant_entry);
  return true;
}

/// A device with that many threads.
Result<void> provide_device(spalt_emulator& emulator, unsigned threads) {
  if (emulator.device != nullptr && emulator.device->threads() == threads) return {};
  Result<std::unique_ptr<emu::Device>> device = emu::Device::create(emulator.space, threads, 0);
  if (!device) return device.error();
  emulator.device = std::move(*device);
  return {};
}

Result<emu::RunOutcome> run(spalt_emulator& emulator, const spalt_emulator_dispatch_info& request,
                            const std::vector<emu::BufferBinding>& bindings, std::vector<uint32_t> user_data,
                            emu::Observer* observer) {
  const unsigned threads = request.threads != 0 ? request.threads : std::max(1u, std::thread::hardware_concurrency());
  if (Result<void> done = provide_device(emulator, std::min(threads, emu::kMaxHostThreads)); !done) return done.error();
  emu::BoundBuffers buffers(emulator.space);
  if (Result<void> done = buffers.add(bindings, emulator.program->target(), user_data); !done) return done.error();
  emu::PalDispatch dispatch;
  dispatch.program = emulator.program;
  dispatch.user_data = user_data;
  std::copy(std::begin(request.grid), std::end(request.grid), dispatch.group_count.begin());
  if (request.step_limit != 0) dispatch.step_limit = request.step_limit;
  dispatch.observer = observer;
  dispatch.hierarchy.enabled = request.memory_hierarchy != 0;
  dispatch.hierarchy.seed = request.hierarchy_seed;
  return emulator.device->dispatch(dispatch);
}

spalt_result dispatch(spalt_emulator& emulator, const spalt_emulator_dispatch_info& request) {
  if (emulator.program == nullptr) return emulator.fail(SPALT_ERROR_INVALID_ARGUMENT, "no code object is loaded");
  const LayoutCopy layout = emulator.has_layout ? emulator.layout : default_layout(emulator);
  std::vector<emu::BufferBinding> bindings;
  std::vector<uint32_t> user_data;
  Copies copies;
  add_null_descriptors(layout, bindings);
  add_buffers(emulator, layout, bindings, copies);
  if (!place_push_constants(emulator, layout, user_data)) {
    return emulator.fail(SPALT_ERROR_INVALID_ARGUMENT, "the layout uses user-data entries that do not exist");
  }
  emu::DebugSession session(emulator.debug);
  const Result<emu::RunOutcome> outcome = run(emulator, request, bindings, std::move(user_data), session.observer());
  for (const auto& [memory, copy] : copies.items) std::memcpy(memory.data, copy.data(), memory.size);
  if (!outcome) return emulator.fail(result_of(outcome.error().status), outcome.error().message);
  emulator.statistics = outcome->statistics;
  if (outcome->fault.kind == emu::FaultKind::none) return SPALT_SUCCESS;
  if (outcome->fault.kind == emu::FaultKind::stopped) {
    return emulator.fail(SPALT_STOPPED, "the debugger ended the dispatch");
  }
  return emulator.fail(SPALT_ERROR_EXECUTION, outcome->fault.message());
}

}  // namespace

extern "C" {

spalt_result spalt_emulator_create(spalt_emulator** emulator) {
  if (emulator == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *emulator = new (std::nothrow) spalt_emulator;
  return *emulator != nullptr ? SPALT_SUCCESS : SPALT_ERROR_OUT_OF_MEMORY;
}

void spalt_emulator_destroy(spalt_emulator* emulator) {
  delete emulator;
}

spalt_result spalt_emulator_load(spalt_emulator* emulator, const void* elf, size_t size) {
  return guarded(emulator, [&] {
    emulator->program.reset();
    if (elf == nullptr) return emulator->fail(SPALT_ERROR_INVALID_ARGUMENT, "no code object was given");
    Result<object::ShaderObject> shader = object::read_elf({static_cast<const uint8_t*>(elf), size});
    if (!shader) return emulator->fail(result_of(shader.error().status), shader.error().message);
    auto program = emu::PalProgram::load(emulator->space, std::move(*shader), 0, "code");
    if (!program) return emulator->fail(result_of(program.error().status), program.error().message);
    emulator->program = std::move(*program);
    return SPALT_SUCCESS;
  });
}

spalt_result spalt_emulator_program(const spalt_emulator* emulator, spalt_emulator_program_info* info) {
  if (emulator == nullptr || emulator->program == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const object::ShaderObject& shader = emulator->program->shader();
  spalt_emulator_program_info value{};
  value.wave_size = shader.wave_size;
  std::copy(shader.threadgroup_dims.begin(), shader.threadgroup_dims.end(), value.workgroup_size);
  value.vgprs = shader.vgpr_count;
  value.sgprs = shader.sgpr_count;
  value.lds_bytes = shader.lds_bytes;
  value.scratch_bytes = shader.scratch_bytes_per_lane;
  return write_struct(value, info);
}

spalt_result spalt_emulator_set_layout(spalt_emulator* emulator, const spalt_user_data_layout* layout) {
  return guarded(emulator, [&] {
    emulator->has_layout = false;
    if (layout == nullptr) return SPALT_SUCCESS;
    spalt_user_data_layout value;
    if (!read_struct(layout, value) || (value.binding_count != 0 && value.bindings == nullptr)) {
      return emulator->fail(SPALT_ERROR_INVALID_ARGUMENT, "the layout is incomplete");
    }
    emulator->layout.bindings.assign(value.bindings, value.bindings + value.binding_count);
    emulator->layout.push_constant_entry = value.push_constant_entry;
    emulator->layout.push_constant_dwords = value.push_constant_dwords;
    emulator->has_layout = true;
    return SPALT_SUCCESS;
  });
}

spalt_result spalt_emulator_set_buffer(spalt_emulator* emulator, uint32_t set, uint32_t binding, uint32_t element,
                                       void* data, size_t size) {
  return guarded(emulator, [&] {
    if (data == nullptr && size != 0) return emulator->fail(SPALT_ERROR_INVALID_ARGUMENT, "a buffer has no memory");
    constexpr uint32_t kMaxElement = 1u << 20;
    if (element >= kMaxElement) return emulator->fail(SPALT_ERROR_LIMIT_EXCEEDED, "the array element is too large");
    emulator->buffers[{set, binding, element}] = {data, size};
    return SPALT_SUCCESS;
  });
}

spalt_result spalt_emulator_set_push_constants(spalt_emulator* emulator, const void* data, size_t size) {
  return guarded(emulator, [&] {
    if (data == nullptr && size != 0)
      return emulator->fail(SPALT_ERROR_INVALID_ARGUMENT, "no push constants were given");
    if (size > object::kUserDataEntryLimit * 4) {
      return emulator->fail(SPALT_ERROR_LIMIT_EXCEEDED, "too many push constants");
    }
    emulator->push_constants.assign((size + 3) / 4, 0);
    if (size != 0) std::memcpy(emulator->push_constants.data(), data, size);
    return SPALT_SUCCESS;
  });
}

spalt_result spalt_emulator_set_debug(spalt_emulator* emulator, const spalt_emulator_debug_info* info) {
  return guarded(emulator, [&] {
    emulator->debug = {};
    if (info == nullptr) return SPALT_SUCCESS;
    spalt_emulator_debug_info value;
    emu::DebugSettings settings;
    std::string error = "the debug settings have no size";
    if (!read_struct(info, value) || !emu::DebugSettings::read(value, settings, error)) {
      return emulator->fail(SPALT_ERROR_INVALID_ARGUMENT, error);
    }
    emulator->debug = std::move(settings);
    return SPALT_SUCCESS;
  });
}

spalt_result spalt_emulator_dispatch(spalt_emulator* emulator, const spalt_emulator_dispatch_info* info) {
  return guarded(emulator, [&] {
    spalt_emulator_dispatch_info value;
    if (!read_struct(info, value)) return emulator->fail(SPALT_ERROR_INVALID_ARGUMENT, "no dispatch was described");
    return dispatch(*emulator, value);
  });
}

const char* spalt_emulator_diagnostic(const spalt_emulator* emulator) {
  return emulator != nullptr ? emulator->diagnostic.c_str() : "";
}

spalt_result spalt_emulator_statistics(const spalt_emulator* emulator, spalt_emulator_statistics_info* info) {
  if (emulator == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const auto count = [emulator](emu::StepClass c) { return emulator->statistics.executed[static_cast<size_t>(c)]; };
  spalt_emulator_statistics_info value{};
  for (const uint64_t n : emulator->statistics.executed) value.instructions += n;
  value.salu = count(emu::StepClass::salu);
  value.valu = count(emu::StepClass::valu);
  value.smem = count(emu::StepClass::smem);
  value.vmem_loads = count(emu::StepClass::vmem_load);
  value.vmem_stores = count(emu::StepClass::vmem_store);
  value.vmem_atomics = count(emu::StepClass::vmem_atomic);
  value.lds = count(emu::StepClass::lds);
  value.branches = count(emu::StepClass::branch);
  value.other = count(emu::StepClass::message) + count(emu::StepClass::other);
  value.lane_operations = emulator->statistics.lane_operations;
  return write_struct(value, info);
}

}  // extern "C"
