// SPDX-License-Identifier: MIT
#include "shader_source.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "manifest.h"

extern char** environ;

namespace spalt::vkrun {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for every translation, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "vkrun.XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw Error("cannot make a temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

/// Runs a tool with stdout and stderr in `log`; throws Error with the log unless it exits with 0.
void run_tool(std::vector<std::string> arguments, const std::string& log) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw Error("cannot run " + arguments[0]);

  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Error(arguments[0] + " failed: " + read_text(log));
}

std::vector<uint32_t> read_words(const std::string& path) {
  const std::string bytes = read_text(path);
  if (bytes.empty() || bytes.size() % 4 != 0) throw Error(path + " is not a SPIR-V file");
  std::vector<uint32_t> words(bytes.size() / 4);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data()));
  return words;
}

}  // namespace

std::vector<uint32_t> load_shader(const std::string& path, Variant variant) {
  if (!fs::exists(path)) throw Error("cannot open " + path);
  const TemporaryFolder folder;
  const std::string log = folder.file("log");
  const std::string suffix = fs::path(path).extension().string();
  std::string spirv = path;
  if (suffix == ".comp") {
    spirv = folder.file("shader.spv");
    std::vector<std::string> command = {"glslangValidator", "-V", "--target-env", "vulkan1.3", "-o", spirv, path};
    if (variant == Variant::Debug) command.insert(command.begin() + 1, "-g");
    run_tool(command, log);
  } else if (suffix == ".spvasm") {
    spirv = folder.file("shader.spv");
    run_tool({"spirv-as", "--target-env", "vulkan1.3", "--preserve-numeric-ids", path, "-o", spirv}, log);
  } else if (suffix != ".spv") {
    throw Error(path + ": expected a .comp, .spvasm or .spv file");
  }
  if (variant == Variant::Optimized) {
    const std::string optimized = folder.file("optimized.spv");
    run_tool({"spirv-opt", "--target-env=vulkan1.3", "--scalar-block-layout", "-O", spirv, "-o", optimized}, log);
    spirv = optimized;
  }
  run_tool({"spirv-val", "--target-env", "vulkan1.3", "--scalar-block-layout", spirv}, log);
  return read_words(spirv);
}

}  // namespace spalt::vkrun
