// SPDX-License-Identifier: MIT
// Random lists of dispatches and copies, with just the barriers that their hazards ask for: no more, and each only the
// cache operations of its accesses. Whatever the seed, the result is that of running one after another.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <thread>

#include "base/random.h"
#include "device_fixture.h"

namespace spalt::emu::test {
namespace {

using spalt_api::Device;
using spalt_api::Program;
using U = uint32_t;

constexpr unsigned kArrays = 4, kGroups = 3, kLists = 100, kCommands = 12;

enum class Kind : uint8_t { by_vector_loads, by_scalar_loads, atomically, on_the_host };

/// dst[i] = src[i ^ wave size] + value; by scalar loads src[first i of the workgroup]; atomically dst[i] += value.
struct Command {
  Kind kind;
  unsigned src, dst;
  U value;
};

struct Machine {
  const char* target;
  unsigned wave_size;
};
constexpr Machine kMachines[] = {{"gfx900", 64},  {"gfx1010", 32}, {"gfx1030", 64},
                                 {"gfx1100", 32}, {"gfx1150", 64}, {"gfx1200", 32}};

using Array = std::vector<U>;

/// The programs find src, dst and the value in s[0:4].
std::string text_of(Kind kind, const Machine& machine) {
  const isa::Target& facts = *isa::find_target(machine.target);
  const auto name = [&](isa::Opcode opcode) { return std::string(isa::info(opcode, facts.generation).name); };
  const std::string wave_bytes = std::to_string(machine.wave_size * 4), add = name(isa::Opcode::v_add_nc_u32);
  const std::string store = name(isa::Opcode::global_store_dword) + " v1, v2, s[2:3]\ns_endpgm\n";
  const std::string own = std::string("s_lshl_b32 s8, ") + (facts.work_group_ids_in_ttmp ? "ttmp9" : "s5") + ", " +
                          (machine.wave_size == 32 ? "7" : "8") + "\nv_lshl_add_u32 v1, v0, 2, s8\n";
  switch (kind) {
    case Kind::by_vector_loads:
      return own + "v_xor_b32 v3, " + wave_bytes + ", v1\n" + name(isa::Opcode::global_load_dword) +
             " v2, v3, s[0:1]\n" + (facts.has_kmcnt ? "s_wait_loadcnt 0x0\n" : "s_waitcnt vmcnt(0)\n") + add +
             " v2, s4, v2\n" + store;
    case Kind::by_scalar_loads:
      return own + name(isa::Opcode::s_add_u32) + " s10, s0, s8\n" + name(isa::Opcode::s_addc_u32) + " s11, s1, 0\n" +
             name(isa::Opcode::s_load_dword) + " s12, s[10:11], 0x0\n" +
             (facts.has_kmcnt ? "s_wait_kmcnt 0x0\n" : "s_waitcnt lgkmcnt(0)\n") + "v_mov_b32 v2, s12\n" + add +
             " v2, s4, v2\n" + store;
    default:
      return own + "v_mov_b32 v2, s4\n" +
             (facts.generation >= isa::Generation::gfx11 ? "global_atomic_add_u32" : "global_atomic_add") +
             " v1, v2, s[2:3]\ns_endpgm\n";
  }
}

void apply(const Command& command, unsigned wave_size, std::vector<Array>& arrays) {
  const Array src = arrays[command.src];
  Array& dst = arrays[command.dst];
  const U used = kGroups * wave_size;
  for (U i = 0; i < used; ++i) {
    switch (command.kind) {
      case Kind::by_vector_loads:
      case Kind::on_the_host:
        dst[i] = src[i ^ wave_size] + command.value;
        break;
      case Kind::by_scalar_loads:
        dst[i] = src[i / wave_size * wave_size] + command.value;
        break;
      case Kind::atomically:
        dst[i] += command.value;
        break;
    }
  }
}

/// What a driver and its application have to do between commands, as little as possible.
class Barriers {
 public:
  /// Whether something that is not separated from the command conflicts with it.
  bool conflicts(const Command& command) const {
    const bool reads = command.kind != Kind::atomically;
    if (reads && (arrays_[command.src].written || arrays_[command.src].counted)) return true;
    const Accesses& dst = arrays_[command.dst];
    // Atomics have no order among themselves.
    return dst.read || dst.written || (dst.counted && command.kind != Kind::atomically);
  }
  void separate() {
    for (Accesses& array : arrays_) array.read = array.written = array.counted = false;
  }
  /// The cache operations before the command.
  uint32_t operations(const Command& command) {
    uint32_t result = 0;
    const Accesses& src = arrays_[command.src];
    const Accesses& dst = arrays_[command.dst];
    const bool reads = command.kind != Kind::atomically;
    if ((reads && src.under_way) || dst.under_way) result |= SPALT_CACHE_COMPLETE_STORES;
    if (command.kind == Kind::by_vector_loads && src.stale_vector) result |= SPALT_CACHE_INVALIDATE_VECTOR;
    if (command.kind == Kind::by_scalar_loads && src.stale_scalar) result |= SPALT_CACHE_INVALIDATE_SCALAR;
    for (Accesses& array : arrays_) {
      if ((result & SPALT_CACHE_COMPLETE_STORES) != 0) array.under_way = false;
      if ((result & SPALT_CACHE_INVALIDATE_VECTOR) != 0) array.stale_vector = false;
      if ((result & SPALT_CACHE_INVALIDATE_SCALAR) != 0) array.stale_scalar = false;
    }
    return result;
  }
  void add(const Command& command) {
    if (command.kind != Kind::atomically) arrays_[command.src].read = true;
    Accesses& dst = arrays_[command.dst];
    (command.kind == Kind::atomically ? dst.counted : dst.written) = true;
    dst.under_way = dst.under_way || command.kind != Kind::on_the_host;
    dst.stale_vector = dst.stale_scalar = true;
  }

