// SPDX-License-Identifier: MIT
// Barriers between dispatches, through the public API of the device: work that no barrier separates happens in some
// order under some seed, stores stay under way and caches stay stale until an operation names them, and what is
// properly separated never goes wrong. Hand-written assembly for each generation.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "device_fixture.h"

namespace spalt::emu::test {
namespace {

using spalt_api::Device;
using spalt_api::Program;
using U = uint32_t;

/// Of 20 seeds, some show what is wrong; of many, none finds fault with what is right.
constexpr unsigned kFewSeeds = 20, kManySeeds = 200;
constexpr U kGroups = 4, kMaxWave = 64, kElements = kGroups * kMaxWave, kNew = 0x10000;
constexpr uint64_t kX = kData, kY = kData + 0x10000, kZ = kData + 0x20000;

struct Machine {
  const char* target;
  unsigned wave_size;
};

constexpr Machine kMachines[] = {
    {"gfx900", 64},  {"gfx1010", 32}, {"gfx1010", 64}, {"gfx1030", 32}, {"gfx1030", 64}, {"gfx1100", 32},
    {"gfx1100", 64}, {"gfx1150", 32}, {"gfx1150", 64}, {"gfx1200", 32}, {"gfx1200", 64},
};

/// The programs of a test, on X and Y, whose addresses are in s[0:1] and s[2:3].
class Programs {
 public:
  explicit Programs(const Machine& machine) : machine_(machine), facts_(*isa::find_target(machine.target)) {}

  /// Each lane stores a new value into its own element of X.
  object::StageObject write_x() const { return make(own_element() + store("v1", "s[0:1]")); }
  /// Each lane copies the element of X that a lane of the neighbouring workgroup has to its own element of Y.
  object::StageObject copy_x_to_y() const {
    return make(own_element() + "v_xor_b32 v3, " + std::to_string(machine_.wave_size * 4) + ", v1\n" +
                name(isa::Opcode::global_load_dword) + " v2, v3, s[0:1]\n" + wait_for_load() + store("v1", "s[2:3]"));
  }
  /// The same through the scalar cache: all lanes of a workgroup copy the first element of the neighbouring one.
  object::StageObject copy_x_to_y_by_scalar_load() const {
    return make(own_element() + "s_xor_b32 s6, s5, " + std::to_string(machine_.wave_size * 4) + "\n" +
                name(isa::Opcode::s_add_u32) + " s8, s0, s6\n" + name(isa::Opcode::s_addc_u32) + " s9, s1, 0\n" +
                name(isa::Opcode::s_load_dword) + " s10, s[8:9], 0x0\n" +
                (facts_.has_kmcnt ? "s_wait_kmcnt 0x0\n" : "s_waitcnt lgkmcnt(0)\n") + "v_mov_b32 v2, s10\n" +
                store("v1", "s[2:3]"));
  }
  /// Each lane adds 1 to the first element of X.
  object::StageObject count_in_x() const {
    const std::string add = facts_.generation >= isa::Generation::gfx11 ? "global_atomic_add_u32" : "global_atomic_add";
    return make("v_mov_b32 v1, 0\nv_mov_b32 v2, 1\n" + add + " v1, v2, s[0:1]\n");
  }

 private:
  std::string name(isa::Opcode opcode) const { return isa::info(opcode, facts_.generation).name; }
  std::string wait_for_load() const { return facts_.has_kmcnt ? "s_wait_loadcnt 0x0\n" : "s_waitcnt vmcnt(0)\n"; }
  std::string store(const std::string& offset, const std::string& base) const {
    return name(isa::Opcode::global_store_dword) + " " + offset + ", v2, " + base + "\n";
  }
  /// v1 gets the offset of the lane's element, s5 that of the workgroup's first one, v2 a new value.
  std::string own_element() const {
    return std::string("s_lshl_b32 s5, ") + (facts_.work_group_ids_in_ttmp ? "ttmp9" : "s4") + ", " +
           (machine_.wave_size == 32 ? "7" : "8") +
           "\nv_lshl_add_u32 v1, v0, 2, s5\nv_mov_b32 v4, 0x10000\nv_or_b32 v2, v4, v1\n";
  }
  object::StageObject make(const std::string& text) const {
    return make_raw_shader(text + "s_endpgm\n", 4, machine_.wave_size, machine_.wave_size, machine_.target);
  }

