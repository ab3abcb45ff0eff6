// SPDX-License-Identifier: MIT
#include "oracles.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "interp/interpreter.h"
#include "ir/verifier.h"
#include "passes/registry.h"
#include "run/spalt_runner.h"
#include "serial_shader.h"
#include "spirv/reader.h"
#include "vkrun/addresses.h"
#include "vkrun/compare.h"

namespace spalt::random_programs {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

/// The order of the driver's pipeline, without the target's lowering, which the interpreter does not execute.
constexpr const char* kPasses[] = {"simplify", "simplify_control_flow", "unroll_loops",         "promote_scratch",
                                   "simplify", "hoist_loop_invariants", "eliminate_dead_code",  "lower_switch",
                                   "simplify", "eliminate_dead_code",   "split_critical_edges", "close_loops"};
constexpr uint64_t kStepLimit = 200'000'000;
constexpr const char* kShader = "random";
/// Of subgroups, where none of their operations shows it.
constexpr uint32_t kAnySize = 64;
/// Where the interpreter finds buffers by address.
constexpr uint64_t kFirstAddress = 0x7f'ffff'0000, kAddressDistance = 0x1'0000'0000;

Manifest manifest_of(const Program& program) {
  Manifest manifest;
  manifest.name = kShader;
  manifest.dispatches.push_back({kShader, program.groups, program.push, {}});
  for (const Buffer& buffer : program.buffers) {
    vkrun::BufferDesc desc;
    desc.set = buffer.set;
    desc.binding = buffer.binding;
    desc.kind = buffer.storage ? vkrun::BufferKind::Storage : vkrun::BufferKind::Uniform;
    desc.initial.resize(buffer.words.size() * 4);
    std::memcpy(desc.initial.data(), buffer.words.data(), desc.initial.size());
    if (buffer.has_addresses) {
      const size_t next = manifest.buffers.size() + 1;
      desc.addresses = {{0, next, 0}, {8, next, 0}};
    } else {
      desc.checks.push_back({vkrun::ElementType::U32, 0, desc.initial.size(), 0.0, 0.0});
    }
    manifest.buffers.push_back(std::move(desc));
  }
  return manifest;
}

ir::Module read_module(const Words& words, CompileContext& context) {
  spirv::ReadOptions options;
  options.widths = {.int8 = true, .int16 = true, .int64 = true, .float16 = true, .float64 = true};
  Result<ir::Module> module = spirv::read(words, options, context);
  if (!module) throw vkrun::Error("reading the SPIR-V: " + module.error().message);
  return std::move(*module);
}

BufferContents interpret(const ir::Module& module, const Program& program, const Manifest& manifest,
                         uint32_t subgroup_size) {
  BufferContents contents = vkrun::initial_contents(manifest);
  interp::Dispatch dispatch;
  dispatch.groups = program.groups;
  dispatch.subgroup_size = subgroup_size;
  dispatch.push_constants = {reinterpret_cast<const uint8_t*>(program.push.data()), program.push.size() * 4};
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < contents.size(); ++i) {
    dispatch.buffers.push_back({manifest.buffers[i].set, manifest.buffers[i].binding, 0, contents[i]});
    addresses.push_back(kFirstAddress + i * kAddressDistance);
    if (manifest.has_addresses()) dispatch.memory.push_back({addresses[i], contents[i]});
  }
  for (size_t i = 0; i < contents.size(); ++i) {
    vkrun::put_addresses(manifest.buffers[i].addresses, addresses, contents[i]);
  }
  interp::Limits limits;
  limits.steps = kStepLimit;
  if (Result<void> result = interp::run(module, dispatch, limits); !result) {
    throw vkrun::Error("interpreter: " + result.error().message);
  }
  return contents;
}

/// The first IR pass after which the module computes something else than `expected`, with the difference.
std::optional<std::string> guilty_pass(const Program& program, const Manifest& manifest, const BufferContents& expected,
                                       uint32_t subgroup_size) {
  CompileContext context;
  ir::Module module = read_module(program.words, context);
  size_t position = 0;
  for (const char* name : kPasses) {
    ++position;
    const passes::PassEntry* pass = passes::find_pass(name);
    if (pass == nullptr) throw vkrun::Error(std::string("there is no pass ") + name);
    pass->run(module, context);
    const std::string label = std::string("after IR pass ") + std::to_string(position) + ", " + name + ": ";
    if (Result<void> valid = ir::verify(module); !valid) return label + valid.error().message;
    try {
      const auto difference =
          vkrun::compare_runs(manifest, expected, interpret(module, program, manifest, subgroup_size));
      if (difference) return label + *difference;
    } catch (const vkrun::Error& error) {
      return label + error.what();
    }
  }
  return std::nullopt;
}

/// A file that lives as long as this.
class TemporaryFile {
 public:
  TemporaryFile() : file_(mkstemp(path_)) {
    if (file_ < 0) throw vkrun::Error("cannot make a temporary file");
  }
  ~TemporaryFile() {
    close(file_);
    std::remove(path_);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_; }
  void write_words(const Words& words) {
    const size_t size = words.size() * 4;
    if (write(file_, words.data(), size) != static_cast<ssize_t>(size)) throw vkrun::Error("cannot write words");
  }

