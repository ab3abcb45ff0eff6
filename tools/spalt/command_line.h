// SPDX-License-Identifier: MIT
//
// What a subcommand says about its options. CLI11 does the work in command_line.cpp, the one file that includes it:
// reading its headers takes ten seconds.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's
class App;
class Option;
}  // namespace CLI

namespace spalt_tool {

/// An option that was just declared; what is said about it may be chained.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option& option) : option_(&option) {}
  CommandOption& required();
  /// The help names the value that the variable has now.
  CommandOption& show_default();
  CommandOption& one_of(std::initializer_list<const char*> values);

 private:
  CLI::Option* option_;
};

/// One subcommand. Variables given to it are filled before the command runs and must live until then.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}
  /// `names` are "--name", "-n,--name" or, for what stands without dashes, "name".
  CommandOption add_option(const char* names, std::string& value, const std::string& help);
  CommandOption add_option(const char* names, uint32_t& value, const std::string& help);
  CommandOption add_option(const char* names, uint64_t& value, const std::string& help);
  CommandOption add_option(const char* names, std::optional<uint32_t>& value, const std::string& help);
  CommandOption add_option(const char* names, std::optional<uint64_t>& value, const std::string& help);
  CommandOption add_option(const char* names, std::vector<std::string>& values, const std::string& help);
  /// May be given several times, with one value each; the next word is not taken for another value.
  CommandOption add_repeated(const char* names, std::vector<std::string>& values, const std::string& help);
  void add_flag(const char* names, bool& value, const std::string& help);

 private:
  CLI::App* app_;
};

class CommandLine {
 public:
  CommandLine(const char* description, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  /// `run` is called when the command line names this command; its result is the exit code of the program.
  Command add_command(const char* name, const char* help, std::function<int()> run);
  /// Parses, runs the command that was named and returns its exit code; `usage_error` when the line is malformed.
  int run(int argc, char** argv, int usage_error);

 private:
  std::unique_ptr<CLI::App> app_;
  int exit_code_ = 0;
};

}  // namespace spalt_tool