 private:
  struct Accesses {
    bool read = false, written = false, counted = false;  ///< in the current run
    bool under_way = false, stale_vector = false, stale_scalar = false;
  };
  Accesses arrays_[kArrays];
};

class World {
 public:
  explicit World(const Machine& machine) : machine_(machine), arrays_(kArrays, Array(256, 0)) {
    for (unsigned i = 0; i < kArrays; ++i) {
      EXPECT_TRUE(fixture_.space.map(address(i), arrays_[i].data(), arrays_[i].size() * 4).ok());
    }
    for (const Kind kind : {Kind::by_vector_loads, Kind::by_scalar_loads, Kind::atomically}) {
      programs_.push_back(fixture_.load(
          make_raw_shader(text_of(kind, machine), 5, machine.wave_size, machine.wave_size, machine.target),
          kCode + 0x10000 * static_cast<uint64_t>(kind)));
    }
  }

  std::vector<Array>& arrays() { return arrays_; }

  /// With the barriers that the commands want, but for cache operations that are not `allowed`, and, when nothing is
  /// allowed, execution barriers.
  void run(const std::vector<Command>& commands, uint64_t seed, uint32_t allowed) {
    seed_ = seed;
    Barriers barriers;
    for (const Command& command : commands) {
      // Cache operations are for what is separated.
      Barriers after = barriers;
      const uint32_t operations = after.operations(command);
      if (allowed != 0 && (barriers.conflicts(command) || operations != 0)) {
        flush();
        barriers.separate();
        EXPECT_EQ(fixture_.device.cache_operation(barriers.operations(command) & allowed), SPALT_SUCCESS);
      }
      barriers.add(command);
      hold(command);
    }
    flush();
    EXPECT_EQ(fixture_.device.cache_operation(SPALT_CACHE_ALL), SPALT_SUCCESS);
  }

 private:
  struct Held {
    World* world;
    Command command;
    std::vector<U> entries;
    spalt_dispatch_info info;
  };

  static uint64_t address(unsigned array) { return kData + 0x10000 * array; }

  void hold(const Command& command) {
    Held& held =
        held_.emplace_back(Held{this, command, address_entries({address(command.src), address(command.dst)}), {}});
    held.entries.push_back(command.value);
    if (command.kind == Kind::on_the_host) {
      const auto call = [](void* user) {
        const Held& self = *static_cast<const Held*>(user);
        apply(self.command, self.world->machine_.wave_size, self.world->arrays_);
      };
      tasks_.push_back({nullptr, call, &held, nullptr});
      return;
    }
    held.info = Device::dispatch_info(programs_[static_cast<size_t>(command.kind)], held.entries, kGroups);
    tasks_.push_back(Device::task(held.info));
  }
  void flush() {
    if (tasks_.empty()) return;
    spalt_run_info info = Device::run_info(tasks_);
    info.interleave = info.memory_hierarchy = info.keep_caches = 1;
    info.seed = seed_++;
    const Device::Report report = fixture_.device.run(info);
    EXPECT_TRUE(report.ok()) << machine_.target << ": " << report.fault.message;
    tasks_.clear();
    held_.clear();
  }

