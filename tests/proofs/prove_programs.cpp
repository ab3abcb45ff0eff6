// SPDX-License-Identifier: MIT
// Proves what the IR passes of the driver's pipeline and selection do to real programs: files of shaders, and the
// random ones of tests/random. Prints what became of each program, then the sums by pass. A difference fails the run.
#include <z3++.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "amdgpu/isa/target.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/select/select.h"
#include "analysis/divergence.h"
#include "driver/pipeline.h"
#include "ir/printer.h"
#include "prove/prove_select.h"
#include "random/program.h"
#include "spirv/module/walk.h"
#include "vkrun/shader_source.h"

namespace {

using spalt::driver::Pass;
using spalt::prove::Verdict;
namespace fs = std::filesystem;

constexpr const char* kUsage =
    "usage: prove_programs [options] [FILE | FOLDER]...\n"
    "  FILE, FOLDER     shaders: .comp, .vert, .frag, .spvasm, .spv; of folders all of them\n"
    "  --count N        that many random programs (tests/random), N = 0 if nothing is said\n"
    "  --first SEED     the first of them; 1\n"
    "  --widths         with numbers of 8, 16 and 64 bits\n"
    "  --parts          with widths, memory of other widths, pointers and subgroups\n"
    "  --share I/N      every Nth program only, from the Ith\n"
    "  --pass NAME      this pass only; may be said several times; select is the last one\n"
    "  --timeout MS     for one question to the solver; 1000\n"
    "  --total MS       for all questions about one function; 4000\n"
    "  --most N         functions with more instructions are refused; 500\n"
    "  --target NAME    gfx1030\n"
    "  --wave 32|64     of selected code; 32\n"
    "  --keep FOLDER    for the IR around each pass that is not proved\n"
    "  --quiet          nothing about programs without a difference\n";

constexpr int kMaxSolverMegabytes = 1500;

/// Passes whose two sides have no formulas in common, and why.
const std::map<Pass, const char*> kIncomparable = {
    {Pass::lower_interface, "built-ins, inputs, outputs and bindings become registers, exports and descriptors"},
    {Pass::lower_images, "operations on images become others"},
    {Pass::lower_samples, "operations on images become others"},
    {Pass::lower_image_halves, "operations on images become others"},
    {Pass::lower_scans, "what comes from other lanes is an unknown function of each operation"},
    {Pass::lower_shuffles, "what comes from other lanes is an unknown function of each operation"},
    {Pass::reduce_uniform_atomics, "atomic operations become others"},
    {Pass::lower_float_atomics, "atomic operations become loops"},
    {Pass::make_descriptors_uniform, "the loops are others afterwards"},
    {Pass::zero_workgroup_memory, "stores and a barrier are added"},
};

struct Options {
  uint64_t first = 1, count = 0;
  spalt::random_programs::Parts parts;
  std::vector<std::string> paths;
  size_t share = 0, shares = 1;
  std::set<Pass> passes;
  spalt::prove::ProveOptions prove = {1000, 4000, spalt::driver::Options().max_workgroups};
  size_t most = 500;
  std::string target = "gfx1030", keep;
  unsigned wave_size = 32;
  bool quiet = false;
};

size_t read_number(const std::string& text) {
  size_t used = 0;
  const size_t number = std::stoul(text, &used);
  if (used != text.size()) throw std::runtime_error("'" + text + "' is no number");
  return number;
}

Options read_options(int argc, char** argv) {
  Options options;
  int i = 1;
  const auto value = [&]() -> std::string {
    if (i + 1 >= argc) throw std::runtime_error(std::string(argv[i]) + " needs a value");
    return argv[++i];
  };
  for (; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--count") {
      options.count = read_number(value());
    } else if (word == "--first") {
      options.first = read_number(value());
    } else if (word == "--widths") {
      options.parts.widths = true;
    } else if (word == "--parts") {
      options.parts = {true, true, true, true};
    } else if (word == "--share") {
      const std::string text = value();
      const size_t slash = text.find('/');
      if (slash == std::string::npos) throw std::runtime_error("--share is I/N");
      options.share = read_number(text.substr(0, slash)) - 1;
      options.shares = read_number(text.substr(slash + 1));
      if (options.share >= options.shares) throw std::runtime_error("there is no share " + text);
    } else if (word == "--pass") {
      const std::string name = value();
      const std::optional<Pass> pass = spalt::driver::find_pass(name);
      if (!pass) throw std::runtime_error("there is no pass " + name);
      options.passes.insert(*pass);
    } else if (word == "--timeout") {
      options.prove.timeout_ms = static_cast<unsigned>(read_number(value()));
    } else if (word == "--total") {
      options.prove.total_ms = static_cast<unsigned>(read_number(value()));
    } else if (word == "--most") {
      options.most = read_number(value());
    } else if (word == "--target") {
      options.target = value();
    } else if (word == "--wave") {
      options.wave_size = static_cast<unsigned>(read_number(value()));
    } else if (word == "--keep") {
      options.keep = value();
    } else if (word == "--quiet") {
      options.quiet = true;
    } else if (word.starts_with("--")) {
      throw std::runtime_error("there is no option " + word);
    } else {
      options.paths.push_back(word);
    }
  }
  return options;
}

