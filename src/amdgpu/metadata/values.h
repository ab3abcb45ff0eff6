// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include "amdgpu/object/msgpack_view.h"

namespace spalt::metadata {

bool is_container(const object::Object& object);
/// A value that is no container: numbers in decimal, strings as they are where that is plain, else quoted.
std::string value_text(const object::Object& object);
std::string value_json(const object::Object& object);
/// A map key, which JSON wants to be a string.
std::string key_json(const object::Object& key);
/// With the quotes; bytes that are not ASCII become escapes, so that any bytes give valid JSON.
std::string json_string(std::string_view text);

}  // namespace spalt::metadata
