// SPDX-License-Identifier: MIT
#include "host_runner.h"

#include <dlfcn.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

namespace spalt::opencl {
namespace {

constexpr size_t kMaxArguments = 12;
constexpr size_t kStackBytes = 256 * 1024;

/// Integer and pointer arguments all travel in integer registers or 8-byte stack slots, whatever their width.
using Function = void (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                          uint64_t, uint64_t, uint64_t);

struct WorkItem {
  std::array<uint32_t, 3> local_id{};
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  bool done = false;
};

/// The group that runs; the functions below are called from kernels and find it here.
struct Group {
  Function function = nullptr;
  std::array<uint64_t, kMaxArguments> arguments{};
  const KernelSpec* kernel = nullptr;
  std::array<uint32_t, 3> id{}, size{};
  std::vector<WorkItem> items;
  WorkItem* current = nullptr;
  ucontext_t scheduler;
};
Group* running_group = nullptr;

void item_main() {
  const auto& a = running_group->arguments;
  running_group->function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
  running_group->current->done = true;
  swapcontext(&running_group->current->context, &running_group->scheduler);
}

void start_item(WorkItem& item) {
  item.done = false;
  if (!item.stack) item.stack = std::make_unique<char[]>(kStackBytes);
  getcontext(&item.context);
  item.context.uc_stack.ss_sp = item.stack.get();
  item.context.uc_stack.ss_size = kStackBytes;
  item.context.uc_link = nullptr;
  makecontext(&item.context, item_main, 0);
}

/// Runs every item of the group to its next barrier or end, until all have ended.
void run_group(Group& group) {
  const size_t count = size_t{group.size[0]} * group.size[1] * group.size[2];
  for (size_t i = 0; i < count; ++i) {
    const auto flat = static_cast<uint32_t>(i);
    group.items[i].local_id = {flat % group.size[0], flat / group.size[0] % group.size[1],
                               flat / group.size[0] / group.size[1]};
    start_item(group.items[i]);
  }
  for (bool any = true; any;) {
    any = false;
    for (size_t i = 0; i < count; ++i) {
      WorkItem& item = group.items[i];
      if (item.done) continue;
      group.current = &item;
      swapcontext(&group.scheduler, &item.context);
      any = any || !item.done;
    }
  }
}

/// As in host/work_items.clh.
enum What {
  kGlobalId,
  kLocalId,
  kGroupId,
  kGlobalSize,
  kLocalSize,
  kEnqueuedLocalSize,
  kNumGroups,
  kGlobalOffset,
  kWorkDim
};

}  // namespace

extern "C" {
uint64_t spalt_cl_item(int what, int dimension) {
  const Group& group = *running_group;
  const auto& global = group.kernel->global;
  if (what == kWorkDim) return global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
  const bool inside = dimension >= 0 && dimension < 3;
  if (!inside) return what == kGlobalSize || what == kLocalSize || what == kNumGroups ? 1 : 0;
  const auto d = static_cast<size_t>(dimension);
  const uint32_t enqueued = group.kernel->local[d];
  switch (what) {
    case kGlobalId:
      return uint64_t{group.id[d]} * enqueued + group.current->local_id[d];
    case kLocalId:
      return group.current->local_id[d];
    case kGroupId:
      return group.id[d];
    case kGlobalSize:
      return global[d];
    case kLocalSize:
      return group.size[d];
    case kEnqueuedLocalSize:
      return enqueued;
    case kNumGroups:
      return (uint64_t{global[d]} + enqueued - 1) / enqueued;
    default:
      return 0;
  }
}

void spalt_cl_barrier() {
  swapcontext(&running_group->current->context, &running_group->scheduler);
}
}

void run_on_host(const std::string& library, const KernelSpec& kernel, std::vector<Bytes>& buffers) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(std::string("host library: ") + dlerror());
  Group group;
  group.function = reinterpret_cast<Function>(dlsym(handle, kernel.name.c_str()));
  if (group.function == nullptr) throw std::runtime_error("the host library has no kernel " + kernel.name);
  if (kernel.arguments.size() > kMaxArguments) throw std::runtime_error("too many arguments");
  group.kernel = &kernel;
  std::vector<Bytes> local;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const Argument& argument = kernel.arguments[i];
    if (argument.kind == Argument::Kind::local) {
      local.emplace_back(argument.count, uint8_t{0xcd});
      group.arguments[i] = reinterpret_cast<uint64_t>(local.back().data());
    } else {
      group.arguments[i] = argument.is_buffer() ? reinterpret_cast<uint64_t>(buffers[i].data()) : argument.value;
    }
  }
  group.items.resize(size_t{kernel.local[0]} * kernel.local[1] * kernel.local[2]);
  running_group = &group;
  std::array<uint32_t, 3> groups{};
  for (size_t c = 0; c < 3; ++c) groups[c] = (kernel.global[c] + kernel.local[c] - 1) / kernel.local[c];
  for (uint32_t index = 0; index < groups[0] * groups[1] * groups[2]; ++index) {
    group.id = {index % groups[0], index / groups[0] % groups[1], index / groups[0] / groups[1]};
    for (size_t c = 0; c < 3; ++c) {
      group.size[c] = std::min(kernel.local[c], kernel.global[c] - group.id[c] * kernel.local[c]);
    }
    run_group(group);
  }
  running_group = nullptr;
  dlclose(handle);
}

}  // namespace spalt::opencl
