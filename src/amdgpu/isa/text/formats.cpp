// SPDX-License-Identifier: MIT
// Names of the formats of typed buffer instructions.
#include "amdgpu/isa/codec/layout_family.h"
#include "amdgpu/isa/text/modifiers.h"

namespace spalt::isa {
namespace {

using Names = const char* const;

// RDNA 2 ISA guide, table "Buffer data formats".
constexpr Names kFormats10[] = {"INVALID",
                                "8_UNORM",
                                "8_SNORM",
                                "8_USCALED",
                                "8_SSCALED",
                                "8_UINT",
                                "8_SINT",
                                "16_UNORM",
                                "16_SNORM",
                                "16_USCALED",
                                "16_SSCALED",
                                "16_UINT",
                                "16_SINT",
                                "16_FLOAT",
                                "8_8_UNORM",
                                "8_8_SNORM",
                                "8_8_USCALED",
                                "8_8_SSCALED",
                                "8_8_UINT",
                                "8_8_SINT",
                                "32_UINT",
                                "32_SINT",
                                "32_FLOAT",
                                "16_16_UNORM",
                                "16_16_SNORM",
                                "16_16_USCALED",
                                "16_16_SSCALED",
                                "16_16_UINT",
                                "16_16_SINT",
                                "16_16_FLOAT",
                                "10_11_11_UNORM",
                                "10_11_11_SNORM",
                                "10_11_11_USCALED",
                                "10_11_11_SSCALED",
                                "10_11_11_UINT",
                                "10_11_11_SINT",
                                "10_11_11_FLOAT",
                                "11_11_10_UNORM",
                                "11_11_10_SNORM",
                                "11_11_10_USCALED",
                                "11_11_10_SSCALED",
                                "11_11_10_UINT",
                                "11_11_10_SINT",
                                "11_11_10_FLOAT",
                                "10_10_10_2_UNORM",
                                "10_10_10_2_SNORM",
                                "10_10_10_2_USCALED",
                                "10_10_10_2_SSCALED",
                                "10_10_10_2_UINT",
                                "10_10_10_2_SINT",
                                "2_10_10_10_UNORM",
                                "2_10_10_10_SNORM",
                                "2_10_10_10_USCALED",
                                "2_10_10_10_SSCALED",
                                "2_10_10_10_UINT",
                                "2_10_10_10_SINT",
                                "8_8_8_8_UNORM",
                                "8_8_8_8_SNORM",
                                "8_8_8_8_USCALED",
                                "8_8_8_8_SSCALED",
                                "8_8_8_8_UINT",
                                "8_8_8_8_SINT",
                                "32_32_UINT",
                                "32_32_SINT",
                                "32_32_FLOAT",
                                "16_16_16_16_UNORM",
                                "16_16_16_16_SNORM",
                                "16_16_16_16_USCALED",
                                "16_16_16_16_SSCALED",
                                "16_16_16_16_UINT",
                                "16_16_16_16_SINT",
                                "16_16_16_16_FLOAT",
                                "32_32_32_UINT",
                                "32_32_32_SINT",
                                "32_32_32_FLOAT",
                                "32_32_32_32_UINT",
                                "32_32_32_32_SINT",
                                "32_32_32_32_FLOAT"};
// RDNA 3 ISA guide, same table: fewer packed formats.
constexpr Names kFormats11[] = {"INVALID",
                                "8_UNORM",
                                "8_SNORM",
                                "8_USCALED",
                                "8_SSCALED",
                                "8_UINT",
                                "8_SINT",
                                "16_UNORM",
                                "16_SNORM",
                                "16_USCALED",
                                "16_SSCALED",
                                "16_UINT",
                                "16_SINT",
                                "16_FLOAT",
                                "8_8_UNORM",
                                "8_8_SNORM",
                                "8_8_USCALED",
                                "8_8_SSCALED",
                                "8_8_UINT",
                                "8_8_SINT",
                                "32_UINT",
                                "32_SINT",
                                "32_FLOAT",
                                "16_16_UNORM",
                                "16_16_SNORM",
                                "16_16_USCALED",
                                "16_16_SSCALED",
                                "16_16_UINT",
                                "16_16_SINT",
                                "16_16_FLOAT",
                                "10_11_11_FLOAT",
                                "11_11_10_FLOAT",
                                "10_10_10_2_UNORM",
                                "10_10_10_2_SNORM",
                                "10_10_10_2_UINT",
                                "10_10_10_2_SINT",
                                "2_10_10_10_UNORM",
                                "2_10_10_10_SNORM",
                                "2_10_10_10_USCALED",
                                "2_10_10_10_SSCALED",
                                "2_10_10_10_UINT",
                                "2_10_10_10_SINT",
                                "8_8_8_8_UNORM",
                                "8_8_8_8_SNORM",
                                "8_8_8_8_USCALED",
                                "8_8_8_8_SSCALED",
                                "8_8_8_8_UINT",
                                "8_8_8_8_SINT",
                                "32_32_UINT",
                                "32_32_SINT",
                                "32_32_FLOAT",
                                "16_16_16_16_UNORM",
                                "16_16_16_16_SNORM",
                                "16_16_16_16_USCALED",
                                "16_16_16_16_SSCALED",
                                "16_16_16_16_UINT",
                                "16_16_16_16_SINT",
                                "16_16_16_16_FLOAT",
                                "32_32_32_UINT",
                                "32_32_32_SINT",
                                "32_32_32_FLOAT",
                                "32_32_32_32_UINT",
                                "32_32_32_32_SINT",
                                "32_32_32_32_FLOAT"};
// Vega ISA guide, buffer resource descriptor: data format and number format.
constexpr Names kDataFormats[] = {"INVALID",     "8",        "16",          "8_8",        "32",      "16_16",
                                  "10_11_11",    "11_11_10", "10_10_10_2",  "2_10_10_10", "8_8_8_8", "32_32",
                                  "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
constexpr Names kNumberFormats[] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"};

}  // namespace

std::span<const char* const> buffer_format_names(Generation generation) {
  switch (family_of(generation)) {
    case Family::gfx9:
      return {};
    case Family::gfx10:
      return kFormats10;
    case Family::gfx11:
    case Family::gfx12:
      return kFormats11;
  }
  return {};
}

std::span<const char* const> data_format_names() {
  return kDataFormats;
}

std::span<const char* const> number_format_names() {
  return kNumberFormats;
}

}  // namespace spalt::isa