  const Machine& machine_;
  const isa::Target& facts_;
};

/// A device and three arrays. X is old, that is zero, everywhere; Y and Z are empty.
class World {
 public:
  explicit World(const Machine& machine)
      : machine_(machine),
        programs_(machine),
        write_(fixture_.load(programs_.write_x())),
        copy_(fixture_.load(programs_.copy_x_to_y(), kCode + 0x10000)),
        scalar_copy_(fixture_.load(programs_.copy_x_to_y_by_scalar_load(), kCode + 0x20000)),
        count_(fixture_.load(programs_.count_in_x(), kCode + 0x30000)),
        entries_(address_entries({kX, kY})) {
    EXPECT_TRUE(fixture_.space.map(kX, x.data(), x.size() * 4, "x").ok());
    EXPECT_TRUE(fixture_.space.map(kY, y.data(), y.size() * 4, "y").ok());
  }

  /// Everything as it was in the beginning, but for what the caches have seen of it: nothing.
  void reset(uint64_t seed) {
    EXPECT_EQ(fixture_.device.cache_operation(SPALT_CACHE_ALL), SPALT_SUCCESS);
    x.fill(0);
    y.fill(kEmpty);
    z.fill(kEmpty);
    seed_ = seed;
  }

  spalt_dispatch_info write() const { return info(write_); }
  spalt_dispatch_info copy() const { return info(copy_); }
  spalt_dispatch_info scalar_copy() const { return info(scalar_copy_); }
  spalt_dispatch_info count() const { return info(count_); }

  void run(const std::vector<spalt_device_task>& tasks, bool interleave = true, bool hierarchy = true) const {
    spalt_run_info info = Device::run_info(tasks);
    info.interleave = interleave ? 1 : 0;
    info.memory_hierarchy = info.keep_caches = hierarchy ? 1 : 0;
    info.seed = seed_;
    const Device::Report report = fixture_.device.run(info);
    EXPECT_TRUE(report.ok()) << machine_.target << ": " << report.fault.message;
  }
  void run(const spalt_dispatch_info& dispatch) const { run({Device::task(dispatch)}); }
  void operate(uint32_t operations) const { EXPECT_EQ(fixture_.device.cache_operation(operations), SPALT_SUCCESS); }

  bool x_is_new() const { return x_as_seen_by(x, 0); }
  /// Whether the copy has seen every store to X, or none at all.
  bool y_is_new() const { return x_as_seen_by(y, machine_.wave_size); }
  bool y_is_old() const {
    return std::all_of(y.begin(), y.begin() + used(), [](U value) { return value == 0; });
  }
  bool z_is_new() const { return x_as_seen_by(z, 0); }
  bool y_is_new_by_scalar_loads() const {
    for (U i = 0; i < used(); ++i) {
      const U first = i / machine_.wave_size * machine_.wave_size;
      if (y[i] != (kNew | (first ^ machine_.wave_size) * 4)) return false;
    }
    return true;
  }

  DeviceFixture& fixture() { return fixture_; }
  const Machine& machine() const { return machine_; }
  U used() const { return kGroups * machine_.wave_size; }

  static constexpr U kEmpty = 0xeeeeeeee;
  alignas(8) std::array<U, kElements> x, y, z;

 private:
  spalt_dispatch_info info(const Program& program) const {
    spalt_dispatch_info info = Device::dispatch_info(program, entries_, kGroups);
    info.step_limit = 100000;
    return info;
  }
  bool x_as_seen_by(const std::array<U, kElements>& array, U distance) const {
    for (U i = 0; i < used(); ++i) {
      if (array[i] != (kNew | (i ^ distance) * 4)) return false;
    }
    return true;
  }

