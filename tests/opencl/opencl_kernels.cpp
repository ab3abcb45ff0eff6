// SPDX-License-Identifier: MIT
//
// opencl_kernels: compiles every kernel file with clang-19 for each configuration, runs the kernels on the emulator and
// compares with what the same source computes when compiled for this machine.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "compiler.h"
#include "coverage.h"
#include "data.h"
#include "device_runner.h"
#include "host_runner.h"
#include "kernel_spec.h"
#include "process_pool.h"

namespace {

using namespace spalt::opencl;
using spalt::run::ProcessPool;
using spalt::run::TaskOutcome;

constexpr const char* kUsage =
    "usage: opencl_kernels [FILE.cl | FOLDER]... [options]\n"
    "  --filter TEXT    only files and kernels whose \"file/kernel\" contains TEXT\n"
    "  --target NAME    only this processor\n"
    "  --wave 32|64     only this wave size\n"
    "  --opt 0|1|3      only this optimization level\n"
    "  --share N/M      only every M-th pair of file and configuration, starting with the N-th (1 <= N <= M)\n"
    "  --hierarchy SEED in the memory hierarchy mode of the emulator\n"
    "  --trace KERNEL   only the kernels of that name, with every instruction and the registers that it changed\n"
    "  --coverage       at the end, print which opcodes passing kernels executed and which nobody did\n"
    "  --jobs N         processes at a time (default: one for each processor)\n"
    "  --timeout SECONDS  for one file and configuration (default: 300)\n";

/// What is compiled for each processor.
const std::vector<Configuration>& all_configurations() {
  // Scratch by scratch instructions instead of buffer ones, and all waves of a group on one compute unit.
  static const std::vector<std::string> flat_scratch = {"-Xclang", "-target-feature", "-Xclang", "+enable-flat-scratch",
                                                        "-mcumode"};
  static const std::vector<Configuration> all = {
      {"gfx1030", 32, "-O0", {}, ""},
      {"gfx1030", 32, "-O3", {}, ""},
      {"gfx1030", 64, "-O0", {}, ""},
      {"gfx1030", 64, "-O3", {}, ""},
      {"gfx1030", 64, "-O1", flat_scratch, " flat scratch"},
      {"gfx1010", 32, "-O0", {}, ""},
      {"gfx1010", 32, "-O3", {}, ""},
      {"gfx1010", 64, "-O0", {}, ""},
      {"gfx1010", 64, "-O3", {}, ""},
      {"gfx900", 64, "-O0", {}, ""},
      {"gfx900", 64, "-O3", {}, ""},
      {"gfx906", 64, "-O0", {}, ""},
      {"gfx906", 64, "-O3", {}, ""},
      {"gfx1100", 32, "-O0", {}, ""},
      {"gfx1100", 32, "-O3", {}, ""},
      {"gfx1100", 64, "-O0", {}, ""},
      {"gfx1100", 64, "-O3", {}, ""},
      {"gfx1150", 32, "-O0", {}, ""},
      {"gfx1150", 32, "-O3", {}, ""},
      {"gfx1150", 64, "-O0", {}, ""},
      {"gfx1150", 64, "-O3", {}, ""},
      {"gfx1200", 32, "-O0", {}, ""},
      {"gfx1200", 32, "-O3", {}, ""},
      {"gfx1200", 64, "-O0", {}, ""},
      {"gfx1200", 64, "-O3", {}, ""},
  };
  return all;
}

struct Options {
  std::vector<std::string> paths;
  std::string filter, target, optimization, trace;
  std::optional<uint64_t> hierarchy_seed;
  unsigned wave = 0;
  size_t share_first = 1, share_of = 1;
  bool coverage = false;
  size_t jobs = std::max(1u, std::thread::hardware_concurrency());
  double timeout = 300.0;
};

std::vector<Configuration> configurations(const Options& options) {
  std::vector<Configuration> wanted;
  for (const Configuration& row : all_configurations()) {
    if (!options.target.empty() && options.target != row.target) continue;
    if (options.wave != 0 && options.wave != row.wave) continue;
    if (!options.optimization.empty() && "-O" + options.optimization != row.optimization) continue;
    wanted.push_back(row);
  }
  return wanted;
}

// ---- what the host step hands to the others across a process boundary: the final buffers of all kernels ----

using HostResults = std::vector<std::vector<Bytes>>;

std::string serialize(const HostResults& results) {
  std::string out;
  for (const auto& buffers : results) {
    for (const Bytes& bytes : buffers) out.append(bytes.begin(), bytes.end());
  }
  return out;
}

HostResults deserialize(const KernelFile& file, const std::string& in) {
  HostResults results;
  size_t at = 0;
  for (const KernelSpec& kernel : file.kernels) {
    results.push_back(initial_buffers(kernel));
    for (Bytes& bytes : results.back()) {
      if (at + bytes.size() > in.size()) throw std::runtime_error("the host step returned too little");
      std::memcpy(bytes.data(), in.data() + at, bytes.size());
      at += bytes.size();
    }
  }
  return results;
}

std::string run_host_step(const KernelFile& file) {
  const TemporaryFolder folder;
  const std::string library = folder.path() + "/host.so";
  compile_for_host(file, library);
  HostResults results;
  for (const KernelSpec& kernel : file.kernels) {
    results.push_back(initial_buffers(kernel));
    run_on_host(library, kernel, results.back());
  }
  return serialize(results);
}

/// One line for each kernel, "PASS name" or "FAIL name: why", and "EXECUTED opcode..." of those that passed.
std::string run_device_step(const KernelFile& file, const Configuration& configuration, const HostResults& host,
                            const RunMode& mode) {
  const TemporaryFolder folder;
  const std::string elf = folder.path() + "/kernels.elf";
  compile_for_device(file, configuration, folder.path(), elf);
  const spalt::object::HsaObject object = load_code_object(elf);
  std::string out, executed = "EXECUTED";
  for (size_t i = 0; i < file.kernels.size(); ++i) {
    const KernelSpec& kernel = file.kernels[i];
    if (std::find(kernel.except.begin(), kernel.except.end(), configuration.target) != kernel.except.end()) continue;
    const std::vector<Bytes> inputs = initial_buffers(kernel);
    std::vector<Bytes> buffers = inputs;
    try {
      const ExecutedForms forms = run_on_device(object, kernel, buffers, mode);
      if (const auto difference = compare(kernel, inputs, host[i], buffers)) throw std::runtime_error(*difference);
      for (const auto& form : forms) executed += " " + std::to_string(static_cast<unsigned>(form.first));
      out += "PASS " + kernel.name + "\n";
    } catch (const std::exception& error) {
      out += "FAIL " + kernel.name + ": " + error.what() + "\n";
    }
  }
  return out + executed + "\n";
}

// ---- the whole run ----

class TestRun {
 public:
  explicit TestRun(const Options& options) : options_(options), pool_(options.jobs, options.timeout) {}

