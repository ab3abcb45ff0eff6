// SPDX-License-Identifier: MIT
// The public C API of the device: checks arguments, maps errors; the work is done in emu/device.
#include "emu/device/device.h"

#include <spalt/device.h>

#include <optional>
#include <thread>

#include "emu/api/common.h"
#include "emu/api/handles.h"
#include "emu/debug/debug_session.h"

namespace {

using namespace spalt;
using namespace spalt::api;
using namespace spalt::emu;

/// What 64-bit atomics of the host want.
constexpr uintptr_t kHostAlignment = 8;

Result<void> map(AddressSpace& space, const spalt_mapping& mapping) {
  const bool is_resident = mapping.not_resident == 0;
  if (is_resident != (mapping.host != nullptr)) {
    return bad_argument(is_resident ? "a mapping has no host memory"
                                    : "a mapping that is not resident has host memory");
  }
  if (is_resident && (reinterpret_cast<uintptr_t>(mapping.host) - mapping.address) % kHostAlignment != 0) {
    return bad_argument("the address and the host memory of a mapping differ modulo 8");
  }
  return space.map({mapping.address,
                    mapping.size,
                    static_cast<uint8_t*>(mapping.host),
                    mapping.read_only == 0,
                    mapping.name != nullptr ? mapping.name : "a mapping without a name",
                    {},
                    mapping.uncached == 0});
}

/// A program of compute pipelines for dispatches, one of graphics pipelines for draws.
Result<void> load(const spalt_address_space& space, const spalt_program_create_info& info, spalt_program& program) {
  if (info.elf == nullptr) return bad_argument("no code object was given");
  const std::span<const uint8_t> elf(static_cast<const uint8_t*>(info.elf), info.elf_size);
  const char* name = info.name != nullptr ? info.name : "code";
  Result<object::PipelineObject> pipeline = object::read_pipeline(elf);
  if (!pipeline) return pipeline.error();
  if (pipeline->find(abi::HardwareStage::cs) == nullptr) {
    Result<std::shared_ptr<const GraphicsProgram>> loaded =
        GraphicsProgram::load(space.space, std::move(*pipeline), info.address, name);
    if (!loaded) return loaded.error();
    program.graphics = std::move(*loaded);
    return {};
  }
  Result<object::StageObject> shader = object::read_elf(elf);
  if (!shader) return shader.error();
  Result<std::shared_ptr<const PalProgram>> loaded =
      PalProgram::load(space.space, std::move(*shader), info.address, name);
  if (!loaded) return loaded.error();
  program.program = std::move(*loaded);
  return {};
}

Result<void> create(const spalt_device_create_info& info, spalt_device& device) {
  if (info.address_space == nullptr) return bad_argument("a device needs an address space");
  if (info.target != nullptr) {
    const isa::Target* target = isa::find_target(info.target);
    if (target == nullptr || !target->executes) {
      return Error{Status::unsupported, std::string("the target \"") + info.target + "\" is not executed"};
    }
    device.target = target->name;
  }
  const unsigned threads = info.threads != 0 ? info.threads : std::max(1u, std::thread::hardware_concurrency());
  Result<std::unique_ptr<Device>> made = Device::create(info.address_space->space, threads, info.table_address);
  if (!made) return made.error();
  device.device = std::move(*made);
  return {};
}

Result<void> fill(const spalt_device& device, const spalt_dispatch_info& info, PalDispatch& dispatch) {
  if (info.program == nullptr) return bad_argument("no program was given");
  if (info.user_data == nullptr && info.user_data_count != 0) return bad_argument("the user data is missing");
  if (info.program->program == nullptr) return bad_argument("the program is of a graphics pipeline");
  dispatch.program = info.program->program;
  if (!device.target.empty() && dispatch.program->shader().target_name != device.target) {
    return bad_argument("the program was made for " + dispatch.program->shader().target_name + ", the device is a " +
                        device.target);
  }
  dispatch.user_data = {info.user_data, info.user_data_count};
  std::copy(std::begin(info.first_workgroup), std::end(info.first_workgroup), dispatch.first_group.begin());
  std::copy(std::begin(info.workgroup_count), std::end(info.workgroup_count), dispatch.group_count.begin());
  if (info.step_limit != 0) dispatch.step_limit = info.step_limit;
  if (info.workgroup_step_limit != 0) dispatch.group_step_limit = info.workgroup_step_limit;
  dispatch.border_colors = info.border_colors;
  dispatch.hierarchy.enabled = info.memory_hierarchy != 0;
  dispatch.hierarchy.seed = info.hierarchy_seed;
  dispatch.hierarchy.keep = info.keep_caches != 0;
  return {};
}

Result<RunOutcome> dispatch(spalt_device& device, const spalt_dispatch_info& info) {
  PalDispatch dispatch;
  if (Result<void> done = fill(device, info, dispatch); !done) return done.error();
  Debugging debugging(device);
  dispatch.observer = debugging.observer();
  return device.device->dispatch(dispatch);
}

/// What a call came to. Both are written in every case.
struct Report {
  spalt_counters counters{};
  spalt_fault fault = fault_of({});
  FaultKind kind = FaultKind::none;

