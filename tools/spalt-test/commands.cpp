// SPDX-License-Identifier: MIT
#include "command.h"

namespace spalt::golden {

const Command& cat_command();
const Command& parse_error_command();
const Command& verify_command();

std::span<const Command* const> all_commands() {
  static const Command* const kCommands[] = {
      &cat_command(),
      &parse_error_command(),
      &verify_command(),
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
