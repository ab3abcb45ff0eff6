// SPDX-License-Identifier: MIT
#include "compiler.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

extern char** environ;

namespace spalt::opencl {
namespace {

// Fusing would make results depend on the optimization level.
const std::vector<std::string> kCommon = {
    SPALT_CLANG, "-x", "cl", "-cl-std=CL2.0", "-ffp-contract=off", "-Wno-psabi", "-Wno-pass-failed"};

std::string read_text(const std::string& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Runs a command; throws with what it printed when it fails.
void run(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  posix_spawn_file_actions_adddup2(&actions, 2, 1);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start " + command[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error(command[0] + " failed: " + read_text(log).substr(0, 4000));
}

/// The number in the name of a device library: 1030 for gfx1030; the last two characters are hexadecimal digits.
std::string isa_name(const std::string& target) {
  return target.substr(3);
}

/// `__oclc_ISA_version` as the device libraries define it: 10300 for gfx1030.
std::string isa_version(const std::string& target) {
  const std::string digits = isa_name(target);
  const size_t split = digits.size() - 2;
  const int major = std::stoi(digits.substr(0, split)), minor = std::stoi(digits.substr(split, 1), nullptr, 16),
            stepping = std::stoi(digits.substr(split + 1), nullptr, 16);
  return std::to_string(major * 1000 + minor * 100 + stepping);
}

/// The device library with the facts about the processor; made here for those that are newer than the package.
std::string isa_library(const std::string& target, const std::string& folder) {
  const std::string packaged = std::string(SPALT_DEVICE_LIBS) + "/oclc_isa_version_" + isa_name(target) + ".bc";
  if (std::filesystem::exists(packaged)) return packaged;
  const std::string source = folder + "/isa_version.cl", output = folder + "/isa_version.bc";
  std::ofstream(source) << "__constant const int __oclc_ISA_version = " << isa_version(target) << ";\n";
  run({SPALT_CLANG, "-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-nogpulib", "-Xclang",
       "-mcode-object-version=none", "-emit-llvm", "-c", source, "-o", output},
      folder + "/isa.log");
  return output;
}

bool has(const std::vector<std::string>& options, const std::string& option) {
  return std::find(options.begin(), options.end(), option) != options.end();
}

std::vector<std::string> device_libraries(const KernelFile& file, const Configuration& configuration,
                                          const std::string& folder) {
  const bool exact = has(file.options, "-cl-fp32-correctly-rounded-divide-sqrt");
  std::vector<std::string> libraries;
  for (const std::string& name :
       {std::string("opencl"), std::string("ocml"), std::string("ockl"), std::string("oclc_daz_opt_off"),
        std::string("oclc_unsafe_math_off"), std::string("oclc_finite_only_off"),
        std::string("oclc_correctly_rounded_sqrt_") + (exact ? "on" : "off"),
        std::string("oclc_wavefrontsize64_") + (configuration.wave == 64 ? "on" : "off"),
        std::string("oclc_abi_version_500")}) {
    libraries.push_back(std::string(SPALT_DEVICE_LIBS) + "/" + name + ".bc");
  }
  libraries.push_back(isa_library(configuration.target, folder));
  return libraries;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  char name[] = "/tmp/spalt-opencl-XXXXXX";
  if (mkdtemp(name) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  path_ = name;
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void compile_for_device(const KernelFile& file, const Configuration& configuration, const std::string& folder,
                        const std::string& output) {
  std::vector<std::string> command = kCommon;
  command.insert(command.end(), {"-target", "amdgcn-amd-amdhsa", "-mcpu=" + configuration.target,
                                 configuration.optimization, "-mcode-object-version=5", "-nogpulib"});
  if (configuration.wave == 64) command.emplace_back("-mwavefrontsize64");
  for (const std::string& library : device_libraries(file, configuration, folder)) {
    command.insert(command.end(), {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", library});
  }
  command.insert(command.end(), configuration.options.begin(), configuration.options.end());
  command.insert(command.end(), file.options.begin(), file.options.end());
  command.insert(command.end(), {file.path, "-o", output});
  run(command, folder + "/device.log");
}

void compile_for_host(const KernelFile& file, const std::string& output) {
  std::vector<std::string> command = kCommon;
  command.insert(command.end(), {"-O1", "-fPIC", "-shared", "-DSPALT_HOST"});
  command.insert(command.end(), file.options.begin(), file.options.end());
  command.insert(command.end(), {file.path, "-x", "none", SPALT_HOST_BUILTINS, "-Wl,--gc-sections", "-o", output});
  run(command, output + ".log");
}

}  // namespace spalt::opencl