  void set(const RunOutcome& outcome) {
    counters = counters_of(outcome.statistics);
    fault = fault_of(outcome.fault);
    kind = outcome.fault.kind;
    if (kind != FaultKind::none && !is_fault(kind)) copy_text(fault.message, outcome.fault.violation);
  }
};

using Tasks = CallerArray<spalt_device_task>;

Result<void> fill(const spalt_device& device, const spalt_device_task& info, DeviceTask& task) {
  if ((info.dispatch == nullptr) == (info.host == nullptr)) {
    return bad_argument("a task is either a dispatch or a function of the host");
  }
  task.host = info.host;
  task.user = info.user;
  if (info.host != nullptr) return {};
  if (!is_given(info.dispatch)) return bad_argument("no dispatch was described");
  return fill(device, read_struct(info.dispatch), task.dispatch);
}

/// `at` becomes the task that a failure is about.
Result<void> run_tasks(spalt_device& device, const spalt_run_info& info, const Tasks& tasks, Report& report,
                       size_t& at) {
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].counters != nullptr) write_struct(spalt_counters{}, tasks[i].counters);
  }
  std::vector<DeviceTask> list(tasks.size());
  for (at = 0; at < tasks.size(); ++at) {
    if (Result<void> done = fill(device, tasks[at], list[at]); !done) return done;
  }
  Debugging debugging(device);
  DeviceRun run;
  run.tasks = list;
  run.interleave = info.interleave != 0;
  run.seed = info.seed;
  run.hierarchy.enabled = info.memory_hierarchy != 0;
  run.hierarchy.keep = info.keep_caches != 0;
  run.hierarchy.seed = info.seed;
  run.observer = debugging.observer();
  const Result<DeviceRunOutcome> outcome = device.device->run(run, at);
  if (!outcome) return outcome.error();
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].counters != nullptr) write_struct(counters_of(outcome->tasks[i].statistics), tasks[i].counters);
  }
  if (!outcome->failed) return {};
  at = *outcome->failed;
  report.set(outcome->tasks[at]);
  return {};
}

/// Runs a function that makes a handle.
template <class Handle, class Body>
spalt_result make_handle(Handle** out, spalt_message* message, Body body) {
  return guarded(message, [&]() -> Result<void> {
    if (out == nullptr) return bad_argument("there is no place for the handle");
    auto handle = std::make_unique<Handle>();
    if (Result<void> done = body(*handle); !done) return done;
    *out = handle.release();
    return {};
  });
}

}  // namespace