  const Machine& machine_;
  std::vector<Array> arrays_;
  DeviceFixture fixture_;
  std::vector<Program> programs_;
  std::deque<Held> held_;
  std::vector<spalt_device_task> tasks_;
  uint64_t seed_ = 0;
};

Command random_command(Random& random) {
  Command command;
  command.kind = static_cast<Kind>(random.below(4));
  command.src = random.below(kArrays);
  // A dispatch that reads what it writes elsewhere would have a race of its own.
  command.dst = (command.src + 1 + random.below(kArrays - 1)) % kArrays;
  command.value = 1 + random.below(1000);
  return command;
}

/// How many of the lists give another result than one command after another.
unsigned count_wrong_lists(const Machine& machine, uint32_t allowed) {
  Random random(1);
  World world(machine);
  unsigned wrong = 0;
  for (unsigned list = 0; list < kLists; ++list) {
    std::vector<Command> commands;
    for (unsigned i = 0; i < kCommands; ++i) commands.push_back(random_command(random));
    for (Array& array : world.arrays()) {
      for (U& element : array) element = random.below(1 << 20);
    }
    std::vector<Array> expected = world.arrays();
    for (const Command& command : commands) apply(command, machine.wave_size, expected);
    world.run(commands, random.next(), allowed);
    wrong += world.arrays() != expected ? 1 : 0;
  }
  return wrong;
}

TEST(Barrier, TheLeastThatHazardsAskForIsEnough) {
  for (const Machine& machine : kMachines) EXPECT_EQ(count_wrong_lists(machine, SPALT_CACHE_ALL), 0u) << machine.target;
}

TEST(Barrier, NoneOfItCanBeLeftOut) {
  for (const Machine& machine : kMachines) {
    for (const uint32_t left_out : {uint32_t{SPALT_CACHE_COMPLETE_STORES}, uint32_t{SPALT_CACHE_INVALIDATE_VECTOR},
                                    uint32_t{SPALT_CACHE_INVALIDATE_SCALAR}, uint32_t{SPALT_CACHE_ALL}}) {
      EXPECT_GT(count_wrong_lists(machine, SPALT_CACHE_ALL & ~left_out), 0u) << machine.target << " " << left_out;
    }
  }
}

TEST(Barrier, WhatOthersWriteBesideALineIsNotLost) {
  // The application writes every other dword while dispatches read and write the rest.
  const Machine machine{"gfx1030", 32};
  const DeviceFixture fixture;
  constexpr U kDwords = 256;
  alignas(128) static std::atomic<U> shared[kDwords];
  ASSERT_TRUE(fixture.space.map(kData, shared, sizeof shared).ok());
  // Lane i copies dword 2 i of the first half to dword 2 i of the second one.
  const Program program =
      fixture.load(make_raw_shader("v_lshlrev_b32 v1, 3, v0\nglobal_load_dword v2, v1, s[0:1]\ns_waitcnt vmcnt(0)\n"
                                   "global_store_dword v1, v2, s[0:1] offset:512\ns_endpgm\n",
                                   2, machine.wave_size, 64, machine.target));
  const std::vector<U> entries = address_entries(kData);
  spalt_dispatch_info info = Device::dispatch_info(program, entries, 4);
  info.memory_hierarchy = info.keep_caches = 1;
  std::atomic<bool> done{false};
  std::atomic<unsigned> lost{0};
  std::thread application([&] {
    for (U value = 1; !done.load(); ++value) {
      for (U i = 1; i < kDwords; i += 2) shared[i].store(value);
      for (U i = 1; i < kDwords; i += 2) lost += shared[i].load() != value ? 1 : 0;
    }
  });
  for (unsigned i = 0; i < 300; ++i) {
    info.hierarchy_seed = i;
    EXPECT_TRUE(fixture.device.dispatch(info).ok());
  }
  done = true;
  application.join();
  EXPECT_EQ(lost.load(), 0u);
}

}  // namespace
}  // namespace spalt::emu::test
