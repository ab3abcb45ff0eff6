// SPDX-License-Identifier: MIT
//
// What a command buffer records: a list of plain structs in its arena. Everything that a struct points to lies in the
// arena, too, or is kept alive by the command buffer, except for what Vulkan lets nobody destroy before execution has
// ended (buffers, events, query pools). Execution never writes the list, so that it may run several times, and on
// several queues at once.
#pragma once

#include <cstdint>
#include <new>
#include <type_traits>

#include "icd/command/chunks.h"

namespace spalt::icd {

class Execution;

/// One recorded command.
struct Command {
  Command* next = nullptr;
  /// False: execution ends here, since the device is lost or the queue ends.
  bool (*execute)(const Command& self, Execution& execution) = nullptr;
};

class CommandList {
 public:
  const Command* first() const { return first_; }

  /// Appends a command. T is a plain struct with `bool execute(Execution&) const`.
  template <typename T>
  void append(HostArena& arena, const T& body) {
    static_assert(std::is_trivially_destructible_v<T>, "nobody destroys recorded commands");
    static_assert(alignof(T) <= 8);
    struct Recorded : Command {
      explicit Recorded(const T& value) : body(value) {}
      T body;
    };
    auto* command = new (arena.allocate(sizeof(Recorded))) Recorded(body);
    command->execute = [](const Command& self, Execution& execution) {
      return static_cast<const Recorded&>(self).body.execute(execution);
    };
    (last_ == nullptr ? first_ : last_->next) = command;
    last_ = command;
  }

  void clear() noexcept { first_ = last_ = nullptr; }

 private:
  Command* first_ = nullptr;
  Command* last_ = nullptr;
};

}  // namespace spalt::icd
