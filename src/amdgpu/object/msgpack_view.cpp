// SPDX-License-Identifier: MIT
#include "amdgpu/object/msgpack_view.h"

namespace spalt::object {
namespace {

using Type = msgpack::type::object_type;

// Bounds what a hostile document can make the parser reserve before its bytes have to be there.
constexpr size_t kMaxElements = 4096, kMaxBytes = 1u << 24, kMaxDepth = 24;

}  // namespace

bool is_map(const Object* object) {
  return object != nullptr && object->type == Type::MAP;
}
bool is_array(const Object* object) {
  return object != nullptr && object->type == Type::ARRAY;
}

std::string_view text_of(const Object* object) {
  if (object == nullptr || object->type != Type::STR) return {};
  return {object->via.str.ptr, object->via.str.size};
}

const Object* find(const Object* object, std::string_view key) {
  if (!is_map(object)) return nullptr;
  for (uint32_t i = 0; i < object->via.map.size; ++i) {
    const auto& entry = object->via.map.ptr[i];
    if (entry.key.type == Type::STR && text_of(&entry.key) == key) return &entry.val;
  }
  return nullptr;
}

const Object* find_number(const Object* object, uint32_t key) {
  if (!is_map(object)) return nullptr;
  for (uint32_t i = 0; i < object->via.map.size; ++i) {
    const auto& entry = object->via.map.ptr[i];
    if (entry.key.type == Type::POSITIVE_INTEGER && entry.key.via.u64 == key) return &entry.val;
  }
  return nullptr;
}

const Object* element(const Object* object, uint32_t index) {
  return is_array(object) && index < object->via.array.size ? &object->via.array.ptr[index] : nullptr;
}

bool number_of(const Object* object, uint64_t& value) {
  if (object == nullptr) return false;
  if (object->type == Type::POSITIVE_INTEGER) {
    value = object->via.u64;
  } else if (object->type == Type::BOOLEAN) {
    value = object->via.boolean ? 1 : 0;
  } else {
    return false;
  }
  return true;
}

bool number32_of(const Object* object, uint32_t& value) {
  uint64_t wide = 0;
  if (!number_of(object, wide) || wide > 0xffffffffu) return false;
  value = static_cast<uint32_t>(wide);
  return true;
}

Result<void> with_document(std::span<const uint8_t> document, const std::function<Result<void>(const Object&)>& read) {
  try {
    const msgpack::unpack_limit limit(kMaxElements, kMaxElements, kMaxBytes, kMaxBytes, kMaxBytes, kMaxDepth);
    const msgpack::object_handle handle =
        msgpack::unpack(reinterpret_cast<const char*>(document.data()), document.size(), nullptr, nullptr, limit);
    return read(handle.get());
  } catch (const msgpack::unpack_error&) {
    return Error{Status::invalid_input, "the metadata is not well-formed MessagePack"};
  }
}

}  // namespace spalt::object
