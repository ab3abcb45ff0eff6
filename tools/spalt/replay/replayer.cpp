// SPDX-License-Identifier: MIT
#include "replay/replayer.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <new>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "replay/code_hash.h"
#include "replay/parallel.h"
#include "replay/read_state.h"
#include "replay/vulkan_numbers.h"

namespace spalt_tool::replay {
namespace {

void write_bytes(const std::filesystem::path& path, const void* data, size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  file.close();
  if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

/// Of what an archive can make long: names and messages in results, and descriptions that are kept.
constexpr size_t kMaxNameBytes = 256;
constexpr size_t kMaxMessageBytes = 2000;
constexpr size_t kMaxKeptDescription = 4096;

size_t bytes_of(const PipelineState& state) {
  size_t bytes = 0;
  for (const StageState& stage : state.stages) {
    bytes += stage.entry_point.size() + stage.specialization.data.size();
    bytes += stage.specialization.entries.size() * sizeof(SpecializationState::Entry);
  }
  if (state.graphics) {
    bytes += state.graphics->bindings.size() * sizeof(spalt_vertex_binding);
    bytes += state.graphics->attributes.size() * sizeof(spalt_vertex_attribute);
    bytes += state.graphics->blends.size() * sizeof(GraphicsState::Blend);
    bytes += state.graphics->color_formats.size() * sizeof(uint32_t);
  }
  return bytes;
}

std::string version_text() {
  return std::to_string(SPALT_VERSION_MAJOR) + "." + std::to_string(SPALT_VERSION_MINOR) + "." +
         std::to_string(SPALT_VERSION_PATCH);
}

}  // namespace

Replayer::Replayer(const Database& database, std::span<const pipe::PipeFile> pipes, const RunOptions& options,
                   Progress& progress)
    : database_(database),
      pipes_(pipes),
      options_(options),
      progress_(progress),
      time_limit_(std::chrono::seconds(options.time_limit), options.jobs),
      workers_(options.jobs) {}

bool Replayer::run(const Settings& settings, Results& results, Problem& problem) {
  std::string error;
  if (!compiler_.create(settings, options_, error)) return fail(problem, Cause::unsupported, error);
  if (!options_.save_folder.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(options_.save_folder, failed);
    if (failed) return fail(problem, Cause::invalid, options_.save_folder + ": " + failed.message());
  }
  select();
  describe();
  load_layouts();
  load_render_passes();
  applications_.load(database_, options_.jobs, results.warnings);
  try {
    compile_all();
  } catch (const std::runtime_error& wrong) {
    progress_.finish();
    return fail(problem, Cause::invalid, wrong.what());
  }
  results.version = version_text();
  results.build = spalt_build_identifier();
  results.settings = settings;
  for (const PipelineKind kind : options_.kinds) results.kinds.emplace_back(kind_info(kind).name);
  results.shard_count = options_.shard.count;
  results.shards = {options_.shard.index};
  results.pipelines = std::move(results_);
  return true;
}

bool Replayer::is_selected(PipelineKind kind, uint64_t hash) const {
  const auto has = [](const auto& list, const auto& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  return has(options_.kinds, kind) && (options_.hashes.empty() || has(options_.hashes, hash)) &&
         in_shard(options_.shard, hash);
}

void Replayer::select() {
  struct Selected {
    PipelineResult result;
    const pipe::PipeFile* pipe;
  };
  std::vector<Selected> list;
  const auto add = [&](PipelineKind kind, uint64_t hash, const pipe::PipeFile* pipe) {
    if (!is_selected(kind, hash)) return;
    PipelineResult& result = list.emplace_back(Selected{{}, pipe}).result;
    result.kind = kind;
    result.hash = hash;
    if (pipe != nullptr) result.file = pipe->path;
  };
  for (const PipelineKind kind : options_.kinds) {
    for (const uint64_t hash : database_.hashes(kind_info(kind).tag)) add(kind, hash, nullptr);
  }
  for (const pipe::PipeFile& pipe : pipes_) add(pipe.kind, pipe.hash, &pipe);
  // Of equal files, as of equal records, the first counts.
  std::stable_sort(list.begin(), list.end(),
                   [](const Selected& a, const Selected& b) { return comes_before(a.result, b.result); });
  const auto equal = [](const Selected& a, const Selected& b) { return !comes_before(a.result, b.result); };
  list.erase(std::unique(list.begin(), list.end(), equal), list.end());
  descriptions_.resize(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    results_.push_back(std::move(list[i].result));
    descriptions_[i].pipe = list[i].pipe;
  }
}

void Replayer::describe() {
  run_parallel(results_.size(), options_.jobs, [this](unsigned, size_t index) { describe(index); });
}

void Replayer::describe(size_t index) {
  PipelineResult& result = results_[index];
  const KindInfo& kind = kind_info(result.kind);
  if (descriptions_[index].pipe != nullptr) return;
  if (kind.read == nullptr) {
    fail(result.problem, Cause::unsupported, std::string(tag_name(kind.tag)) + "s are not supported yet");
    return;
  }
  PipelineState state;
  if (!load_state(database_, kind.tag, result.hash, kind.read, state, result.problem)) return;
  result.module = state.stages[0].module;
  result.entry_point = state.stages[0].entry_point.substr(0, kMaxNameBytes);
  Description& description = descriptions_[index];
  description.kept = bytes_of(state) <= kMaxKeptDescription;
  if (state.graphics) description.render_pass = state.graphics->render_pass;
  if (!description.kept) description.state.layout = state.layout;
  if (description.kept) description.state = std::move(state);
}

void Replayer::load_layouts() {
  std::vector<uint64_t> hashes;
  for (size_t i = 0; i < results_.size(); ++i) {
    if (!results_[i].compiled() || descriptions_[i].pipe != nullptr) continue;
    const uint64_t layout = descriptions_[i].state.layout;
    hashes.push_back(layout);
    if (layout == 0) fail(results_[i].problem, Cause::invalid, "the pipeline has no pipeline layout");
  }
  layouts_.load(database_, std::move(hashes), options_.jobs);
}

void Replayer::load_render_passes() {
  std::vector<uint64_t> hashes;
  for (size_t i = 0; i < results_.size(); ++i) {
    if (results_[i].compiled()) hashes.push_back(descriptions_[i].render_pass);
  }
  render_passes_.load(database_, Tag::render_pass, std::move(hashes), read_render_pass, options_.jobs);
}

bool Replayer::find_formats(const GraphicsState& state, std::vector<uint32_t>& formats, Problem& problem) const {
  if (state.render_pass == 0) {
    formats = state.color_formats;
    return true;
  }
  const auto& entry = render_passes_.find(state.render_pass);
  problem = entry.problem;
  if (problem.cause != Cause::none) return false;
  if (state.subpass >= entry.state.subpasses.size()) {
    return fail(problem, Cause::invalid,
                "the render pass of the pipeline has no subpass " + std::to_string(state.subpass));
  }
  formats = entry.state.subpasses[state.subpass];
  return true;
}

std::vector<size_t> Replayer::order_of_work() const {
  std::vector<std::pair<uint64_t, size_t>> sizes;
  for (size_t i = 0; i < results_.size(); ++i) {
    const pipe::PipeFile* pipe = descriptions_[i].pipe;
    const uint64_t size = pipe != nullptr ? pipe->bytes : database_.size_of(Tag::shader_module, results_[i].module);
    sizes.emplace_back(results_[i].compiled() ? size : 0, i);
  }
  std::sort(sizes.begin(), sizes.end(), [this](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    const uint64_t module_a = results_[a.second].module, module_b = results_[b.second].module;
    return module_a != module_b ? module_a < module_b : a.second < b.second;
  });
  std::vector<size_t> order;
  order.reserve(sizes.size());
  for (const auto& [size, index] : sizes) order.push_back(index);
  return order;
}

void Replayer::compile_all() {
  const std::vector<size_t> order = order_of_work();
  progress_.start(order.size());
  const auto work = [&](unsigned worker, size_t position) {
    compile(worker, order[position]);
    progress_.done(results_[order[position]].problem.cause);
  };
  run_parallel(order.size(), options_.jobs, work, [this] {
    time_limit_.look();
    if (interrupted()) time_limit_.cancel_all();
    progress_.tick();
  });
  progress_.finish();
}

void Replayer::load_module(Module& module, uint64_t hash) const {
  if (module.known && module.hash == hash) return;
  module.hash = hash;
  module.known = true;
  module.problem = {};
  module.words.clear();
  load_state(database_, Tag::shader_module, hash, read_shader_module, module.words, module.problem);
}

void Replayer::compile_described(unsigned index_of_worker, const PipelineState& state, PipelineResult& result) {
  Worker& worker = workers_[index_of_worker];
  UserDataLayout layout;
  if (!layouts_.lay_out(state.layout, compiler_.max_user_data_entries(), layout, result.problem)) return;
  std::vector<uint32_t> formats;
  if (state.graphics && !find_formats(*state.graphics, formats, result.problem)) return;
  std::array<std::span<const uint32_t>, 2> words;
  for (size_t i = 0; i < state.stages.size(); ++i) {
    load_module(worker.modules[i], state.stages[i].module);
    result.problem = worker.modules[i].problem;
    if (!result.compiled()) return;
    words[i] = worker.modules[i].words;
  }
  const ApplicationState application = applications_.features_of(kind_info(result.kind).tag, result.hash);
  compile_input(index_of_worker, {state, {&layout, &layout}, application, words, formats}, result);
}

void Replayer::compile_pipe(unsigned worker, const pipe::PipeFile& file, PipelineResult& result) {
  pipe::Pipeline pipeline;
  const bool loaded = load_pipeline(file, compiler_.max_user_data_entries(), pipeline, result.problem);
  const PipelineState& state = pipeline.state.pipeline;
  if (!state.stages.empty()) result.entry_point = state.stages[0].entry_point.substr(0, kMaxNameBytes);
  if (!loaded) return;
  const std::vector<uint32_t>& first = pipeline.words[0];
  result.module = hash_bytes(first.data(), first.size() * sizeof(uint32_t));
  std::array<const UserDataLayout*, 2> layouts{};
  if (pipeline.state.has_mapping) layouts = {&pipeline.layouts[0], &pipeline.layouts[1]};
  compile_input(
      worker, {state, layouts, pipeline.state.features, {pipeline.words[0], pipeline.words[1]}, pipeline.color_formats},
      result);
}

void Replayer::compile_input(unsigned worker, const PipelineInput& input, PipelineResult& result) {
  std::string elf;
  const bool saves = !options_.save_folder.empty();
  const uint32_t* cancel = time_limit_.begin(worker);
  compiler_.compile(input, cancel, result, saves ? &elf : nullptr);
  time_limit_.end(worker);
  if (saves) save(result, input, elf);
}

void Replayer::compile(unsigned worker, size_t index) {
  PipelineResult& result = results_[index];
  if (!result.compiled()) return;
  if (interrupted()) {
    fail(result.problem, Cause::interrupted, "the run was interrupted");
    return;
  }
  try {
    const Description& description = descriptions_[index];
    const KindInfo& kind = kind_info(result.kind);
    PipelineState again;
    if (description.pipe != nullptr) {
      compile_pipe(worker, *description.pipe, result);
    } else if (description.kept || load_state(database_, kind.tag, result.hash, kind.read, again, result.problem)) {
      compile_described(worker, description.kept ? description.state : again, result);
    }
  } catch (const std::bad_alloc&) {
    time_limit_.end(worker);
    workers_[worker] = {};
    fail(result.problem, Cause::memory, "out of memory");
  }
  if (result.problem.cause == Cause::time && interrupted()) {
    fail(result.problem, Cause::interrupted, "the run was interrupted");
  } else if (result.problem.cause == Cause::time) {
    result.problem.message = "took longer than " + std::to_string(options_.time_limit) + " s";
  }
  if (result.problem.message.size() > kMaxMessageBytes) result.problem.message.resize(kMaxMessageBytes);
}

void Replayer::save(const PipelineResult& result, const PipelineInput& input, const std::string& elf) {
  const std::filesystem::path folder(options_.save_folder);
  const std::string name = hash_name(result.hash);
  for (size_t i = 0; i < input.state.stages.size(); ++i) {
    const std::span<const uint32_t> words = input.words[i];
    const char* stage = !input.state.graphics ? "" : input.state.stages[i].stage == vulkan::kVertex ? ".vert" : ".frag";
    if (!words.empty()) write_bytes(folder / (name + stage + ".spv"), words.data(), words.size_bytes());
  }
  if (!elf.empty()) write_bytes(folder / (name + ".elf"), elf.data(), elf.size());
}

}  // namespace spalt_tool::replay
