// SPDX-License-Identifier: MIT
#include "bench_pipelines.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "inline_layout.h"
#include "pipeline_list.h"

namespace spalt_tool {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// One pipeline on its way: the stages from the end to the start, as they are compiled.
struct Run {
  std::vector<spalt_compile_info> infos;
  std::vector<Compilation> compilations;  // of the last repetition
  std::vector<uint64_t> nanoseconds;
  uint64_t link_nanoseconds = UINT64_MAX;
  std::map<std::string, uint64_t> parts;  // of the best repetition that measured them
};

uint64_t nanoseconds_since(std::chrono::steady_clock::time_point start) {
  const auto elapsed = std::chrono::steady_clock::now() - start;
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
}

/// Words to ELF once. On failure says why in `error`.
spalt_result compile_once(spalt_compiler* compiler, const std::string& name, Run& run, std::string& error) {
  std::vector<spalt_stage_object> stages;
  stages.reserve(run.infos.size());
  for (size_t i = 0; i < run.infos.size(); ++i) {
    spalt_compile_info info = run.infos[i];
    const spalt_stage_object nothing{};
    const bool is_last = stages.empty();
    if (info.stage == SPALT_STAGE_VERTEX) info.next_stage = is_last ? &nothing : &stages.back();
    if (info.stage == SPALT_STAGE_FRAGMENT && run.infos.size() > 1) info.previous_stage = &run.infos.back();
    spalt_compilation* raw = nullptr;
    const spalt_result result = spalt_compile_stage(compiler, &info, &raw);
    run.compilations[i].reset(raw);
    if (result != SPALT_SUCCESS) {
      error = describe_failure(name, result, raw);
      return result;
    }
    spalt_stage_object& stage = stages.emplace_back();
    stage.data = spalt_compilation_stage_object(raw, &stage.size);
  }
  const auto start = std::chrono::steady_clock::now();
  spalt_link_info link{};
  link.struct_size = sizeof link;
  link.stages = stages.data();
  link.stage_count = stages.size();
  link.stage_size = sizeof(spalt_stage_object);
  spalt_pipeline* pipeline = nullptr;
  const spalt_result result = spalt_link(compiler, &link, &pipeline);
  run.link_nanoseconds = std::min(run.link_nanoseconds, nanoseconds_since(start));
  if (result != SPALT_SUCCESS) {
    const char* const message = spalt_pipeline_message(pipeline);
    error = name + ": " + (message != nullptr ? message : spalt_result_string(result));
  }
  spalt_pipeline_destroy(pipeline);
  return result;
}

void add_parts(Run& run) {
  run.parts.clear();
  for (const Compilation& compilation : run.compilations) {
    for (size_t s = 0; s < spalt_compilation_part_count(compilation.get()); ++s) {
      spalt_part_time time{};
      time.struct_size = sizeof time;
      spalt_compilation_part_time(compilation.get(), s, &time);
      run.parts[time.part] += time.nanoseconds;
    }
  }
}

/// `visit` gets the nanoseconds of each repetition, whose compilations are there until the next one.
template <class Visit>
spalt_result repeat_compile(spalt_compiler* compiler, const std::string& name, uint32_t repeat, Run& run,
                            std::string& error, Visit&& visit) {
  for (uint32_t i = 0; i < repeat; ++i) {
    for (Compilation& compilation : run.compilations) compilation.reset();
    const auto start = std::chrono::steady_clock::now();
    const spalt_result result = compile_once(compiler, name, run, error);
    const uint64_t ns = nanoseconds_since(start);
    if (result != SPALT_SUCCESS) return result;
    visit(ns);
  }
  return SPALT_SUCCESS;
}

spalt_result measure(spalt_compiler* compiler, const std::string& name, uint32_t repeat, Run& run, std::string& error) {
  return repeat_compile(compiler, name, repeat, run, error, [&](uint64_t ns) { run.nanoseconds.push_back(ns); });
}

/// In repetitions of their own: reading clocks takes time as well.
spalt_result measure_parts(spalt_compiler* compiler, const std::string& name, uint32_t repeat, Run& run,
                           std::string& error) {
  for (spalt_compile_info& info : run.infos) info.want_part_times = 1;
  uint64_t best = UINT64_MAX;
  return repeat_compile(compiler, name, repeat, run, error, [&](uint64_t ns) {
    if (ns < best) add_parts(run);
    best = std::min(best, ns);
  });
}

std::vector<spalt_compile_info> infos_of(const ListedPipeline& pipeline, const CompileOptions& options) {
  std::vector<spalt_compile_info> infos;
  for (const auto& [stage, words] :
       {std::pair{SPALT_STAGE_FRAGMENT, &pipeline.fragment}, std::pair{SPALT_STAGE_VERTEX, &pipeline.vertex}}) {
    if (words->empty()) continue;
    spalt_compile_info& info = infos.emplace_back();
    fill_info(options, *words, {}, info);
    info.stage = stage;
    info.has_stage = 1;
    info.specialization_entries = pipeline.specialization.data();
    info.specialization_entry_count = pipeline.specialization.size();
    info.specialization_entry_size = sizeof(spalt_specialization_entry);
    info.specialization_data = pipeline.specialization_data.data();
    info.specialization_data_size = pipeline.specialization_data.size() * sizeof(uint32_t);
    info.graphics = pipeline.state.get();
  }
  return infos;
}

/// The numbers of each shader, and their sums.
OrderedJson to_json(const std::string& name, Run& run) {
  std::sort(run.nanoseconds.begin(), run.nanoseconds.end());
  OrderedJson row = {{"file", name},
                     {"best_ns", run.nanoseconds.front()},
                     {"median_ns", run.nanoseconds[run.nanoseconds.size() / 2]},
                     {"link_ns", run.link_nanoseconds}};
  auto shaders = OrderedJson::object();
  std::map<std::string, uint32_t> sums;
  for (size_t i = run.infos.size(); i-- != 0;) {
    spalt_statistics s{};
    s.struct_size = sizeof s;
    spalt_compilation_statistics(run.compilations[i].get(), &s);
    OrderedJson shader = {{"instructions", s.instructions},
                          {"code_bytes", s.code_bytes},
                          {"sgprs", s.sgprs},
                          {"vgprs", s.vgprs},
                          {"spilled", s.spilled_sgprs + s.spilled_vgprs}};
    for (const auto& [key, value] : shader.items()) sums[key] += value.get<uint32_t>();
    if (const char* text = spalt_compilation_assembly(run.compilations[i].get())) shader["assembly"] = text;
    shaders[run.infos[i].stage == SPALT_STAGE_VERTEX ? "vertex" : "fragment"] = std::move(shader);
  }
  for (const char* key : {"instructions", "code_bytes", "sgprs", "vgprs", "spilled"}) row[key] = sums[key];
  row["shaders"] = std::move(shaders);
  row["stages"] = run.parts;
  return row;
}

void print_row(const OrderedJson& row) {
  std::printf("%-40s %10.1f %10.1f %8.1f %8u %8u %6u %6u %8u\n", row["file"].get<std::string>().c_str(),
              row["best_ns"].get<double>() / 1000, row["median_ns"].get<double>() / 1000,
              row["link_ns"].get<double>() / 1000, row["instructions"].get<unsigned>(),
              row["code_bytes"].get<unsigned>(), row["sgprs"].get<unsigned>(), row["vgprs"].get<unsigned>(),
              row["spilled"].get<unsigned>());
}

}  // namespace

