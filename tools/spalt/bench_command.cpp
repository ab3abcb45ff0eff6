// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench_pipelines.h"
#include "compiler.h"
#include "inline_layout.h"

namespace spalt_tool {
namespace {

struct Options {
  CompileOptions compile;
  std::vector<std::string> files;
  std::string pipelines;
  uint32_t repeat = 10;
  bool json = false, assembly = false;
};

/// Peak resident set of this process in bytes since the last reset; 0 where the system does not tell.
uint64_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return 0;
}
/// Lets the next peak_bytes() speak of what follows only (Documentation/filesystems/proc.rst, clear_refs).
void reset_peak() {
  std::ofstream clear("/proc/self/clear_refs");
  clear << "5";
}

struct Measurement {
  std::vector<uint64_t> nanoseconds;
  uint64_t link_nanoseconds = 0;
  uint64_t peak = 0;
  spalt_statistics statistics{};
  nlohmann::ordered_json stages;
};

spalt_result measure(spalt_compiler* compiler, const spalt_compile_info& info, unsigned repeat, Measurement& m,
                     Compilation& last) {
  reset_peak();
  for (unsigned i = 0; i < repeat; ++i) {
    spalt_compilation* raw = nullptr;
    const auto start = std::chrono::steady_clock::now();
    const spalt_result result = spalt_compile(compiler, &info, &raw);
    const auto elapsed = std::chrono::steady_clock::now() - start;
    last.reset(raw);
    if (result != SPALT_SUCCESS) return result;
    const auto ns = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
    m.nanoseconds.push_back(ns);
  }
  m.peak = peak_bytes();
  m.statistics.struct_size = sizeof m.statistics;
  return spalt_compilation_statistics(last.get(), &m.statistics);
}

/// The parts of the best repetition. In repetitions of their own: reading clocks takes time as well.
spalt_result measure_parts(spalt_compiler* compiler, spalt_compile_info info, unsigned repeat, Measurement& m) {
  info.want_part_times = 1;
  uint64_t best = UINT64_MAX;
  for (unsigned i = 0; i < repeat; ++i) {
    spalt_compilation* raw = nullptr;
    const spalt_result result = spalt_compile(compiler, &info, &raw);
    const Compilation compilation(raw);
    if (result != SPALT_SUCCESS) return result;
    uint64_t sum = 0;
    auto stages = nlohmann::ordered_json::object();
    for (size_t s = 0; s < spalt_compilation_part_count(raw); ++s) {
      spalt_part_time time{};
      time.struct_size = sizeof time;
      spalt_compilation_part_time(raw, s, &time);
      stages[time.part] = time.nanoseconds;
      sum += time.nanoseconds;
    }
    if (sum < best) m.stages = std::move(stages);
    best = std::min(best, sum);
  }
  return SPALT_SUCCESS;
}

/// The best time to link a stored stage object to an ELF, reading it included.
spalt_result measure_link(spalt_compiler* compiler, const spalt_compile_info& info, unsigned repeat, Measurement& m) {
  spalt_compilation* raw = nullptr;
  const spalt_result compiled = spalt_compile_stage(compiler, &info, &raw);
  const Compilation compilation(raw);
  if (compiled != SPALT_SUCCESS) return compiled;
  spalt_stage_object stage{};
  stage.data = spalt_compilation_stage_object(raw, &stage.size);
  spalt_link_info link{};
  link.struct_size = sizeof link;
  link.stages = &stage;
  link.stage_count = 1;
  link.stage_size = sizeof stage;
  m.link_nanoseconds = UINT64_MAX;
  for (unsigned i = 0; i < repeat; ++i) {
    spalt_pipeline* pipeline = nullptr;
    const auto start = std::chrono::steady_clock::now();
    const spalt_result linked = spalt_link(compiler, &link, &pipeline);
    const auto elapsed = std::chrono::steady_clock::now() - start;
    spalt_pipeline_destroy(pipeline);
    if (linked != SPALT_SUCCESS) return linked;
    const auto ns = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
    m.link_nanoseconds = std::min(m.link_nanoseconds, ns);
  }
  return SPALT_SUCCESS;
}

nlohmann::ordered_json to_json(const std::string& file, Measurement& m) {
  std::sort(m.nanoseconds.begin(), m.nanoseconds.end());
  const spalt_statistics& s = m.statistics;
  return {{"file", file},
          {"best_ns", m.nanoseconds.front()},
          {"median_ns", m.nanoseconds[m.nanoseconds.size() / 2]},
          {"link_ns", m.link_nanoseconds},
          {"instructions", s.instructions},
          {"code_bytes", s.code_bytes},
          {"sgprs", s.sgprs},
          {"vgprs", s.vgprs},
          {"spilled", s.spilled_sgprs + s.spilled_vgprs},
          {"lds_bytes", s.lds_bytes},
          {"invocations", s.workgroup_size[0] * s.workgroup_size[1] * s.workgroup_size[2]},
          {"wave_size", s.wave_size},
          {"peak_bytes", m.peak},
          {"stages", m.stages}};
}

void print_row(const nlohmann::ordered_json& row) {
  std::printf("%-40s %10.1f %10.1f %8.1f %8u %8u %6u %6u %8u\n", row["file"].get<std::string>().c_str(),
              row["best_ns"].get<double>() / 1000, row["median_ns"].get<double>() / 1000,
              row["link_ns"].get<double>() / 1000, row["instructions"].get<unsigned>(),
              row["code_bytes"].get<unsigned>(), row["sgprs"].get<unsigned>(), row["vgprs"].get<unsigned>(),
              row["spilled"].get<unsigned>());
}

int bench(const Options& options) {
  if (options.files.empty() == options.pipelines.empty()) {
    std::fputs("spalt: bench takes shaders or --pipelines\n", stderr);
    return kUsage;
  }
  if (!options.pipelines.empty()) {
    return bench_pipelines({options.pipelines, options.repeat, options.json, options.assembly}, options.compile);
  }
  std::string error;
  Specialization specialization;
  if (!parse_specialization(options.compile.specialization, specialization, error)) {
    std::fprintf(stderr, "spalt: %s\n", error.c_str());
    return kUsage;
  }
  const Compiler compiler = create_compiler(options.compile.target, error);
  if (!compiler) {
    std::fprintf(stderr, "spalt: %s\n", error.c_str());
    return kUnsupported;
  }
  if (!options.json) {
    std::printf("%-40s %10s %10s %8s %8s %8s %6s %6s %8s\n", "file", "best us", "median us", "link us", "insts",
                "bytes", "sgprs", "vgprs", "spilled");
  }
  int exit_code = kOk;
  auto list = nlohmann::ordered_json::array();
  for (const std::string& file : options.files) {
    std::vector<uint32_t> words;
    Measurement m;
    Compilation last;
    if (!load_shader(file, options.compile, words, error)) {
      std::fprintf(stderr, "spalt: %s\n", error.c_str());
      exit_code = kInput;
      continue;
    }
    spalt_compile_info info;
    fill_info(options.compile, words, specialization, info);
    find_stage(info);
    InlineLayout layout;
    if (!layout.make(options.compile.inline_blocks, info, error)) {
      std::fprintf(stderr, "spalt: %s\n", error.c_str());
      exit_code = kUsage;
      continue;
    }
    info.layout = layout.get();
    const unsigned repeat = std::max(options.repeat, 1u);
    spalt_result result = measure(compiler.get(), info, repeat, m, last);
    if (result == SPALT_SUCCESS && options.json) result = measure_parts(compiler.get(), info, repeat, m);
    if (result == SPALT_SUCCESS) result = measure_link(compiler.get(), info, repeat, m);
    if (result != SPALT_SUCCESS) {
      std::fprintf(stderr, "spalt: %s\n", describe_failure(file, result, last.get()).c_str());
      exit_code = exit_code_of(result);
      continue;
    }
    const auto row = to_json(file, m);
    if (options.json) {
      list.push_back(row);
    } else {
      print_row(row);
    }
  }
  if (options.json) std::printf("%s\n", list.dump(2).c_str());
  return exit_code;
}

}  // namespace

void add_bench_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command(
      "bench",
      "Measure compile time in process, words to ELF, nothing cached, and the time to link a stored stage object\n"
      "Examples: spalt bench shaders/*.comp --repeat 20 --json\n"
      "          spalt bench --pipelines pipelines.json",
      [options] { return bench(*options); });
  command.add_option("files", options->files, "Shaders");
  command.add_option("--pipelines", options->pipelines,
                     "Measure the graphics pipelines of this JSON list instead (docs/performance.md)");
  command.add_flag("--asm", options->assembly, "With --pipelines and --json: the assembly of each shader, too");
  add_compile_options(command, options->compile);
  command.add_option("--repeat", options->repeat, "Compiles per file").show_default();
  command.add_flag("--json", options->json, "Print a JSON list instead of a table");
}

}  // namespace spalt_tool