  void add(const KernelFile& file, const std::vector<Configuration>& list) {
    pool_.submit([file] { return run_host_step(file); },
                 [this, file, list](const TaskOutcome& outcome) {
                   if (!outcome.failure.empty()) return report(file.name, "host", outcome.failure);
                   const auto host = std::make_shared<HostResults>(deserialize(file, outcome.data));
                   for (const Configuration& configuration : list) add_device(file, configuration, host);
                 });
  }

  /// The exit code.
  int finish() {
    pool_.run();
    if (options_.coverage) std::printf("%s", coverage_.report().c_str());
    std::printf("%zu passed, %zu failed\n", passed_, failed_);
    return failed_ == 0 && passed_ != 0 ? 0 : 1;
  }

 private:
  void add_device(const KernelFile& file, const Configuration& configuration,
                  const std::shared_ptr<const HostResults>& host) {
    const RunMode mode{!options_.trace.empty(), options_.hierarchy_seed};
    pool_.submit([file, configuration, host, mode] { return run_device_step(file, configuration, *host, mode); },
                 [this, file, configuration](const TaskOutcome& outcome) {
                   if (!outcome.failure.empty()) return report(file.name, configuration.label(), outcome.failure);
                   read_results(file, configuration, outcome.data);
                 });
  }

  void read_results(const KernelFile& file, const Configuration& configuration, const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const std::string kind = line.substr(0, line.find(' '));
      const std::string rest = line.size() > kind.size() ? line.substr(kind.size() + 1) : "";
      if (kind == "EXECUTED") {
        std::istringstream numbers(rest);
        const spalt::isa::Target& target = *spalt::isa::find_target(configuration.target);
        for (unsigned opcode = 0; numbers >> opcode;) coverage_.add(target, static_cast<spalt::isa::Opcode>(opcode));
      } else {
        const size_t colon = rest.find(": ");
        report(file.name + "/" + rest.substr(0, colon), configuration.label(),
               kind == "PASS" ? "" : rest.substr(std::min(rest.size(), colon + 2)));
      }
    }
  }