  const Machine& machine_;
  DeviceFixture fixture_;
  Programs programs_;
  Program write_, copy_, scalar_copy_, count_;
  std::vector<U> entries_;
  uint64_t seed_ = 0;
};

/// For each machine: how many seeds of `seeds` make `is_right` false after `act`.
using Act = std::function<void(World&)>;
using Judge = std::function<bool(const World&)>;

unsigned count_wrong(World& world, unsigned seeds, const Act& act, const Judge& is_right) {
  unsigned wrong = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    world.reset(seed);
    act(world);
    world.operate(SPALT_CACHE_COMPLETE_STORES);  // what the end of a submission does
    wrong += is_right(world) ? 0 : 1;
  }
  return wrong;
}

void expect_matters(const Act& without, const Act& with, const Judge& is_right) {
  for (const Machine& machine : kMachines) {
    World world(machine);
    EXPECT_GT(count_wrong(world, kFewSeeds, without, is_right), 0u) << machine.target << " wave" << machine.wave_size;
    EXPECT_EQ(count_wrong(world, kManySeeds, with, is_right), 0u) << machine.target << " wave" << machine.wave_size;
  }
}

constexpr uint32_t kStoresToLoads =
    SPALT_CACHE_COMPLETE_STORES | SPALT_CACHE_INVALIDATE_VECTOR | SPALT_CACHE_INVALIDATE_SCALAR;

TEST(Barrier, AReadAfterAWriteWantsOne) {
  expect_matters([](World& w) { w.run(w.write()), w.run(w.copy()); },
                 [](World& w) { w.run(w.write()), w.operate(kStoresToLoads), w.run(w.copy()); },
                 [](const World& w) { return w.y_is_new(); });
}

TEST(Barrier, AReadAfterAWriteInOneRunGoesWrongInEveryMode) {
  for (const bool hierarchy : {false, true}) {
    expect_matters(
        [=](World& w) {
          const spalt_dispatch_info first = w.write(), second = w.copy();
          w.run({Device::task(first), Device::task(second)}, true, hierarchy);
        },
        [=](World& w) {
          const spalt_dispatch_info first = w.write(), second = w.copy();
          w.run({Device::task(first)}, true, hierarchy);
          w.operate(kStoresToLoads);
          w.run({Device::task(second)}, true, hierarchy);
        },
        [](const World& w) { return w.y_is_new(); });
  }
}

TEST(Barrier, AWriteAfterAReadWantsAnExecutionBarrierAlone) {
  for (const bool hierarchy : {false, true}) {
    expect_matters(
        [=](World& w) {
          const spalt_dispatch_info first = w.copy(), second = w.write();
          w.run({Device::task(first), Device::task(second)}, true, hierarchy);
        },
        [=](World& w) {
          const spalt_dispatch_info first = w.copy(), second = w.write();
          w.run({Device::task(first)}, true, hierarchy);
          w.run({Device::task(second)}, true, hierarchy);
        },
        [](const World& w) { return w.y_is_old() && w.x_is_new(); });
  }
}

TEST(Barrier, ACopyAfterAWriteWantsOne) {
  const auto copy_in_another_run = [](uint32_t operations) {
    return [=](World& w) {
      auto copy = [&w] { w.z = w.x; };
      w.run(w.write());
      w.operate(operations);
      w.run({Device::host_task(copy)});
    };
  };
  const auto is_right = [](const World& w) { return w.z_is_new(); };
  expect_matters(copy_in_another_run(0), copy_in_another_run(SPALT_CACHE_COMPLETE_STORES), is_right);
  for (const bool hierarchy : {false, true}) {
    expect_matters(
        [=](World& w) {
          auto copy = [&w] { w.z = w.x; };
          const spalt_dispatch_info write = w.write();
          w.run({Device::task(write), Device::host_task(copy)}, true, hierarchy);
        },
        copy_in_another_run(SPALT_CACHE_COMPLETE_STORES), is_right);
  }
}

/// X is in the caches when something new is stored there. What this has stored to Y is not under way any more.
void warm_up(World& w, const spalt_dispatch_info& reader) {
  w.run(reader);
  w.run(reader);
  w.operate(SPALT_CACHE_COMPLETE_STORES);
}

TEST(Barrier, StaleLinesWantToBeInvalidated) {
  const auto sequence = [](uint32_t operations) {
    return [=](World& w) { warm_up(w, w.copy()), w.run(w.write()), w.operate(operations), w.run(w.copy()); };
  };
  const auto is_right = [](const World& w) { return w.y_is_new(); };
  expect_matters(sequence(SPALT_CACHE_COMPLETE_STORES),
                 sequence(SPALT_CACHE_COMPLETE_STORES | SPALT_CACHE_INVALIDATE_VECTOR), is_right);
  expect_matters(sequence(SPALT_CACHE_INVALIDATE_VECTOR), sequence(kStoresToLoads), is_right);
}

TEST(Barrier, StaleLinesOfScalarCachesWantToBeInvalidated) {
  const auto sequence = [](uint32_t operations) {
    return
        [=](World& w) { warm_up(w, w.scalar_copy()), w.run(w.write()), w.operate(operations), w.run(w.scalar_copy()); };
  };
  expect_matters(sequence(SPALT_CACHE_COMPLETE_STORES | SPALT_CACHE_INVALIDATE_VECTOR),
                 sequence(SPALT_CACHE_COMPLETE_STORES | SPALT_CACHE_INVALIDATE_SCALAR),
                 [](const World& w) { return w.y_is_new_by_scalar_loads(); });
}

TEST(Barrier, WhatTheHostWritesWantsToBeSeen) {
  const auto sequence = [](uint32_t operations) {
    return [=](World& w) {
      auto fill = [&w] {
        for (U i = 0; i < kElements; ++i) w.x[i] = kNew | i * 4;
      };
      warm_up(w, w.copy());
      w.run({Device::host_task(fill)});
      w.operate(operations);
      w.run(w.copy());
    };
  };
  expect_matters(sequence(SPALT_CACHE_COMPLETE_STORES), sequence(SPALT_CACHE_INVALIDATE_VECTOR),
                 [](const World& w) { return w.y_is_new(); });
}

TEST(Barrier, AtomicsWantNone) {
  for (const Machine& machine : kMachines) {
    World world(machine);
    for (const bool hierarchy : {false, true}) {
      const auto act = [=](World& w) {
        const spalt_dispatch_info count = w.count();
        w.run({Device::task(count), Device::task(count), Device::task(count)}, true, hierarchy);
        w.run({Device::task(count)}, false, hierarchy);
      };
      EXPECT_EQ(count_wrong(world, 50, act, [](const World& w) { return w.x[0] == 4 * w.used(); }), 0u);
    }
  }
}

TEST(Barrier, WhatKeepsNothingBeginsAndEndsClean) {
  for (const Machine& machine : kMachines) {
    World world(machine);
    const auto dispatch = [&](spalt_dispatch_info info, bool hierarchy) {
      info.memory_hierarchy = hierarchy ? 1 : 0;
      EXPECT_TRUE(world.fixture().device.dispatch(info).ok());
    };
    for (unsigned seed = 0; seed < kManySeeds; ++seed) {
      const bool hierarchy = seed % 2 == 0;
      world.reset(seed);
      warm_up(world, world.copy());
      world.run(world.write());
      dispatch(world.copy(), hierarchy);
      EXPECT_TRUE(world.x_is_new() && world.y_is_new()) << machine.target << " seed " << seed;
    }
  }
}

TEST(Barrier, ASeedDecidesEverything) {
  for (const Machine& machine : kMachines) {
    std::vector<std::array<U, kElements>> outcomes;
    for (unsigned attempt = 0; attempt < 2; ++attempt) {
      World world(machine);
      for (unsigned seed = 0; seed < kFewSeeds; ++seed) {
        world.reset(seed);
        const spalt_dispatch_info first = world.write(), second = world.copy();
        world.run({Device::task(first), Device::task(second)});
        outcomes.push_back(world.y);
      }
    }
    for (unsigned seed = 0; seed < kFewSeeds; ++seed) EXPECT_EQ(outcomes[seed], outcomes[seed + kFewSeeds]);
  }
}

TEST(Barrier, CountersAreOfEachTask) {
  World world(kMachines[0]);
  std::array<spalt_counters, 2> counters{};
  for (spalt_counters& c : counters) c.struct_size = sizeof c;
  for (unsigned seed = 0; seed < kFewSeeds; ++seed) {
    world.reset(seed);
    spalt_dispatch_info first = world.write();
    const spalt_dispatch_info second = world.copy();
    first.workgroup_count[0] = 3;
    world.run({Device::task(first, &counters[0]), Device::task(second, &counters[1])}, true, seed % 2 == 0);
    EXPECT_EQ(counters[0].invocations, 3u * 64);
    EXPECT_EQ(counters[0].vmem_stores, 3u);
    EXPECT_EQ(counters[0].vmem_loads, 0u);
    EXPECT_EQ(counters[1].invocations, 4u * 64);
    EXPECT_EQ(counters[1].vmem_loads, 4u);
  }
}

TEST(Barrier, AFaultEndsAnInterleavedRun) {
  World world(kMachines[3]);
  const std::vector<U> nowhere = address_entries({kZ, kZ});
  for (unsigned seed = 0; seed < kFewSeeds; ++seed) {
    for (const bool hierarchy : {false, true}) {
      world.reset(seed);
      const spalt_dispatch_info good = world.copy();
      spalt_dispatch_info bad = world.write();
      bad.user_data = nowhere.data();
      const std::vector<spalt_device_task> tasks = {Device::task(good), Device::task(bad), Device::task(good)};
      spalt_run_info info = Device::run_info(tasks);
      info.interleave = 1;
      info.memory_hierarchy = info.keep_caches = hierarchy ? 1 : 0;
      info.seed = seed;
      const Device::Report report = world.fixture().device.run(info);
      EXPECT_EQ(report.result, SPALT_ERROR_EXECUTION);
      EXPECT_EQ(report.fault.kind, SPALT_FAULT_UNMAPPED);
      EXPECT_EQ(report.fault.task, 1u);
      world.run(world.copy());
    }
  }
}

/// Stores of the first dispatch are under way when this returns: under some seed they are.
bool leave_stores_under_way(World& world) {
  for (unsigned seed = 0; seed < kFewSeeds; ++seed) {
    world.reset(seed);
    world.run(world.write());
    if (!world.x_is_new()) return true;
  }
  return false;
}

TEST(Barrier, StoresToWhatIsNoLongerMappedAreLost) {
  for (const Machine& machine : kMachines) {
    World world(machine);
    for (const bool again : {false, true}) {
      ASSERT_TRUE(leave_stores_under_way(world)) << machine.target;
      const auto before = world.x;
      ASSERT_EQ(world.fixture().space.unmap(kX), SPALT_SUCCESS);
      const auto map = [&] { return world.fixture().space.map(kX, world.x.data(), world.x.size() * 4).result; };
      if (again) {
        EXPECT_EQ(map(), SPALT_SUCCESS);
      }
      world.operate(SPALT_CACHE_ALL);
      EXPECT_EQ(world.x, before) << machine.target;
      if (!again) {
        EXPECT_EQ(map(), SPALT_SUCCESS);
      }
    }
  }
}

TEST(Barrier, LinesOfWhatIsNoLongerMappedAreForgotten) {
  for (const Machine& machine : kMachines) {
    World world(machine);
    alignas(8) std::array<U, kElements> other;
    for (U i = 0; i < kElements; ++i) other[i] = kNew | i * 4;
    for (unsigned seed = 0; seed < kFewSeeds; ++seed) {
      world.reset(seed);
      warm_up(world, world.copy());
      ASSERT_EQ(world.fixture().space.unmap(kX), SPALT_SUCCESS);
      ASSERT_TRUE(world.fixture().space.map(kX, other.data(), other.size() * 4).ok());
      world.run(world.copy());
      world.operate(SPALT_CACHE_COMPLETE_STORES);
      EXPECT_TRUE(world.y_is_new()) << machine.target << " seed " << seed;
      ASSERT_EQ(world.fixture().space.unmap(kX), SPALT_SUCCESS);
      ASSERT_TRUE(world.fixture().space.map(kX, world.x.data(), world.x.size() * 4).ok());
    }
  }
}

TEST(Barrier, CachesDoNotHoldWhatIsUncached) {
  for (const Machine& machine : kMachines) {
    World world(machine);
    ASSERT_EQ(world.fixture().space.unmap(kX), SPALT_SUCCESS);
    ASSERT_TRUE(world.fixture().space.map(kX, world.x.data(), world.x.size() * 4, "x", false, true).ok());
    const auto act = [](World& w) {
      warm_up(w, w.copy()), warm_up(w, w.scalar_copy());
      for (U i = 0; i < kElements; ++i) w.x[i] = kNew | i * 4;
    };
    const auto by_vector = [&](World& w) { act(w), w.run(w.copy()); };
    const auto by_scalar = [&](World& w) { act(w), w.run(w.scalar_copy()); };
    EXPECT_EQ(count_wrong(world, kFewSeeds, by_vector, [](const World& w) { return w.y_is_new(); }), 0u);
    EXPECT_EQ(count_wrong(world, kFewSeeds, by_scalar, [](const World& w) { return w.y_is_new_by_scalar_loads(); }),
              0u);
  }
}

TEST(Barrier, ATraceTellsTheWavesOfInterleavedTasksApart) {
  World world(kMachines[3]);
  object::StageObject large = make_raw_shader("v_mov_b32 v99, 7\ns_mov_b32 s90, 8\ns_endpgm\n", 0, 32, 64, "gfx1030");
  large.vgpr_count = 104;
  const Program second = world.fixture().load(large, kCode + 0x40000);
  std::string trace;
  auto debug = spalt_api::sized<spalt_debug_info>();
  debug.user = &trace;
  debug.trace = [](void* user, const char* text) { *static_cast<std::string*>(user) += text; };
  const char* watched = "s90";
  debug.watchpoints = &watched;
  debug.watchpoint_count = 1;
  debug.stop = [](void*, const spalt_stop*) -> uint32_t { return SPALT_STOP_ACTION_CONTINUE; };
  ASSERT_EQ(spalt_device_set_debug(world.fixture().device.handle(), &debug, nullptr), SPALT_SUCCESS);
  for (unsigned seed = 0; seed < kFewSeeds; ++seed) {
    world.reset(seed);
    trace.clear();
    const spalt_dispatch_info small = world.copy(), other = Device::dispatch_info(second, {}, 3);
    world.run({Device::task(small), Device::task(other)}, true, seed % 2 == 0);
    size_t changes = 0;
    for (size_t at = 0; (at = trace.find("v99 = 0x00000007 in lanes 0xffffffff", at)) != std::string::npos; ++at)
      ++changes;
    EXPECT_EQ(changes, 3u * 2) << trace;
    // A register that the other program has changed would show as a change of this one.
    EXPECT_EQ(trace.find("s90 = 0xbad0c0de"), std::string::npos);
  }
}

TEST(Barrier, ManyDispatchesWithoutOne) {
  World world(kMachines[1]);
  world.reset(7);
  spalt_dispatch_info count = world.count();
  count.workgroup_count[0] = 100;
  for (unsigned i = 0; i < 100; ++i) world.run(count);
  world.operate(SPALT_CACHE_COMPLETE_STORES);
  EXPECT_EQ(world.x[0], 100u * 100 * 32);
}

}  // namespace
}  // namespace spalt::emu::test
