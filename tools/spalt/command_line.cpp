// SPDX-License-Identifier: MIT
#include "command_line.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace spalt_tool {

CommandOption& CommandOption::required() {
  option_->required();
  return *this;
}
CommandOption& CommandOption::show_default() {
  option_->capture_default_str();
  return *this;
}
CommandOption& CommandOption::one_of(std::initializer_list<const char*> values) {
  option_->check(CLI::IsMember(std::vector<std::string>(values.begin(), values.end())));
  return *this;
}

CommandOption Command::add_option(const char* names, std::string& value, const std::string& help) {
  return CommandOption(*app_->add_option(names, value, help));
}
CommandOption Command::add_option(const char* names, uint32_t& value, const std::string& help) {
  return CommandOption(*app_->add_option(names, value, help));
}
CommandOption Command::add_option(const char* names, uint64_t& value, const std::string& help) {
  return CommandOption(*app_->add_option(names, value, help));
}
CommandOption Command::add_option(const char* names, std::optional<uint32_t>& value, const std::string& help) {
  return CommandOption(*app_->add_option(names, value, help));
}

CommandOption Command::add_option(const char* names, std::optional<uint64_t>& value, const std::string& help) {
  return CommandOption(*app_->add_option(names, value, help));
}
CommandOption Command::add_option(const char* names, std::vector<std::string>& values, const std::string& help) {
  return CommandOption(*app_->add_option(names, values, help));
}
CommandOption Command::add_repeated(const char* names, std::vector<std::string>& values, const std::string& help) {
  return CommandOption(*app_->add_option(names, values, help)->allow_extra_args(false));
}
void Command::add_flag(const char* names, bool& value, const std::string& help) {
  app_->add_flag(names, value, help);
}

CommandLine::CommandLine(const char* description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->get_formatter()->column_width(36);
}
CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const char* name, const char* help, std::function<int()> run) {
  CLI::App* command = app_->add_subcommand(name, help);
  command->callback([this, run = std::move(run)] { exit_code_ = run(); });
  return Command(*command);
}

int CommandLine::run(int argc, char** argv, int usage_error) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app_->exit(error) == 0 ? exit_code_ : usage_error;
  }
  return exit_code_;
}

}  // namespace spalt_tool
