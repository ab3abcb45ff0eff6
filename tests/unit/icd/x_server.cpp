// SPDX-License-Identifier: MIT
#include "x_server.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace spalt::icd::test {
namespace {

constexpr int kPatience = 60'000;  // milliseconds

/// A line without its end, or nothing: the other side has closed, or time is up.
std::string read_line(int file) {
  std::string line;
  for (char byte = 0; byte != '\n';) {
    pollfd ready{file, POLLIN, 0};
    if (poll(&ready, 1, kPatience) <= 0 || read(file, &byte, 1) != 1) return {};
    if (byte != '\n') line += byte;
  }
  return line;
}

}  // namespace

XServer::XServer(const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe(ends) != 0) return;
  std::vector<std::string> words = {
      "Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0", "1280x1024x24", "-noreset", "-nolisten", "tcp"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  if (posix_spawnp(&process_, "Xvfb", &actions, nullptr, argv.data(), environ) != 0) process_ = -1;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  const std::string number = process_ < 0 ? "" : read_line(ends[0]);
  close(ends[0]);
  if (!number.empty()) display_ = ":" + number;
}

XServer::~XServer() {
  if (process_ < 0) return;
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

}  // namespace spalt::icd::test
