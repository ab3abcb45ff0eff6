// SPDX-License-Identifier: MIT
//
// Programs with pointers that are values.
#include <algorithm>
#include <cstring>
#include <utility>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

template <class T>
T read(const std::vector<uint8_t>& bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void write(std::vector<uint8_t>& bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void buffer_address(const Manifest&, BufferContents& b) {
  constexpr size_t kTable[] = {0, 16, 33, 1};          // words
  constexpr size_t kNext[] = {3, 0, 1, 2}, kHead = 2;  // nodes
  const auto words = u32(b, 2);
  const auto shapes = f32(b, 4);
  for (uint32_t i = 0; i < 128; ++i) {
    uint32_t sum = words[i];
    size_t node = kHead;
    for (uint32_t k = 0; k < i % 5; ++k, node = kNext[node]) sum = sum * 3 + 11 * (static_cast<uint32_t>(node) + 1);
    const size_t chosen = i % 2 == 0 ? 0 : kTable[i % 4];
    sum += words[chosen + i * 2];
    const size_t walk = i % 8 == 0 ? chosen : kTable[(i % 8 - 1 + i) % 4];
    sum ^= words[walk + i] + words[5];
    const size_t matrix = (i % 2) * 16, v = 32;
    float product = 0, first = 0;
    for (size_t column = 0; column < 3; ++column) {
      for (size_t row = 0; row < 4; ++row) {
        product += static_cast<float>(1 << column) * shapes[v + row] * shapes[matrix + row * 4 + column];
      }
      first += shapes[matrix + column] * shapes[v + column];
    }
    sum += static_cast<uint32_t>(product) + static_cast<uint32_t>(first);
    words[512 + (i ^ 3)] = sum;
    u32(b, 1)[i] = sum;
  }
}

void buffer_address_widths(const Manifest&, BufferContents& b) {
  const std::vector<uint8_t>& bytes = b[1];
  const auto sums = u32(b, 2);
  for (uint32_t i = 0; i < 128; ++i) {
    const size_t loose = 1 + size_t{i} * 7, pair = 2 + size_t{i} * 6;
    uint32_t sum = read<uint32_t>(bytes, loose) + read<uint16_t>(bytes, loose + 4) * 3u + bytes[loose + 6] * 5u;
    sum += read<uint32_t>(bytes, pair) ^ read<uint32_t>(bytes, pair + 4);
    const auto wide = read<uint64_t>(bytes, 4 + size_t{i} * 12);
    sum += static_cast<uint32_t>(wide >> 13);
    const size_t to = 3 + size_t{i} * 7;
    write(b[3], to, sum);
    write(b[3], to + 4, static_cast<uint16_t>(i * 259));
    write(b[3], to + 6, static_cast<uint8_t>(i));
    write(b[4], 4 + size_t{i} * 12, wide * 5);
    sums[2] += sum;
    sums[3] = std::min(sums[3], sum);
    sums[4] = std::max(sums[4], sum);
    sums[5] |= 1u << (i % 32);
    if (i == 5) sums[6] = 1005;
    write(b[2], 32, read<uint64_t>(b[2], 32) + wide);
    write(b[2], 40, std::max(read<uint64_t>(b[2], 40), wide));
    u32(b, 0)[i] = i == 5 ? sum + 1 : sum;
  }
}

/// A pointer into a buffer: its place in the manifest, and which word; a null one is in no buffer.
struct WordPointer {
  size_t buffer = ~size_t{0};
  size_t word = 0;
  bool operator==(const WordPointer&) const = default;
};

void variable_pointers(const Manifest&, BufferContents& b) {
  constexpr size_t kA = 0, kB = 1, kD0 = 2, kD1 = 3, kOut = 4, kC = 5;
  const auto at = [&](WordPointer p) -> uint32_t& { return u32(b, p.buffer)[p.word]; };
  for (uint32_t i = 0; i < 128; ++i) {
    const bool odd = i % 2 != 0, third = i % 3 == 0;
    const size_t block = odd ? kA : kB;
    const auto words = static_cast<uint32_t>(u32(b, block).size());
    const WordPointer joined = third ? WordPointer{kA, i} : WordPointer{kB, i + 1u};
    WordPointer q{kA, 0}, x{kA, i}, y{kB, 3};
    uint32_t sum = 0;
    for (uint32_t k = 0; k < i % 7; ++k, q.word += 2) {
      sum = (sum * 3 + at(x)) ^ at(q);
      std::swap(x, y);
    }
    const WordPointer array[] = {{kA, i}, {}, {kD0, i}, {kD1, 7}, joined};
    const WordPointer found = array[i % 5], safe = i % 5 == 1 ? WordPointer{kB, 3} : found;
    const uint32_t flags = 1 + (safe == joined ? 2 : 0);
    uint32_t s = (at({block, i}) + at({block, i ^ 5})) * 5 + words;
    s = (s ^ at(joined)) * 3 + sum;
    s = (s + at({kA, i + 125 - i % 8})) * 7 + at({kB, 10 - i % 8});
    s = (s ^ at(i % 4 < 2 ? WordPointer{kA, i + 1u} : WordPointer{kB, i})) * 3;
    s = ((s + at({block, i}) + words) ^ at(safe)) * 5 + at({kA, i}) + flags;
    s += (static_cast<uint32_t>(q.word) - i) * 7;
    at(odd ? WordPointer{kC, 2} : WordPointer{kD1, 1}) += i;
    at(third ? WordPointer{kC, i + 128u} : WordPointer{kOut, i}) = s;
  }
}

/// Records of 12 words: one, one of padding, a row-major 2 x 2 matrix, two times three words.
void pointer_copies(const Manifest&, BufferContents& b) {
  constexpr size_t kS = 0, kT = 1, kOut = 2, kRecords = 3, kWords = 12, kMatrix = 2, kArray = 6, kLast = 127;
  const auto from = u32(b, kRecords);
  const auto copy = [](std::span<uint32_t> to, std::span<const uint32_t> record, size_t index) {
    for (size_t w = 0; w < kWords; ++w) {
      if (w != 1) to[index * kWords + w] = record[w];
    }
  };
  for (uint32_t i = 0; i < 128; ++i) {
    const size_t odd = i % 2, back = (kLast - i) * kWords;
    std::vector<uint32_t> record(from.begin() + static_cast<ptrdiff_t>(back),
                                 from.begin() + static_cast<ptrdiff_t>(back + kWords));
    const auto at = [&](size_t start, size_t column, size_t row) { return start + kMatrix + row * 2 + column; };
    copy(u32(b, odd != 0 ? kS : kT), record, i);
    record[kArray + odd * 3 + i % 3] *= 5;
    copy(u32(b, odd != 0 ? kT : kS), record, i);
    uint32_t r = from[at(back, 0, 1)] * 3 ^ from[at(back, 1, 0)];
    r = r * 5 ^ from[at(odd != 0 ? back : kLast * kWords, 1, 0)];
    r = r * 3 ^ u32(b, kS)[at(i * kWords, 0, 1)];
    u32(b, kOut)[i] = r + (i == kLast ? 0 : from[back - kWords + kArray + 3 + i % 3]);
  }
}

/// 20 words of results for each invocation.
void untyped_pointers(const Manifest& manifest, BufferContents& b) {
  constexpr size_t kIn = 0, kOut = 1, kUniform = 2, kSums = 3, kBytes = 4, kTyped = 5, kResults = 20;
  const std::span<const uint32_t> in = u32(b, kIn);
  const uint32_t pushed = manifest.dispatches[0].push[1], half = manifest.dispatches[0].push[0] >> 16;
  uint64_t greatest = 0;
  for (uint32_t i = 0; i < 128; ++i) {
    const auto out = u32(b, kOut).subspan(i * kResults, kResults);
    const auto four = in.subspan(size_t{i} / 4 * 4, 5);
    const size_t pair = size_t{i} / 2 * 8;
    out[0] = in[i];
    out[1] = four[0] + four[1] * 3 + four[2] * 5 + four[3] * 7;
    out[2] = in[i] ^ 15;
    out[3] = (in[i] >> 16) + ((in[i] >> 16 & 0xff) << 16);
    const auto wide = read<uint64_t>(b[kIn], pair);
    write(b[kOut], (size_t{i} * kResults + 4) * 4, wide * 3 + i);
    out[6] = read<uint32_t>(b[kIn], pair) + read<uint16_t>(b[kIn], pair + 4) * 3u + b[kIn][pair + 6] * 5u;
    out[7] = (((pushed + u32(b, kUniform)[i % 16]) * 3) ^ half) + u32(b, kUniform)[14];
    const uint32_t other = in[i / 64 * 64 + 63 - i % 64];
    out[8] = other << 16 | other >> 16;
    out[9] = static_cast<uint32_t>(in.size());
    out[10] = u32(b, kTyped)[i];
    std::copy_n(four.begin(), 3, out.begin() + 11);
    out[14] = four[2];
    std::copy_n(four.begin(), 5, out.begin() + 15);
    u32(b, kTyped)[256 + i] = in[i];
    std::copy_n(b[kIn].begin() + 4 * i + 1, 7, b[kBytes].begin() + 8 * i + 1);
    u32(b, kSums)[0] += in[i];
    greatest = std::max(greatest, wide);
    if (i == 5) u32(b, kSums)[4] = in[i];
    ++u32(b, kSums)[5];
  }
  write(b[kSums], 8, greatest);
}

void untyped_addresses(const Manifest&, BufferContents& b) {
  constexpr size_t kIn = 0, kOut = 1, kRecords = 2, kWords = 8, kSum = 64;
  const auto in = u32(b, kIn);
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t record = u32(b, kRecords)[i % 8 * 3 + 2], half = in[i] & 0xffff;
    const bool odd = i % 2 != 0;
    uint32_t sum = in[i] + half * 3 + in[5] * 5 + record * 7;
    sum = (sum ^ (odd ? in[i] : record)) + (odd ? in[i] : in[2]);
    const auto out = u32(b, kOut).subspan(i * kWords, kWords);
    out[0] = sum;
    out[1] = in[i];
    out[4] = 8;
    out[6] = in[i];
    u32(b, kRecords)[kSum] += sum;
  }
}

void untyped_copies(const Manifest&, BufferContents& b) {
  constexpr size_t kIn = 0, kOut = 1, kAddressed = 2, kTurns = 3;
  const std::span<const std::byte> in = std::as_bytes(std::span(u32(b, kIn)));
  const auto copy = [&](size_t to, size_t to_byte, size_t from_byte, size_t count) {
    const auto out = std::as_writable_bytes(u32(b, to));
    std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(from_byte), count,
                out.begin() + static_cast<std::ptrdiff_t>(to_byte));
  };
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t word = u32(b, kIn)[i];
    copy(kOut, i * 64, i * 4, word & 31);
    if (i % 2 != 0) copy(kOut, i * 64 + 33, i * 4 + 1, word >> 8 & 15);
    copy(kAddressed, i * 8, i * 4, word >> 16 & 7);
    copy(kTurns, i * 8, i * 4, 1);
    copy(kTurns, i * 8 + 4, i * 4, 2);
  }
}