extern "C" {

spalt_result spalt_address_space_create(spalt_address_space** space) {
  return make_handle(space, nullptr, [](spalt_address_space& handle) -> Result<void> {
    handle.space = std::make_shared<AddressSpace>();
    return {};
  });
}

void spalt_address_space_destroy(spalt_address_space* space) {
  delete space;
}

spalt_result spalt_address_space_map(spalt_address_space* space, const spalt_mapping* mapping, spalt_message* message) {
  return guarded(message, [&]() -> Result<void> {
    if (space == nullptr || !is_given(mapping)) return bad_argument("no mapping was described");
    return map(*space->space, read_struct(mapping));
  });
}

spalt_result spalt_address_space_unmap(spalt_address_space* space, uint64_t address) {
  return guarded(nullptr, [&]() -> Result<void> {
    if (space != nullptr && space->space->unmap_unowned(address)) return {};
    return bad_argument("no mapping begins there");
  });
}

spalt_result spalt_program_create(spalt_address_space* space, const spalt_program_create_info* info,
                                  spalt_program** program, spalt_message* message) {
  return make_handle(program, message, [&](spalt_program& handle) -> Result<void> {
    if (space == nullptr || !is_given(info)) return bad_argument("no program was described");
    return load(*space, read_struct(info), handle);
  });
}

void spalt_program_destroy(spalt_program* program) {
  delete program;
}

spalt_result spalt_program_get_info(const spalt_program* program, spalt_program_info* info) {
  if (program == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  if (program->program == nullptr) return write_struct(program_info_of(*program->graphics), info);
  return write_struct(program_info_of(*program->program), info);
}

spalt_result spalt_device_create(const spalt_device_create_info* info, spalt_device** device, spalt_message* message) {
  return make_handle(device, message, [&](spalt_device& handle) -> Result<void> {
    if (!is_given(info)) return bad_argument("no device was described");
    return create(read_struct(info), handle);
  });
}

void spalt_device_destroy(spalt_device* device) {
  delete device;
}

spalt_result spalt_device_dispatch(spalt_device* device, const spalt_dispatch_info* info, spalt_counters* counters,
                                   spalt_fault* fault) {
  Report report;
  spalt_result result = guarded(report.fault.message, [&]() -> Result<void> {
    if (device == nullptr) return bad_argument("no device was given");
    if (!is_given(info)) return bad_argument("no dispatch was described");
    const Result<RunOutcome> outcome = dispatch(*device, read_struct(info));
    if (!outcome) return outcome.error();
    report.set(*outcome);
    return {};
  });
  if (result == SPALT_SUCCESS) result = result_of(report.kind);
  if (counters != nullptr) write_struct(report.counters, counters);
  if (fault != nullptr) write_struct(report.fault, fault);
  return result;
}

spalt_result spalt_device_run(spalt_device* device, const spalt_run_info* info, spalt_fault* fault) {
  Report report;
  size_t at = 0;
  spalt_result result = guarded(report.fault.message, [&]() -> Result<void> {
    if (device == nullptr) return bad_argument("no device was given");
    if (!is_given(info)) return bad_argument("no run was described");
    const spalt_run_info run = read_struct(info);
    const Tasks tasks(run.tasks, run.task_count, run.task_size);
    if (!tasks.valid()) return bad_argument("the list of tasks is incomplete");
    return run_tasks(*device, run, tasks, report, at);
  });
  if (result == SPALT_SUCCESS) result = result_of(report.kind);
  if (result != SPALT_SUCCESS) report.fault.task = static_cast<uint32_t>(at);
  if (fault != nullptr) write_struct(report.fault, fault);
  return result;
}

spalt_result spalt_device_cache_operation(spalt_device* device, uint32_t operations) {
  return guarded(nullptr, [&]() -> Result<void> {
    if (device == nullptr) return bad_argument("no device was given");
    if ((operations & ~uint32_t{SPALT_CACHE_ALL}) != 0) return bad_argument("there is no such cache operation");
    device->device->operate_on_caches({(operations & SPALT_CACHE_COMPLETE_STORES) != 0,
                                       (operations & SPALT_CACHE_INVALIDATE_VECTOR) != 0,
                                       (operations & SPALT_CACHE_INVALIDATE_SCALAR) != 0});
    return {};
  });
}

void spalt_device_cancel(spalt_device* device) {
  if (device != nullptr) device->device->cancel(true);
}

void spalt_device_resume(spalt_device* device) {
  if (device != nullptr) device->device->cancel(false);
}

spalt_result spalt_device_set_debug(spalt_device* device, const spalt_debug_info* info, spalt_message* message) {
  return guarded(message, [&]() -> Result<void> {
    if (device == nullptr) return bad_argument("no device was given");
    Result<std::shared_ptr<const DebugSettings>> settings = DebugSettings::read(info);
    if (!settings) return settings.error();
    const std::lock_guard lock(device->mutex);
    device->debug = std::move(*settings);
    return {};
  });
}

}  // extern "C"
