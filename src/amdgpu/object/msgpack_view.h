// SPDX-License-Identifier: MIT
#pragma once
// Reading of MessagePack documents that are not trusted: every look-up answers "not there" for what has another type.
#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string_view>

#include "amdgpu/object/msgpack_config.h"
#include "base/result.h"

namespace spalt::object {

using Object = msgpack::object;

bool is_map(const Object* object);
bool is_array(const Object* object);
/// Empty when it is no string. A view into the document.
std::string_view text_of(const Object* object);

/// The value under `key`, or nullptr when `object` is no map or lacks it.
const Object* find(const Object* object, std::string_view key);
const Object* find_number(const Object* object, uint32_t key);

/// The element of an array, or nullptr when `object` is none or shorter.
const Object* element(const Object* object, uint32_t index);

/// Loaders take a number in any integer or boolean encoding.
bool number_of(const Object* object, uint64_t& value);
bool number32_of(const Object* object, uint32_t& value);

template <class T, size_t N>
void read_array(const Object* object, std::array<T, N>& values) {
  if (!is_array(object)) return;
  const size_t count = std::min<size_t>(object->via.array.size, N);
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    if (number_of(&object->via.array.ptr[i], value)) values[i] = static_cast<T>(value);
  }
}

/// Calls `read` with the root of the document, which lives as long as the call.
Result<void> with_document(std::span<const uint8_t> document, const std::function<Result<void>(const Object&)>& read);

}  // namespace spalt::object
