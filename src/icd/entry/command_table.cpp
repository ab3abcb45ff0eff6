// SPDX-License-Identifier: MIT
#include "icd/entry/command_table.h"

#include <algorithm>

#include "commands.h"

namespace spalt::icd {
namespace {

template <typename... Extensions>
CommandRow row(std::string_view name, Level level, uint32_t version, PFN_vkVoidFunction function,
               Extensions... extensions) {
  CommandRow result{name, level, version, {-1, -1, -1, -1}, function};
  static_assert(sizeof...(extensions) <= std::tuple_size_v<decltype(result.extensions)>);
  size_t next = 0;
  ((result.extensions[next++] = static_cast<int16_t>(extensions)), ...);
  return result;
}

const CommandRow* begin_of_rows(size_t& count) {
  static const CommandRow rows[] = {
#define COMMAND(name, level, version, function, ...) \
  row(#name, Level::level, version, reinterpret_cast<PFN_vkVoidFunction>(&entry::function) __VA_OPT__(, ) __VA_ARGS__),
#include "command_table.inc"
#undef COMMAND
  };
  count = std::size(rows);
  return rows;
}

}  // namespace

const CommandRow* find_command(std::string_view name) {
  size_t count = 0;
  const CommandRow* rows = begin_of_rows(count);
  const CommandRow* found =
      std::lower_bound(rows, rows + count, name,
                       [](const CommandRow& command, std::string_view wanted) { return command.name < wanted; });
  return found != rows + count && found->name == name ? found : nullptr;
}

bool is_revealed(const CommandRow& row, uint32_t version, const ExtensionSet& first, const ExtensionSet& second) {
  if (row.core_version != 0 && row.core_version <= version) return true;
  return std::any_of(row.extensions.begin(), row.extensions.end(), [&](int16_t extension) {
    return extension >= 0 &&
           (first.has(static_cast<Extension>(extension)) || second.has(static_cast<Extension>(extension)));
  });
}

}  // namespace spalt::icd
