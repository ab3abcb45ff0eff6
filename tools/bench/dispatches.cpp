// SPDX-License-Identifier: MIT
// What a small dispatch costs on the emulator: many of one program, through emulator.h and through device.h.
// usage: dispatches ELF [COUNT [WORKGROUPS [THREADS]]]
// The ELF is a gfx10.3 shader that uses one storage buffer at set 0, binding 0, with 64 invocations per workgroup.
#include <spalt/emulator.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <spalt/device.hpp>
#include <vector>

namespace {

using spalt_api::sized;

constexpr uint64_t kBufferAddress = 0x10000000000, kTableAddress = 0x7f0180000000;
/// Four selects, a 32-bit format, raw bounds.
constexpr uint32_t kDescriptorWord3 = 0x31016fac;

struct Settings {
  std::vector<char> elf;
  unsigned count = 10000;
  uint32_t groups = 1, threads = 1;
};

int fail(const char* what) {
  std::fprintf(stderr, "dispatches: %s\n", what);
  return 1;
}

template <class Body>
bool measure(const char* name, const Settings& settings, Body dispatch) {
  if (!dispatch()) return false;
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < settings.count; ++i) {
    if (!dispatch()) return false;
  }
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  std::printf("%-12s %8.2f microseconds per dispatch\n", name, time.count() / settings.count);
  return true;
}

int through_emulator(const Settings& settings, std::vector<uint64_t>& buffer) {
  spalt_emulator* emulator = nullptr;
  if (spalt_emulator_create(&emulator) != SPALT_SUCCESS) return fail("no emulator");
  auto info = sized<spalt_emulator_dispatch_info>();
  info.grid[0] = settings.groups;
  info.grid[1] = info.grid[2] = 1;
  info.threads = settings.threads;
  bool ok = spalt_emulator_load(emulator, settings.elf.data(), settings.elf.size()) == SPALT_SUCCESS &&
            spalt_emulator_set_buffer(emulator, 0, 0, 0, buffer.data(), buffer.size() * 8) == SPALT_SUCCESS;
  ok = ok && measure("emulator.h", settings, [&] { return spalt_emulator_dispatch(emulator, &info) == SPALT_SUCCESS; });
  if (!ok) std::fprintf(stderr, "%s\n", spalt_emulator_diagnostic(emulator));
  spalt_emulator_destroy(emulator);
  return ok ? 0 : 1;
}

int through_device(const Settings& settings, std::vector<uint64_t>& buffer) {
  const spalt_api::AddressSpace space;
  const spalt_api::Device device(spalt_api::Device::info(space, settings.threads));
  const spalt_api::Program program(space, settings.elf.data(), settings.elf.size());
  if (!program.ok() || !device.ok()) return fail("no program or no device");
  alignas(8) uint32_t table[4] = {static_cast<uint32_t>(kBufferAddress), static_cast<uint32_t>(kBufferAddress >> 32),
                                  static_cast<uint32_t>(buffer.size() * 8), kDescriptorWord3};
  if (!space.map(kBufferAddress, buffer.data(), buffer.size() * 8, "buffer").ok()) return fail("no buffer");
  if (!space.map(kTableAddress, table, sizeof table, "descriptors", true).ok()) return fail("no table");
  const std::vector<uint32_t> entries = {static_cast<uint32_t>(kTableAddress)};
  const spalt_dispatch_info info = spalt_api::Device::dispatch_info(program, entries, settings.groups);
  spalt_api::Device::Report report;
  const bool ok = measure("device.h", settings, [&] {
    report = device.dispatch(info);
    return report.ok();
  });
  if (!ok) std::fprintf(stderr, "%s\n", report.fault.message);
  return ok ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return fail("usage: dispatches ELF [COUNT [WORKGROUPS [THREADS]]]");
  Settings settings;
  std::ifstream stream(argv[1], std::ios::binary);
  settings.elf.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  if (argc > 2) settings.count = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
  if (argc > 3) settings.groups = static_cast<uint32_t>(std::strtoul(argv[3], nullptr, 10));
  if (argc > 4) settings.threads = static_cast<uint32_t>(std::strtoul(argv[4], nullptr, 10));
  std::vector<uint64_t> buffer(size_t{32} * settings.groups);
  return through_emulator(settings, buffer) + through_device(settings, buffer);
}
