// SPDX-License-Identifier: MIT
// The public C API's messages of shaders.
#include "driver/api_support.h"
#include "spalt/printf.h"
#include "spirv/printf/messages.h"

using namespace spalt;
using namespace spalt::api;
using namespace spalt::driver;

struct spalt_printf_messages {
  spirv::PrintfMessages table;
};

spalt_result spalt_printf_messages_create(const uint32_t* words, size_t word_count, spalt_printf_messages** messages) {
  if (messages == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *messages = nullptr;
  if (words == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  return guarded([&] {
    Result<spirv::PrintfMessages> table = spirv::read_printf_messages({words, word_count});
    if (!table) return to_result(table.error().status);
    *messages = new spalt_printf_messages{std::move(*table)};
    return SPALT_SUCCESS;
  });
}

void spalt_printf_messages_destroy(spalt_printf_messages* messages) {
  delete messages;
}

size_t spalt_printf_message_count(const spalt_printf_messages* messages) {
  return messages == nullptr ? 0 : messages->table.messages.size();
}

spalt_result spalt_printf_print(const spalt_printf_messages* messages, size_t number, const uint32_t* arguments,
                                size_t argument_count, spalt_printf_callback callback, void* user) {
  if (messages == nullptr || callback == nullptr || number >= messages->table.messages.size() ||
      (arguments == nullptr && argument_count != 0)) {
    return SPALT_ERROR_INVALID_ARGUMENT;
  }
  return guarded([&] {
    const spirv::PrintfMessage& message = messages->table.messages[number];
    const std::string text = spirv::format_printf(messages->table, message, {arguments, argument_count});
    callback(user, text.c_str(), message.file.c_str(), message.line);
    return SPALT_SUCCESS;
  });
}