 private:
  char path_[32] = "/tmp/spalt_random_XXXXXX";
  int file_;
};

void validate(const Words& words) {
  TemporaryFile file;
  file.write_words(words);
  const std::string command = "spirv-val --target-env vulkan1.3 " + file.path();
  if (std::system(command.c_str()) != 0) throw vkrun::Error("spirv-val rejects the program");
}

/// The sizes of subgroups that make a difference, each with what is right then.
class Expected {
 public:
  Expected(const Program& program, const Manifest& manifest, const std::vector<uint32_t>& waves) {
    CompileContext context;
    const ir::Module module = read_module(program.words, context);
    const std::vector<uint32_t> all = {kAnySize};
    for (const uint32_t size : program.has_subgroups ? waves : all) {
      contents_[size] = interpret(module, program, manifest, size);
    }
  }

  const BufferContents& of(uint32_t wave) const {
    const auto found = contents_.find(wave);
    return found == contents_.end() ? contents_.begin()->second : found->second;
  }
  const std::map<uint32_t, BufferContents>& all() const { return contents_; }

 private:
  std::map<uint32_t, BufferContents> contents_;
};

}  // namespace

Oracles::Oracles(const OracleOptions& options) : options_(options) {
  if (options.vulkan) vulkan_ = std::make_unique<vkrun::VulkanRunner>();
}

/// What runs without subgroup operations differ in. The driver's subgroups are its own, so it runs what has none.
std::optional<std::string> Oracles::judge(const Program& program, const Manifest& manifest, uint32_t size,
                                          const BufferContents& expected, bool excuse) {
  if (program.has_subgroups && !program.rewrite) return std::nullopt;
  Form form;
  if (program.has_subgroups) form.subgroup_size = size;
  const Words words = program.has_subgroups ? program.rewrite(form) : program.words;
  const std::string who = program.has_subgroups ? " with subgroups of " + std::to_string(size) + ": " : ": ";
  if (!vulkan_ && !program.has_subgroups) return std::nullopt;
  try {
    if (options_.validate && program.has_subgroups) validate(words);
    if (!vulkan_) {
      CompileContext context;
      const ir::Module module = read_module(words, context);
      const auto difference = vkrun::compare_runs(manifest, expected, interpret(module, program, manifest, kAnySize));
      return difference ? std::optional("twin" + who + *difference) : std::nullopt;
    }
    const auto run = [&](const Words& some) {
      return vkrun::compare_runs(manifest, expected, vulkan_->run(manifest, {{kShader, some}}));
    };
    const auto difference = run(words);
    if (!difference) return std::nullopt;
    form.careful = true;
    const auto alone = program.rewrite ? std::optional(program.rewrite(form)) : one_lane_at_a_time(words);
    const bool is_excused = excuse && alone && !run(*alone);
    return (is_excused ? kDriverDiffers : "") + ("driver" + who) + *difference;
  } catch (const std::exception& error) {
    return "driver" + who + error.what();
  }
}

std::optional<std::string> Oracles::check(const Program& program) {
  const Manifest manifest = manifest_of(program);
  const vkrun::ShaderWords shaders = {{kShader, program.words}};
  std::string complaint;
  const auto complain = [&](const std::string& what) {
    if (!complaint.empty()) complaint += "; ";
    complaint += what;
  };
  try {
    if (options_.validate) validate(program.words);
    const Expected expected(program, manifest, options_.waves);
    // Each against the interpreter: who is alone with a result is seen in the list.
    for (const std::string& target : options_.targets) {
      for (const uint32_t wave : options_.waves) {
        // Every other program runs in the other mode where the target has two.
        run::SpaltOptions configuration{target, wave, program.seed % 2 != 0, options_.verify};
        configuration.limits = options_.limits;
        configuration.fast = options_.fast;
        if (!run::is_supported(configuration)) configuration.wgp_mode = false;
        if (!run::is_supported(configuration)) continue;
        const std::string who = target + " wave" + std::to_string(wave) + ": ";
        try {
          const BufferContents contents = run::run_on_spalt(manifest, shaders, configuration);
          if (const auto difference = vkrun::compare_runs(manifest, expected.of(wave), contents)) {
            complain(who + *difference);
          }
        } catch (const std::exception& error) {
          complain(who + error.what());
        }
      }
    }
    const bool compiled_agree = complaint.empty();
    std::string excused;
    for (const auto& [size, contents] : expected.all()) {
      const auto difference = judge(program, manifest, size, contents, compiled_agree);
      if (!difference) continue;
      difference->starts_with(kDriverDiffers) ? void(excused = *difference) : complain(*difference);
    }
    if (complaint.empty() && !excused.empty()) return excused;
    if (options_.passes || !complaint.empty()) {
      for (const auto& [size, contents] : expected.all()) {
        if (const auto guilty = guilty_pass(program, manifest, contents, size)) complain("IR: " + *guilty);
      }
    }
  } catch (const std::exception& error) {
    complain(std::string("program: ") + error.what());
  }
  if (complaint.empty()) return std::nullopt;
  return complaint;
}

}  // namespace spalt::random_programs