/// Steps of a pass by their verdicts.
struct Tally {
  std::array<size_t, 4> verdicts{};
  size_t same = 0;  ///< that changed nothing

  void add(const Tally& other) {
    for (size_t i = 0; i < verdicts.size(); ++i) verdicts[i] += other.verdicts[i];
    same += other.same;
  }
  size_t of(Verdict verdict) const { return verdicts[static_cast<size_t>(verdict)]; }
  std::string text() const {
    return std::to_string(of(Verdict::equal)) + " proved, " + std::to_string(of(Verdict::different)) + " differ, " +
           std::to_string(of(Verdict::undecided)) + " undecided, " + std::to_string(of(Verdict::refused)) + " refused";
  }
};

struct EntryPoint {
  spalt::ir::ShaderStage stage;
  std::string name;
};

/// Those of stages that the compiler has.
std::vector<EntryPoint> entry_points(const std::vector<uint32_t>& words) {
  const std::map<uint32_t, spalt::ir::ShaderStage> stages = {
      {spv::ExecutionModelVertex, spalt::ir::ShaderStage::vertex},
      {spv::ExecutionModelFragment, spalt::ir::ShaderStage::fragment},
      {spv::ExecutionModelGLCompute, spalt::ir::ShaderStage::compute}};
  std::vector<EntryPoint> found;
  (void)spalt::spirv::walk_module(words, [&](const spalt::spirv::Instruction& in) {
    std::string_view name;
    if (in.opcode != spv::OpEntryPoint || !spalt::spirv::literal_string(in, 3, name)) return;
    const auto stage = stages.find(in[1]);
    if (stage != stages.end()) found.push_back({stage->second, std::string(name)});
  });
  return found;
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options), target_(spalt::isa::find_target(options.target)) {
    if (target_ == nullptr) throw std::runtime_error("there is no target " + options.target);
    if (!options.keep.empty()) fs::create_directories(options.keep);
  }

  void program(const std::string& name, const std::vector<uint32_t>& words) {
    if (position_++ % options_.shares != options_.share) return;
    for (const EntryPoint& entry : entry_points(words)) stage(name, words, entry);
  }

  /// The sums, and what main returns.
  int finish() const {
    Tally all;
    std::printf("%-42s %8s %8s %10s %8s %10s\n", "pass", "proved", "differ", "undecided", "refused", "unchanged");
    for (const auto& [pass, tally] : passes_) {
      all.add(tally);
      std::printf("%-42s %8zu %8zu %10zu %8zu %10zu\n", spalt::driver::pass_name(pass), tally.of(Verdict::equal),
                  tally.of(Verdict::different), tally.of(Verdict::undecided), tally.of(Verdict::refused), tally.same);
    }
    for (const auto& [reason, count] : refusals_) std::printf("selection: %zu refused, %s\n", count, reason.c_str());
    std::printf("%zu stages, %zu not compiled: %s, %zu unchanged\n", stages_, not_compiled_, all.text().c_str(),
                all.same);
    return all.of(Verdict::different) == 0 && stages_ != not_compiled_ ? 0 : 1;
  }

 private:
  void stage(const std::string& name, const std::vector<uint32_t>& words, const EntryPoint& entry) {
    ++stages_;
    spalt::CompileContext context;
    spalt::driver::Options options;
    options.target = target_;
    options.stage = entry.stage;
    options.entry_point = entry.name;
    options.stop_after = Pass::close_loops;
    options.wave_size = options_.wave_size;
    if (entry.stage != spalt::ir::ShaderStage::compute) {
      spalt::driver::GraphicsPipelineFacts graphics;
      graphics.derive_attributes = true;
      options.pipeline = graphics;
    }
    Tally tally;
    std::optional<spalt::ir::Module> before;
    std::string text;
    options.watch = [&](Pass pass, const spalt::ir::Module& module) {
      std::string now = spalt::ir::print(module);
      if (before && (options_.passes.empty() || options_.passes.contains(pass))) {
        const Tally one = step(name, pass, *before, module, text == now);
        tally.add(one);
        passes_[pass].add(one);
      }
      before.emplace(module);
      text = std::move(now);
      if (pass != Pass::close_loops || (!options_.passes.empty() && !options_.passes.contains(Pass::select))) return;
      const Tally one = selection(name, module);
      tally.add(one);
      passes_[Pass::select].add(one);
    };
    spalt::driver::Diagnostics diagnostics;
    const auto output = spalt::driver::compile(words, options, diagnostics, context);
    if (!output) ++not_compiled_;
    if (options_.quiet) return;
    std::printf("%s: %s\n", name.c_str(), output ? tally.text().c_str() : output.error().message.c_str());
    std::fflush(stdout);
  }

  Tally step(const std::string& name, Pass pass, const spalt::ir::Module& before, const spalt::ir::Module& after,
             bool same) {
    Tally tally;
    if (same) {
      tally.same = 1;
      return tally;
    }
    spalt::prove::Proof proof;
    const auto reason = kIncomparable.find(pass);
    // The first function is the entry point; the others went into it.
    if (reason != kIncomparable.end()) {
      proof.text = reason->second;
    } else if (std::max(size(before), size(after)) > options_.most) {
      proof.text = "it is too large";
    } else {
      proof = spalt::prove::prove_function(before, after, 0, options_.prove);
    }
    ++tally.verdicts[static_cast<size_t>(proof.verdict)];
    if (proof.verdict == Verdict::different) {
      std::printf("%s differs after %s\n%s", name.c_str(), spalt::driver::pass_name(pass), proof.text.c_str());
    }
    if (proof.verdict == Verdict::different || proof.verdict == Verdict::undecided)
      keep(name, pass, before, after, proof);
    return tally;
  }

  Tally selection(const std::string& name, const spalt::ir::Module& module) {
    Tally tally;
    spalt::prove::Proof proof;
    if (size(module) > options_.most) {
      proof.text = "it is too large";
    } else {
      const spalt::ir::Function& entry = module.functions[0];
      spalt::CompileContext context;
      spalt::analysis::AnalysisCache analyses(entry, &context.arena);
      const auto divergence = spalt::analysis::analyze_divergence(entry, module, analyses, context);
      spalt::select::SelectConfig config;
      config.wave_size = options_.wave_size;
      // Where the scratch descriptor comes from makes no difference to a proof.
      config.scratch = {spalt::isa::sgpr(0), 0, spalt::isa::sgpr(15)};
      const auto selected =
          spalt::select::select_function(module, divergence, analyses.loops(), *target_, config, context);
      if (!selected) throw std::runtime_error(selected.error().message);
      std::vector<bool> divergent(entry.value_capacity());
      for (uint32_t i = 0; i < divergent.size(); ++i) divergent[i] = divergence.divergent(spalt::ir::Value(i));
      proof = spalt::prove::prove_select(module, divergent, *selected, options_.prove);
      if (proof.verdict != Verdict::equal && !options_.keep.empty()) {
        keep_text(name, Pass::select, proof, spalt::ir::print(module), spalt::mir::print(*selected));
      }
    }
    ++tally.verdicts[static_cast<size_t>(proof.verdict)];
    if (proof.verdict == Verdict::different) {
      std::printf("%s differs after selection\n%s", name.c_str(), proof.text.c_str());
    }
    if (proof.verdict == Verdict::refused) ++refusals_[proof.text];
    return tally;
  }

  static size_t size(const spalt::ir::Module& module) {
    size_t count = 0;
    const spalt::ir::Function& function = module.functions[0];
    for (const spalt::ir::BlockId block : function.layout()) {
      for (const spalt::ir::Value value : insts(function, block)) count += value.valid() ? 1 : 0;
    }
    return count;
  }

  void keep(const std::string& name, Pass pass, const spalt::ir::Module& before, const spalt::ir::Module& after,
            const spalt::prove::Proof& proof) const {
    if (!options_.keep.empty()) keep_text(name, pass, proof, spalt::ir::print(before), spalt::ir::print(after));
  }
  void keep_text(const std::string& name, Pass pass, const spalt::prove::Proof& proof, const std::string& before,
                 const std::string& after) const {
    const std::array<const char*, 4> verdicts = {"proved", "differs", "undecided", "refused"};
    const std::string file = options_.keep + "/" + fs::path(name).filename().string() + "." +
                             spalt::driver::pass_name(pass) + "." + verdicts[static_cast<size_t>(proof.verdict)];
    std::ofstream(file) << proof.text << "\nbefore it:\n" << before << "after it:\n" << after;
  }

  const Options& options_;
  const spalt::isa::Target* target_;
  std::map<Pass, Tally> passes_;
  std::map<std::string, size_t> refusals_;  ///< of selection, by reason
  size_t position_ = 0, stages_ = 0, not_compiled_ = 0;
};

bool is_shader(const fs::path& path) {
  const std::string ending = path.extension().string();
  constexpr std::array kEndings = {".comp", ".vert", ".frag", ".spvasm", ".spv"};
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

std::vector<std::string> shader_files(const std::string& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (is_shader(entry.path())) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

int run(const Options& options) {
  Run run(options);
  for (const std::string& path : options.paths) {
    for (const std::string& file : shader_files(path)) {
      run.program(file, spalt::vkrun::load_shader(file, spalt::vkrun::Variant::Plain));
    }
  }
  for (uint64_t seed = options.first; seed < options.first + options.count; ++seed) {
    run.program("random " + std::to_string(seed), spalt::random_programs::generate(seed, options.parts).words);
  }
  return run.finish();
}

}  // namespace

int main(int argc, char** argv) {
  // A question that needs more is not decided.
  z3::set_param("memory_max_size", kMaxSolverMegabytes);
  try {
    const Options options = read_options(argc, argv);
    if (options.paths.empty() && options.count == 0) throw std::runtime_error("no programs are named");
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n%s", error.what(), kUsage);
    return 2;
  }
}
