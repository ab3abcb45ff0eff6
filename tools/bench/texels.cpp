// SPDX-License-Identifier: MIT
// What converting a texel costs: one after the other through a codec, as the emulator does, and in rows. Random bits;
// nanoseconds, the best of a few runs.
// usage: texels
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include "texel/codec.h"

namespace {

using namespace spalt::texel;

constexpr size_t kTexels = 65536, kBlocks = 4096;
constexpr int kRuns = 7;

template <class Work>
double nanoseconds(size_t count, const Work& work) {
  double best = 1e9;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / static_cast<double>(count));
  }
  return best;
}

/// Numbers of about 1 where all bits at random would give many NaN and denormals.
std::vector<std::byte> random_bytes(const Format& format, size_t count) {
  std::mt19937 random(1);
  std::vector<std::byte> bytes(count * format.shape().bytes);
  const size_t channel = format.shape().bits[0] / 8;
  const bool is_float = format.layout.number == Number::floating && channel >= 2;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const bool is_top = is_float && i % channel == channel - 1;
    bytes[i] = is_top ? std::byte{0x3c} : static_cast<std::byte>(random());
  }
  return bytes;
}

void measure_plain(const Format& format) {
  const Codec& codec = codec_of(format.layout);
  const size_t size = format.shape().bytes;
  const std::vector<std::byte> bytes = random_bytes(format, kTexels);
  std::vector<std::byte> written(bytes.size());
  std::vector<Texel> texels(kTexels);
  const double decode = nanoseconds(kTexels, [&] {
    for (size_t i = 0; i < kTexels; ++i) codec.decode(&bytes[i * size], texels[i]);
  });
  const double decode_row = nanoseconds(kTexels, [&] { codec.decode_row(bytes.data(), kTexels, texels.data()); });
  const double encode = nanoseconds(kTexels, [&] {
    for (size_t i = 0; i < kTexels; ++i) codec.encode(texels[i], &written[i * size]);
  });
  const double encode_row = nanoseconds(kTexels, [&] { codec.encode_row(texels.data(), kTexels, written.data()); });
  std::printf("%-26s %8.2f %8.2f %8.2f %8.2f\n", format.name, decode, decode_row, encode, encode_row);
}

void measure_blocks(const Format& format) {
  const std::vector<std::byte> bytes = random_bytes(format, kBlocks);
  std::vector<std::array<Texel, 16>> texels(kBlocks);
  const double block = nanoseconds(kBlocks, [&] {
    for (size_t i = 0; i < kBlocks; ++i) decode_block(format.layout, &bytes[i * format.shape().bytes], texels[i]);
  });
  std::printf("%-26s %8.1f for a block\n", format.name, block);
}

}  // namespace

int main() {
  std::printf("%-26s %8s %8s %8s %8s\n", "", "decode", "in rows", "encode", "in rows");
  for (const uint32_t vk : {9, 37, 38, 41, 43, 4, 64, 91, 97, 100, 109, 122, 123, 124, 125})
    measure_plain(*find_format(vk));
  for (const uint32_t vk : {133, 134, 137, 139, 141, 143, 145, 146}) measure_blocks(*find_format(vk));
  return 0;
}
