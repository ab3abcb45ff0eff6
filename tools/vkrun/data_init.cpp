// SPDX-License-Identifier: MIT
#include "data_init.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/random.h"
#include "manifest.h"

namespace spalt::vkrun {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxBufferBytes = 64u << 20;

void append_word(std::vector<uint8_t>& out, uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<uint8_t>(word >> shift));
}

uint64_t checked_count(const json& value, uint64_t element_bytes) {
  const uint64_t count = value.get<uint64_t>();
  if (count > kMaxBufferBytes / element_bytes) throw Error("a buffer may not be larger than 64 MiB");
  return count;
}

void append_words(const json& values, std::vector<uint8_t>& out) {
  for (const json& value : values) append_word(out, word_from_json(value));
}

void append_floats(const json& values, std::vector<uint8_t>& out) {
  for (const json& value : values) append_word(out, std::bit_cast<uint32_t>(value.get<float>()));
}

void append_zeros(const json& bytes, std::vector<uint8_t>& out) {
  out.resize(out.size() + checked_count(bytes, 1), 0);
}

void append_iota(const json& count, std::vector<uint8_t>& out) {
  const uint64_t end = checked_count(count, 4);
  for (uint64_t i = 0; i < end; ++i) append_word(out, static_cast<uint32_t>(i));
}

void append_random_u32(const json& spec, std::vector<uint8_t>& out) {
  const uint64_t count = checked_count(spec.at("count"), 4);
  const uint64_t max = spec.value("max", uint64_t{0xffffffff});
  if (max > 0xffffffff) throw Error("the max of random_u32 must fit 32 bits");
  Random random(spec.at("seed").get<uint64_t>());
  for (uint64_t i = 0; i < count; ++i) append_word(out, static_cast<uint32_t>(random.word() % (max + 1)));
}

void append_random_f32(const json& spec, std::vector<uint8_t>& out) {
  const uint64_t count = checked_count(spec.at("count"), 4);
  const float lo = spec.at("lo").get<float>();
  const float hi = spec.at("hi").get<float>();
  Random random(spec.at("seed").get<uint64_t>());
  for (uint64_t i = 0; i < count; ++i) {
    const float unit = static_cast<float>(random.word() >> 8) * 0x1p-24f;
    append_word(out, std::bit_cast<uint32_t>(lo + (hi - lo) * unit));
  }
}

/// A shuffle of 0 .. count-1 (Fisher-Yates from the top).
void append_permutation(const json& spec, std::vector<uint8_t>& out) {
  const uint64_t count = checked_count(spec.at("count"), 4);
  Random random(spec.at("seed").get<uint64_t>());
  std::vector<uint32_t> order(count);
  for (uint64_t i = 0; i < count; ++i) order[i] = static_cast<uint32_t>(i);
  for (uint64_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.word() % i]);
  for (const uint32_t value : order) append_word(out, value);
}

/// Bytes of a string, padded with zeros to whole words.
void append_text(const json& text, std::vector<uint8_t>& out) {
  const std::string bytes = text.get<std::string>();
  out.insert(out.end(), bytes.begin(), bytes.end());
  while (out.size() % 4 != 0) out.push_back(0);
}

void append_hex(const json& text, std::vector<uint8_t>& out) {
  const std::string digits = text.get<std::string>();
  if (digits.size() % 8 != 0) throw Error("a hex init must have whole words, eight digits each");
  for (size_t i = 0; i < digits.size(); i += 2) {
    out.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  }
}

struct Generator {
  const char* name;
  void (*append)(const json&, std::vector<uint8_t>&);
};

constexpr Generator kGenerators[] = {
    {"zeros", append_zeros},
    {"u32", append_words},
    {"f32", append_floats},
    {"words", append_words},
    {"iota_u32", append_iota},
    {"random_u32", append_random_u32},
    {"random_f32", append_random_f32},
    {"permutation_u32", append_permutation},
    {"text", append_text},
    {"hex", append_hex},
};

void append_segment(const json& segment, std::vector<uint8_t>& out) {
  if (!segment.is_object() || segment.size() != 1) throw Error("an init must be an object with exactly one member");
  const std::string& name = segment.begin().key();
  for (const Generator& generator : kGenerators) {
    if (name != generator.name) continue;
    generator.append(segment.begin().value(), out);
    if (out.size() > kMaxBufferBytes) throw Error("a buffer may not be larger than 64 MiB");
    return;
  }
  throw Error("unknown init '" + name + "'");
}

}  // namespace

uint32_t word_from_json(const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number_float()) return std::bit_cast<uint32_t>(value.get<float>());
  if (value.is_number_integer()) {
    const bool fits =
        value.is_number_unsigned() ? value.get<uint64_t>() <= UINT32_MAX : value.get<int64_t>() >= INT32_MIN;
    if (!fits) throw Error(value.dump() + " does not fit 32 bits");
    return static_cast<uint32_t>(value.get<int64_t>());
  }
  throw Error("expected a number, got " + value.dump());
}

void append_initial_bytes(const json& init, std::vector<uint8_t>& out) {
  if (!init.is_array()) return append_segment(init, out);
  for (const json& segment : init) append_segment(segment, out);
}

}  // namespace spalt::vkrun