int bench_pipelines(const PipelineBench& bench, const CompileOptions& options) {
  std::string error;
  const Compiler compiler = create_compiler(options.target, error);
  if (!compiler) {
    std::fprintf(stderr, "spalt: %s\n", error.c_str());
    return kUnsupported;
  }
  const std::deque<ListedPipeline> pipelines = read_pipeline_list(bench.list, error);
  int exit_code = error.empty() ? kOk : kInput;
  if (!error.empty()) std::fprintf(stderr, "spalt: %s\n", error.c_str());
  if (!bench.json) {
    std::printf("%-40s %10s %10s %8s %8s %8s %6s %6s %8s\n", "pipeline", "best us", "median us", "link us", "insts",
                "bytes", "sgprs", "vgprs", "spilled");
  }
  auto list = OrderedJson::array();
  for (const ListedPipeline& pipeline : pipelines) {
    Run run;
    run.infos = infos_of(pipeline, options);
    run.compilations.resize(run.infos.size());
    InlineLayout layout;
    spalt_result result = SPALT_ERROR_INVALID_ARGUMENT;
    if (layout.make({}, run.infos, error)) {
      for (spalt_compile_info& info : run.infos) {
        info.layout = layout.get();
        info.want_assembly = bench.assembly ? 1 : 0;
      }
      const uint32_t repeat = std::max(bench.repeat, 1u);
      result = measure(compiler.get(), pipeline.name, repeat, run, error);
      if (result == SPALT_SUCCESS && bench.json) {
        result = measure_parts(compiler.get(), pipeline.name, repeat, run, error);
      }
    }
    if (result != SPALT_SUCCESS) {
      std::fprintf(stderr, "spalt: %s\n", error.c_str());
      exit_code = exit_code_of(result);
      continue;
    }
    const OrderedJson row = to_json(pipeline.name, run);
    if (bench.json) {
      list.push_back(row);
    } else {
      print_row(row);
    }
  }
  if (bench.json) std::printf("%s\n", list.dump(2).c_str());
  return exit_code;
}

}  // namespace spalt_tool