  void report(const std::string& name, const std::string& label, const std::string& failure) {
    ++(failure.empty() ? passed_ : failed_);
    std::printf("%s %s [%s]%s%s\n", failure.empty() ? "PASS" : "FAIL", name.c_str(), label.c_str(),
                failure.empty() ? "" : ": ", failure.c_str());
    std::fflush(stdout);
  }

  const Options& options_;
  ProcessPool pool_;
  Coverage coverage_;
  size_t passed_ = 0, failed_ = 0;
};

// ---- command line ----

void parse_share(const std::string& text, Options& options) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) throw std::runtime_error("--share needs N/M");
  options.share_first = std::stoul(text.substr(0, slash));
  options.share_of = std::stoul(text.substr(slash + 1));
  if (options.share_first == 0 || options.share_first > options.share_of) {
    throw std::runtime_error("--share needs 1 <= N <= M");
  }
}

void parse_value_option(const std::string& name, const std::string& value, Options& options) {
  if (name == "--filter") {
    options.filter = value;
  } else if (name == "--trace") {
    options.trace = value;
    options.jobs = 1;
  } else if (name == "--hierarchy") {
    options.hierarchy_seed = std::stoull(value);
  } else if (name == "--target") {
    options.target = value;
  } else if (name == "--wave") {
    options.wave = static_cast<unsigned>(std::stoul(value));
  } else if (name == "--opt") {
    options.optimization = value;
  } else if (name == "--share") {
    parse_share(value, options);
  } else if (name == "--jobs") {
    options.jobs = std::max(1ul, std::stoul(value));
  } else if (name == "--timeout") {
    options.timeout = std::stod(value);
  } else {
    throw std::runtime_error("unknown option '" + name + "'");
  }
}

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--coverage") {
      options.coverage = true;
    } else if (argument.starts_with("--")) {
      if (i + 1 == argc) throw std::runtime_error(argument + " needs a value");
      parse_value_option(argument, argv[++i], options);
    } else {
      options.paths.push_back(argument);
    }
  }
  if (options.paths.empty()) options.paths.push_back(SPALT_OPENCL_KERNELS);
  return options;
}

std::vector<KernelFile> collect_files(const Options& options) {
  std::vector<std::string> paths;
  for (const std::string& path : options.paths) {
    if (!std::filesystem::is_directory(path)) {
      paths.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() == ".cl") paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<KernelFile> files;
  for (const std::string& path : paths) {
    KernelFile file = load_kernel_file(path);
    std::erase_if(file.kernels, [&](const KernelSpec& kernel) {
      return (file.name + "/" + kernel.name).find(options.filter) == std::string::npos ||
             (!options.trace.empty() && kernel.name != options.trace);
    });
    if (!file.kernels.empty()) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse_options(argc, argv);
    const std::vector<Configuration> all = configurations(options);
    if (all.empty()) throw std::runtime_error("no configuration has that --target, --wave and --opt");
    TestRun run(options);
    size_t number = 0;
    for (const KernelFile& file : collect_files(options)) {
      // Each file starts with another configuration, whatever their number.
      std::vector<Configuration> share;
      for (size_t i = 0; i < all.size(); ++i) {
        if ((number + i) % options.share_of == options.share_first - 1) share.push_back(all[i]);
      }
      ++number;
      if (!share.empty()) run.add(file, share);
    }
    return run.finish();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n%s", error.what(), kUsage);
    return 2;
  }
}
