// SPDX-License-Identifier: MIT
#include "debug_console.h"

#include <charconv>
#include <cstdio>
#include <iostream>
#include <sstream>

namespace spalt_tool {
namespace {

constexpr const char* kHelp =
    "c continue, s step, p REGISTER... print (s5, v3, vcc_lo, exec_lo, m0, scc), q quit; an empty line repeats the "
    "last\n";

bool parse_pc(std::string_view text, uint32_t& pc) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), pc, hexadecimal ? 16 : 10);
  return code == std::errc() && end == text.data() + text.size() && !text.empty();
}

void print_trace(void*, const char* text) {
  std::fputs(text, stdout);
}

}  // namespace

void DebugConsole::add_options(Command& command) {
  command.add_flag("--trace", trace_, "Print each executed instruction and the registers that it changed");
  command.add_option(
      "--break", breaks_,
      "Stop before the instruction at this byte offset, for example 0x40, and ask for commands on standard "
      "input: " +
          std::string(kHelp));
  command.add_option("--watch", watches_, "Stop after an instruction that changes this register, for example v3 or s5");
  command.add_flag("--step", step_, "Stop before the first instruction");
}

struct DebugConsole::Wishes {
  bool any = false;
  std::vector<uint32_t> breakpoints;
  std::vector<const char*> watchpoints;
  spalt_debug_info info{};
};

bool DebugConsole::fill(Wishes& wishes, std::string& error) {
  wishes.any = trace_ || step_ || !breaks_.empty() || !watches_.empty();
  wishes.breakpoints.resize(breaks_.size());
  for (size_t i = 0; i < breaks_.size(); ++i) {
    if (parse_pc(breaks_[i], wishes.breakpoints[i])) continue;
    error = "--break " + breaks_[i] + ": expected a byte offset such as 64 or 0x40";
    return false;
  }
  for (const std::string& name : watches_) wishes.watchpoints.push_back(name.c_str());
  spalt_debug_info& info = wishes.info;
  info.struct_size = sizeof info;
  info.trace = trace_ ? print_trace : nullptr;
  info.user = this;
  info.stop_at_start = step_ ? 1 : 0;
  info.breakpoints = wishes.breakpoints.data();
  info.breakpoint_count = wishes.breakpoints.size();
  info.watchpoints = wishes.watchpoints.data();
  info.watchpoint_count = wishes.watchpoints.size();
  if (step_ || !breaks_.empty() || !watches_.empty()) {
    info.stop = [](void* user, const spalt_stop* stop) { return static_cast<DebugConsole*>(user)->stopped(*stop); };
  }
  return true;
}

bool DebugConsole::attach(spalt_device* device, std::string& error) {
  Wishes wishes;
  if (!fill(wishes, error)) return false;
  spalt_message message{};
  message.struct_size = sizeof message;
  if (!wishes.any || spalt_device_set_debug(device, &wishes.info, &message) == SPALT_SUCCESS) return true;
  error = message.text;
  return false;
}

void DebugConsole::print_register(const spalt_stop& stop, const std::string& name) const {
  uint32_t value = 0;
  if (spalt_stopped_wave_read(stop.state, name.c_str(), 0, &value) != SPALT_SUCCESS) {
    std::printf("%s is no register of this program\n", name.c_str());
    return;
  }
  std::printf("%s =", name.c_str());
  const uint32_t lanes =
      name[0] == 'v' && name.find_first_not_of("0123456789", 1) == std::string::npos ? stop.wave_size : 1;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    spalt_stopped_wave_read(stop.state, name.c_str(), lane, &value);
    std::printf(lane % 8 == 0 && lane != 0 ? "\n    %08x" : " %08x", value);
  }
  std::printf("\n");
}

/// The end of the input continues without further questions, so that commands can come from a pipe.
uint32_t DebugConsole::stopped(const spalt_stop& stop) {
  static constexpr const char* kReasons[] = {"step", "breakpoint", "watchpoint"};
  std::printf("%s: %s", kReasons[stop.reason <= SPALT_STOP_WATCHPOINT ? stop.reason : 0], stop.text);
  std::string line;
  for (;;) {
    std::printf("(spalt) ");
    std::fflush(stdout);
    if (!std::getline(std::cin, line)) {
      std::printf("\n");
      return SPALT_STOP_ACTION_CONTINUE;
    }
    if (line.empty()) line = last_command_;
    last_command_ = line;
    std::istringstream words(line);
    std::string command, name;
    words >> command;
    if (command == "c") return SPALT_STOP_ACTION_CONTINUE;
    if (command == "s") return SPALT_STOP_ACTION_STEP;
    if (command == "q") return SPALT_STOP_ACTION_END;
    if (command != "p") std::fputs(kHelp, stdout);
    while (command == "p" && words >> name) print_register(stop, name);
  }
}

}  // namespace spalt_tool
