// SPDX-License-Identifier: MIT
#include "shader_input.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

extern char** environ;

namespace spalt_tool {
namespace {

/// A file name in a fresh private directory, removed with it.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "spalt-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) directory_ = pattern;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  bool ok() const { return !directory_.empty(); }
  std::string path(const char* name) const { return directory_ + "/" + name; }

 private:
  std::string directory_;
};

/// Runs a program with its output in `log`; true if it exits with 0.
bool run(const std::vector<std::string>& arguments, const std::string& log, std::string& error) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t pid = 0;
  const int code = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) {
    error = arguments[0] + " cannot be started: " + std::strerror(code);
    return false;
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  std::ifstream text(log);
  error = std::string(std::istreambuf_iterator<char>(text), {});
  if (error.empty()) error = arguments[0] + " failed";
  return false;
}

bool to_words(const std::vector<uint8_t>& bytes, const std::string& path, std::vector<uint32_t>& words,
              std::string& error) {
  if (bytes.size() % 4 != 0) {
    error = path + ": not a whole number of SPIR-V words";
    return false;
  }
  words.resize(bytes.size() / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return true;
}

}  // namespace

bool read_file(const std::string& path, std::vector<uint8_t>& bytes, std::string& error) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    error = path + ": cannot be read";
    return false;
  }
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  return true;
}

bool write_file(const std::string& path, const void* data, size_t size, std::string& error) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  file.close();
  if (file) return true;
  error = path + ": cannot be written";
  return false;
}

bool load_shader(const std::string& path, std::vector<uint32_t>& words, std::string& error) {
  std::vector<uint8_t> bytes;
  if (!std::filesystem::exists(path)) {
    error = path + ": no such file";
    return false;
  }
  if (path.ends_with(".spv")) return read_file(path, bytes, error) && to_words(bytes, path, words, error);
  const TemporaryFile temporary;
  if (!temporary.ok()) {
    error = "no temporary directory can be made";
    return false;
  }
  const std::string binary = temporary.path("shader.spv"), log = temporary.path("log");
  const std::vector<std::string> assemble{"spirv-as", "--target-env", "spv1.6", path, "-o", binary};
  const std::vector<std::string> compile{"glslangValidator", "-V", "--target-env", "vulkan1.3", "-o", binary, path};
  if (!run(path.ends_with(".spvasm") ? assemble : compile, log, error)) return false;
  return read_file(binary, bytes, error) && to_words(bytes, path, words, error);
}

}  // namespace spalt_tool
