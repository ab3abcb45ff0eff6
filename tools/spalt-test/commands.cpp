// SPDX-License-Identifier: MIT
#include "command.h"

namespace spalt::golden {

const Command& cat_command();
const Command& interp_command();
const Command& interp_error_command();
const Command& lower_command();
const Command& opt_command();
const Command& machine_pass_command();
const Command& parse_error_command();
const Command& pass_command();
const Command& prove_command();
const Command& prove_machine_command();
const Command& prove_select_command();
const Command& regalloc_command();
const Command& select_command();
const Command& spirv_command();
const Command& spirv_error_command();
const Command& verify_command();

std::span<const Command* const> all_commands() {
  static const Command* const kCommands[] = {
      &cat_command(),    &interp_command(),        &interp_error_command(), &parse_error_command(),
      &pass_command(),   &lower_command(),         &machine_pass_command(), &opt_command(),
      &prove_command(),  &prove_machine_command(), &prove_select_command(), &regalloc_command(),
      &select_command(), &spirv_command(),         &spirv_error_command(),  &verify_command(),
  };
  return kCommands;
}

const Command* find_command(std::string_view name) {
  for (const Command* command : all_commands()) {
    if (command->name() == name) return command;
  }
  return nullptr;
}

}  // namespace spalt::golden
