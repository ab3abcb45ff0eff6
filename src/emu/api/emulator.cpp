// SPDX-License-Identifier: MIT
// The public C API of the emulator, a layer above the device: keeps what was set, and for each dispatch builds what a
// driver would.
#include <spalt/emulator.h>

#include <map>
#include <thread>

#include "emu/api/common.h"
#include "emu/debug/debug_session.h"
#include "emu/device/bound_buffers.h"
#include "emu/device/device.h"

namespace {

using namespace spalt;
using namespace spalt::api;
using namespace spalt::emu;

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

constexpr size_t kHostAlignment = 8;

}  // namespace

struct spalt_emulator {
  std::shared_ptr<AddressSpace> space = std::make_shared<AddressSpace>();
  std::shared_ptr<const PalProgram> program;
  std::unique_ptr<Device> device;  ///< with as many threads as the last dispatch wanted
  bool has_layout = false;
  LayoutCopy layout;
  std::map<BufferPlace, BufferMemory> buffers;
  std::vector<uint32_t> push_constants;
  spalt_fault outcome{};  ///< of the last call; its message is the diagnostic
  Statistics statistics;
  std::shared_ptr<const DebugSettings> debug;
};

namespace {

/// Runs the body of an API function, which leaves its diagnostic in the handle.
template <class Body>
spalt_result call(spalt_emulator* emulator, Body body) {
  if (emulator == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  emulator->outcome = fault_of({});
  return guarded(emulator->outcome.message, body);
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
      layout.bindings.push_back(
          {place.set, place.binding, 0, entry, offset, abi::kBufferDescriptorBytes, SPALT_BINDING_RAW_BUFFER, nullptr});
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

/// Whether buffers can be bound there.
bool holds_buffers(uint32_t kind) {
  return kind == SPALT_BINDING_RAW_BUFFER || kind == SPALT_BINDING_INLINE_DATA ||
         kind == SPALT_BINDING_USER_DATA_BUFFER;
}

constexpr uint32_t kDescriptorEntries = abi::kBufferDescriptorBytes / 4;

/// The form and place of an element; the buffer comes later.
BufferBinding place_of(const spalt_binding_location& location, uint32_t element) {
  BufferBinding binding;
  binding.entry = location.user_data_entry;
  binding.offset = location.offset;
  if (location.kind == SPALT_BINDING_INLINE_DATA) {
    binding.form = BufferForm::bytes;
  } else if (location.kind == SPALT_BINDING_USER_DATA_BUFFER) {
    binding.form = BufferForm::user_data_descriptor;
    binding.entry += element * kDescriptorEntries;
  } else {
    binding.offset += element * location.stride;
  }
  return binding;
}

void add_buffers(const spalt_emulator& emulator, const LayoutCopy& layout, std::vector<BufferBinding>& bindings,
                 Copies& copies) {
  copies.items.reserve(emulator.buffers.size());
  for (const auto& [place, memory] : emulator.buffers) {
    // A buffer that the program's layout does not name is not used by it.
    const spalt_binding_location* location = find_binding(layout, place);
    if (location == nullptr) continue;
    BufferBinding binding = place_of(*location, place.element);
    binding.size = memory.size;
    if (binding.form == BufferForm::bytes) binding.size = std::min<uint64_t>(binding.size, location->count);
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

/// Every binding of the layout has its table, so that unbound elements read as null descriptors and inline data as
/// zeros.
void add_null_descriptors(const LayoutCopy& layout, std::vector<BufferBinding>& bindings) {
  for (const spalt_binding_location& location : layout.bindings) {
    const bool is_bytes = location.kind == SPALT_BINDING_INLINE_DATA;
    BufferBinding null = place_of(location, is_bytes || location.count == 0 ? 0 : location.count - 1);
    null.size = is_bytes ? location.count : 0;
    null.name = is_bytes ? "inline data" : "null descriptor";
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
    const bool in_entries = location.kind == SPALT_BINDING_USER_DATA_BUFFER;
    const uint64_t used = in_entries ? uint64_t{kDescriptorEntries} * std::max(location.count, 1u) : 1;
    if (location.user_data_entry + used > object::kUserDataEntryLimit) return false;
    entries = std::max<size_t>(entries, location.user_data_entry + used);
  }
  user_data.assign(entries, 0);
  const size_t count = std::min<size_t>(emulator.push_constants.size(), layout.push_constant_dwords);
  std::copy_n(emulator.push_constants.begin(), count, user_data.begin() + layout.push_constant_entry);
  return true;
}

/// A device with that many threads.
Result<void> provide_device(spalt_emulator& emulator, unsigned threads) {
  if (emulator.device != nullptr && emulator.device->threads() == threads) return {};
  emulator.device.reset();
  Result<std::unique_ptr<Device>> device = Device::create(emulator.space, threads, 0);
  if (!device) return device.error();
  emulator.device = std::move(*device);
  return {};
}

Result<RunOutcome> run(spalt_emulator& emulator, const spalt_emulator_dispatch_info& request,
                       const std::vector<BufferBinding>& bindings, std::vector<uint32_t> user_data) {
  const unsigned threads = request.threads != 0 ? request.threads : std::max(1u, std::thread::hardware_concurrency());
  if (Result<void> done = provide_device(emulator, std::min(threads, kMaxHostThreads)); !done) return done.error();
  BoundBuffers buffers(emulator.space);
  if (Result<void> done = buffers.add(bindings, emulator.program->target(), user_data); !done) return done.error();
  PalDispatch dispatch;
  dispatch.program = emulator.program;
  dispatch.user_data = user_data;
  std::copy(std::begin(request.grid), std::end(request.grid), dispatch.group_count.begin());
  if (request.step_limit != 0) dispatch.step_limit = request.step_limit;
  dispatch.hierarchy.enabled = request.memory_hierarchy != 0;
  dispatch.hierarchy.seed = request.hierarchy_seed;
  if (emulator.debug == nullptr) return emulator.device->dispatch(dispatch);
  DebugSession session(*emulator.debug);
  dispatch.observer = session.observer();
  return emulator.device->dispatch(dispatch);
}

Result<RunOutcome> dispatch(spalt_emulator& emulator, const spalt_emulator_dispatch_info& request) {
  if (emulator.program == nullptr) return bad_argument("no code object is loaded");
  const LayoutCopy layout = emulator.has_layout ? emulator.layout : default_layout(emulator);
  std::vector<BufferBinding> bindings;
  std::vector<uint32_t> user_data;
  Copies copies;
  add_null_descriptors(layout, bindings);
  add_buffers(emulator, layout, bindings, copies);
  if (!place_push_constants(emulator, layout, user_data)) {
    return bad_argument("the layout uses user-data entries that do not exist");
  }
  Result<RunOutcome> outcome = run(emulator, request, bindings, std::move(user_data));
  for (const auto& [memory, copy] : copies.items) std::memcpy(memory.data, copy.data(), memory.size);
  return outcome;
}

}  // namespace

extern "C" {

spalt_result spalt_emulator_create(spalt_emulator** emulator) {
  if (emulator == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  return guarded(nullptr, [&]() -> Result<void> {
    *emulator = new spalt_emulator;
    return {};
  });
}

void spalt_emulator_destroy(spalt_emulator* emulator) {
  delete emulator;
}

spalt_result spalt_emulator_load(spalt_emulator* emulator, const void* elf, size_t size) {
  return call(emulator, [&]() -> Result<void> {
    emulator->program.reset();
    if (elf == nullptr) return bad_argument("no code object was given");
    Result<object::StageObject> shader = object::read_elf({static_cast<const uint8_t*>(elf), size});
    if (!shader) return shader.error();
    auto program = PalProgram::load(emulator->space, std::move(*shader), 0, "code");
    if (!program) return program.error();
    emulator->program = std::move(*program);
    return {};
  });
}

spalt_result spalt_emulator_program(const spalt_emulator* emulator, spalt_program_info* info) {
  if (emulator == nullptr || emulator->program == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  return write_struct(program_info_of(*emulator->program), info);
}

spalt_result spalt_emulator_set_layout(spalt_emulator* emulator, const spalt_user_data_layout* layout) {
  return call(emulator, [&]() -> Result<void> {
    emulator->has_layout = false;
    if (layout == nullptr) return {};
    if (!is_given(layout)) return bad_argument("the layout is incomplete");
    const spalt_user_data_layout value = read_struct(layout);
    const CallerArray<spalt_binding_location> bindings(value.bindings, value.binding_count, value.binding_size);
    if (!bindings.valid()) return bad_argument("the layout is incomplete");
    emulator->layout.bindings.clear();
    for (size_t i = 0; i < bindings.size(); ++i) {
      const spalt_binding_location location = bindings[i];
      if (holds_buffers(location.kind)) emulator->layout.bindings.push_back(location);
    }
    emulator->layout.push_constant_entry = value.push_constant_entry;
    emulator->layout.push_constant_dwords = value.push_constant_dwords;
    emulator->has_layout = true;
    return {};
  });
}

spalt_result spalt_emulator_set_buffer(spalt_emulator* emulator, uint32_t set, uint32_t binding, uint32_t element,
                                       void* data, size_t size) {
  return call(emulator, [&]() -> Result<void> {
    if (data == nullptr && size != 0) return bad_argument("a buffer has no memory");
    constexpr uint32_t kMaxElement = 1u << 20;
    if (element >= kMaxElement) return Error{Status::limit_exceeded, "the array element is too large"};
    emulator->buffers[{set, binding, element}] = {data, size};
    return {};
  });
}

spalt_result spalt_emulator_set_push_constants(spalt_emulator* emulator, const void* data, size_t size) {
  return call(emulator, [&]() -> Result<void> {
    if (data == nullptr && size != 0) return bad_argument("no push constants were given");
    if (size > object::kUserDataEntryLimit * 4) return Error{Status::limit_exceeded, "too many push constants"};
    emulator->push_constants.assign((size + 3) / 4, 0);
    if (size != 0) std::memcpy(emulator->push_constants.data(), data, size);
    return {};
  });
}

spalt_result spalt_emulator_set_debug(spalt_emulator* emulator, const spalt_debug_info* info) {
  return call(emulator, [&]() -> Result<void> {
    emulator->debug.reset();
    Result<std::shared_ptr<const DebugSettings>> settings = DebugSettings::read(info);
    if (!settings) return settings.error();
    emulator->debug = std::move(*settings);
    return {};
  });
}

spalt_result spalt_emulator_dispatch(spalt_emulator* emulator, const spalt_emulator_dispatch_info* info) {
  bool stopped = false;
  const spalt_result result = call(emulator, [&]() -> Result<void> {
    if (!is_given(info)) return bad_argument("no dispatch was described");
    const Result<RunOutcome> outcome = dispatch(*emulator, read_struct(info));
    if (!outcome) return outcome.error();
    emulator->statistics = outcome->statistics;
    emulator->outcome = fault_of(outcome->fault);
    stopped = outcome->fault.kind == FaultKind::stopped;
    if (stopped) copy_text(emulator->outcome.message, "the debugger ended the dispatch");
    return {};
  });
  if (result != SPALT_SUCCESS) return result;
  if (stopped) return SPALT_STOPPED;
  return emulator->outcome.kind != SPALT_FAULT_NONE ? SPALT_ERROR_EXECUTION : SPALT_SUCCESS;
}

const char* spalt_emulator_diagnostic(const spalt_emulator* emulator) {
  return emulator != nullptr ? emulator->outcome.message : "";
}

spalt_result spalt_emulator_fault(const spalt_emulator* emulator, spalt_fault* fault) {
  if (emulator == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  return write_struct(emulator->outcome, fault);
}

spalt_result spalt_emulator_counters(const spalt_emulator* emulator, spalt_counters* counters) {
  if (emulator == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  return write_struct(counters_of(emulator->statistics), counters);
}

}  // extern "C"
