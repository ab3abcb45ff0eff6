// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as calls of the device's C functions (include/spalt/device.h): mappings anywhere, code objects,
// devices and dispatches on whatever handles there are. Each call succeeds or says why not; nothing is an internal
// error. An input is a list of calls, each a byte and what it takes (Script::step). Seeds: tests/fuzz/make_seeds.
#include <spalt/device.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <spalt/common.hpp>
#include <vector>

namespace {

constexpr size_t kMaxCalls = 64, kMaxHandles = 8, kMaxMapping = size_t{1} << 16;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void check(spalt_result result, const char* message) {
  if (result == SPALT_ERROR_INTERNAL) fail("an internal error");
  if ((result == SPALT_SUCCESS) != (message[0] == '\0')) fail("an error without a cause, or a cause without an error");
}

using spalt_api::sized;

class Script {
 public:
  Script(const uint8_t* data, size_t size) : at_(data), end_(data + size) {
    if (spalt_address_space_create(&space_) != SPALT_SUCCESS) fail("no address space");
  }
  ~Script() {
    for (spalt_device* device : devices_) spalt_device_destroy(device);
    for (spalt_program* program : programs_) spalt_program_destroy(program);
    spalt_address_space_destroy(space_);
  }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  void run() {
    for (size_t calls = 0; at_ != end_ && calls < kMaxCalls; ++calls) step();
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
  /// A handle that there is, or null.
  template <class T>
  T* choose(const std::vector<T*>& list) {
    const auto index = take<uint8_t>();
    return list.empty() ? nullptr : list[index % list.size()];
  }

  void step() {
    switch (take<uint8_t>() % 9) {
      case 0:
        return map();
      case 1:
        return unmap();
      case 2:
        return load();
      case 3:
        return create_device();
      case 4:
        return dispatch();
      case 5:
        return debug();
      case 6:
        return cancel();
      case 7:
        return run_tasks();
      case 8:
        return operate_on_caches();
    }
  }

  /// Address, size and flags, then how many bytes of contents, and these.
  void map() {
    auto mapping = sized<spalt_mapping>();
    mapping.address = take<uint64_t>();
    mapping.size = take<uint16_t>();
    const auto flags = take<uint8_t>();
    // As large as the mapping, so that whatever leaves it is seen.
    memory_.push_back(std::make_unique<uint64_t[]>((mapping.size + 7) / 8 + 1));
    auto* bytes = reinterpret_cast<uint8_t*>(memory_.back().get());
    const size_t given = std::min<size_t>({take<uint16_t>(), static_cast<size_t>(end_ - at_), mapping.size});
    std::memcpy(bytes, at_, given);
    at_ += given;
    mapping.host = (flags & 1) != 0 ? nullptr : bytes + ((flags & 2) != 0 ? 1 : 0);
    mapping.read_only = flags & 4;
    mapping.uncached = flags & 16;
    mapping.not_resident = flags & 32;
    mapping.name = (flags & 8) != 0 ? "data" : nullptr;
    auto message = sized<spalt_message>();
    ::check(spalt_address_space_map(space_, &mapping, &message), message.text);
    static_assert(kMaxMapping > UINT16_MAX);
  }
  void unmap() { spalt_address_space_unmap(space_, take<uint64_t>()); }

  /// Address and size, then the code object.
  void load() {
    auto info = sized<spalt_program_create_info>();
    info.address = take<uint64_t>();
    info.elf_size = std::min<size_t>(take<uint16_t>(), static_cast<size_t>(end_ - at_));
    info.elf = at_;
    at_ += info.elf_size;
    auto message = sized<spalt_message>();
    spalt_program* program = nullptr;
    ::check(spalt_program_create(space_, &info, &program, &message), message.text);
    if (program == nullptr) return;
    auto described = sized<spalt_program_info>();
    described.struct_size = sizeof(size_t) + take<uint8_t>() % sizeof described;
    if (spalt_program_get_info(program, &described) != SPALT_SUCCESS) fail("a program that is not described");
    keep(programs_, program, spalt_program_destroy);
  }

  void create_device() {
    auto info = sized<spalt_device_create_info>();
    info.address_space = space_;
    info.threads = 1 + take<uint8_t>() % 2;
    info.table_address = take<uint64_t>();
    auto message = sized<spalt_message>();
    spalt_device* device = nullptr;
    ::check(spalt_device_create(&info, &device, &message), message.text);
    if (device != nullptr) keep(devices_, device, spalt_device_destroy);
  }

  struct Dispatch {
    spalt_dispatch_info info = sized<spalt_dispatch_info>();
    uint32_t user_data[SPALT_MAX_USER_DATA_ENTRIES + 1] = {};
  };
  void describe(Dispatch& dispatch) {
    spalt_dispatch_info& info = dispatch.info;
    info.program = choose(programs_);
    info.user_data_count = take<uint8_t>() % (SPALT_MAX_USER_DATA_ENTRIES + 2);
    info.user_data = dispatch.user_data;
    for (uint32_t i = 0; i < std::min(info.user_data_count, 16u); ++i) dispatch.user_data[i] = take<uint32_t>();
    for (unsigned i = 0; i < 3; ++i) {
      info.first_workgroup[i] = take<uint32_t>();
      info.workgroup_count[i] = take<uint8_t>() % 3;
    }
    const auto hierarchy = take<uint8_t>();
    info.memory_hierarchy = hierarchy & 1;
    info.keep_caches = hierarchy & 2;
    info.hierarchy_seed = hierarchy;
    info.step_limit = 300;
  }
  void dispatch() {
    spalt_device* device = choose(devices_);
    Dispatch dispatch;
    describe(dispatch);
    auto counters = sized<spalt_counters>();
    auto fault = sized<spalt_fault>();
    check(spalt_device_dispatch(device, &dispatch.info, &counters, &fault), fault);
  }
  static void check(spalt_result result, const spalt_fault& fault) {
    ::check(result, fault.message);
    if ((result == SPALT_ERROR_EXECUTION) != (fault.kind != SPALT_FAULT_NONE)) fail("a fault that is none");
  }

  /// Up to four tasks, some of the host.
  void run_tasks() {
    spalt_device* device = choose(devices_);
    const auto flags = take<uint8_t>();
    std::vector<Dispatch> dispatches(flags % 4 + 1u);
    std::vector<spalt_device_task> tasks;
    unsigned called = 0;
    for (Dispatch& dispatch : dispatches) {
      describe(dispatch);
      const auto call = [](void* user) { ++*static_cast<unsigned*>(user); };
      const auto kind = take<uint8_t>() % 8;
      tasks.push_back({kind < 6 ? &dispatch.info : nullptr, kind > 5 ? +call : nullptr, &called, nullptr});
    }
    auto info = sized<spalt_run_info>();
    info.tasks = tasks.data();
    info.task_count = tasks.size();
    info.task_size = sizeof(spalt_device_task);
    info.interleave = flags & 4;
    info.memory_hierarchy = flags & 8;
    info.keep_caches = flags & 16;
    info.seed = flags >> 5;
    auto fault = sized<spalt_fault>();
    check(spalt_device_run(device, &info, &fault), fault);
    if (called > tasks.size()) fail("a task that runs twice");
  }
  void operate_on_caches() {
    spalt_device* device = choose(devices_);
    spalt_device_cache_operation(device, take<uint8_t>());
  }

  /// Traces, and stops at every instruction of the next dispatches.
  void debug() {
    auto info = sized<spalt_debug_info>();
    const auto flags = take<uint8_t>();
    const uint32_t breakpoint = take<uint16_t>();
    const char* watchpoint = (flags & 8) != 0 ? "v300" : "s5";
    if ((flags & 1) != 0) info.trace = [](void*, const char*) {};
    info.stop = (flags & 2) != 0 ? look : nullptr;
    info.stop_at_start = flags & 4;
    info.breakpoints = &breakpoint;
    info.breakpoint_count = (flags & 16) != 0 ? 1 : 0;
    info.watchpoints = &watchpoint;
    info.watchpoint_count = (flags & 32) != 0 ? 1 : 0;
    auto message = sized<spalt_message>();
    ::check(spalt_device_set_debug(choose(devices_), (flags & 64) != 0 ? nullptr : &info, &message), message.text);
  }
  static uint32_t look(void*, const spalt_stop* stop) {
    uint32_t value = 0;
    for (const char* name : {"s5", "v3", "vcc_lo", "scc", "s400", "q"}) {
      spalt_stopped_wave_read(stop->state, name, stop->pc % 70, &value);
    }
    return stop->pc % 64 == 60 ? SPALT_STOP_ACTION_END : SPALT_STOP_ACTION_STEP;
  }

  void cancel() {
    spalt_device* device = choose(devices_);
    (take<uint8_t>() & 1) != 0 ? spalt_device_cancel(device) : spalt_device_resume(device);
  }

  /// The oldest goes when there are too many.
  template <class T>
  static void keep(std::vector<T*>& list, T* handle, void (*destroy)(T*)) {
    list.push_back(handle);
    if (list.size() <= kMaxHandles) return;
    destroy(list.front());
    list.erase(list.begin());
  }

  const uint8_t* at_;
  const uint8_t* const end_;
  spalt_address_space* space_ = nullptr;
  std::vector<std::unique_ptr<uint64_t[]>> memory_;  ///< lives longer than every mapping
  std::vector<spalt_program*> programs_;
  std::vector<spalt_device*> devices_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Script(data, size).run();
  return 0;
}
