// SPDX-License-Identifier: MIT
//
// The fields of the buffers that have numbers of other widths (program.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rng.h"

namespace spalt::random_programs {

struct WideField {
  uint32_t offset = 0;  ///< bytes
  uint32_t bits = 0;
  bool is_float = false;
  uint8_t size = 1;     ///< components of a vector
  uint32_t length = 0;  ///< of an array; 0: none
  uint32_t stride = 0;  ///< of the array; 0: its elements are next to each other
};

/// What each invocation has of its own.
constexpr WideField kRecordFields[] = {{0, 64, false, 1, 2},  {16, 64, true, 1, 2},  {32, 16, false, 1, 4},
                                       {40, 16, true, 1, 4},  {48, 8, false, 1, 8},  {56, 8, false, 4, 0},
                                       {60, 16, false, 2, 0}, {64, 64, false, 2, 0}, {80, 16, true, 4, 0},
                                       {88, 8, false, 1, 0},  {90, 16, false, 1, 0}};
constexpr uint32_t kWideRecordBytes = 96;

constexpr WideField kInputFields[] = {{0, 64, false, 1, 32},
                                      {256, 64, true, 1, 8},
                                      {320, 16, false, 1, 64},
                                      {448, 16, true, 1, 32},
                                      {512, 8, false, 1, 128}};
constexpr uint32_t kWideInputBytes = 640;

/// Of a uniform buffer, by the rules of std140.
constexpr WideField kUniformFields[] = {
    {0, 64, false, 1, 4, 16},  {64, 64, true, 1, 4, 16}, {128, 16, false, 1, 4, 16}, {192, 16, true, 1, 4, 16},
    {256, 8, false, 1, 4, 16}, {320, 8, false, 4, 0},    {324, 16, false, 2, 0},     {328, 16, true, 4, 0},
    {336, 64, false, 2, 0},    {352, 8, false, 1, 0},    {353, 8, false, 1, 0},      {354, 16, false, 1, 0}};
constexpr uint32_t kWideUniformBytes = 368;

/// After the words of the push constants.
constexpr WideField kPushFields[] = {{32, 64, false, 1, 2}, {48, 64, true, 1, 2}, {64, 16, false, 1, 4},
                                     {72, 16, true, 1, 4},  {80, 8, false, 1, 8}, {88, 8, false, 4, 0},
                                     {92, 16, true, 2, 0}};
constexpr uint32_t kWidePushBytes = 96;

/// What all invocations change by atomic operations.
constexpr WideField kCellFields[] = {
    {0, 64, false, 1, 8}, {64, 64, true, 1, 3}, {88, 32, true, 1, 3}, {100, 16, true, 1, 2}};
constexpr uint32_t kCellBytes = 104;

/// How many bits a float's value has, and a sign: whole numbers, whose sums over a subgroup are exact.
constexpr uint32_t whole_bits(uint32_t bits) {
  return bits == 64 ? 20 : bits == 32 ? 10 : 5;
}

/// `count` structs with such fields: integers at random, and floats that are small whole numbers.
std::vector<uint32_t> wide_data(Rng& rng, std::span<const WideField> fields, uint32_t bytes, size_t count);

}  // namespace spalt::random_programs