void untyped_variable_pointers(const Manifest&, BufferContents& b) {
  constexpr size_t kOne = 0, kTwo = 1, kTable = 2, kOut = 4;
  const auto first = u32(b, kTable), second = u32(b, kTable + 1);
  for (uint32_t i = 0; i < 128; ++i) {
    const bool odd = i % 2 != 0;
    const auto chosen_of = [&](uint32_t invocation) { return u32(b, invocation % 2 != 0 ? kOne : kTwo)[invocation]; };
    const uint32_t step = i % 8 + i % 8 * 2 + 1;  // words of the first buffer
    uint32_t sum = (chosen_of(i) >> 16) * 3 + second[i % 8] * 5 + first[step] * 7;
    sum ^= odd ? u32(b, kOne)[i + 2] : second[i % 8];
    sum += chosen_of(odd ? i ^ 5 : i);
    u32(b, kOut)[i] = sum * (odd ? 2 : 1) + step * 4;
  }
}

constexpr Reference kReferences[] = {
    {"buffer_address", buffer_address},
    {"buffer_address_widths", buffer_address_widths},
    {"pointer_copies", pointer_copies},
    {"untyped_addresses", untyped_addresses},
    {"untyped_copies", untyped_copies},
    {"untyped_pointers", untyped_pointers},
    {"untyped_variable_pointers", untyped_variable_pointers},
    {"variable_pointers", variable_pointers},
};

}  // namespace

std::span<const Reference> address_references() {
  return kReferences;
}

}  // namespace spalt::run
