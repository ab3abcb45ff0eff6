// SPDX-License-Identifier: MIT
// NonSemantic.DebugPrintf: what a shader prints goes to a buffer as records, which messages.h reads.
//
// The buffer begins with the number of dwords that records have asked for, whether or not there was room. A record is
//   the number of the message: that of the first one of the module, plus its place among the module's instructions
//   how many dwords follow
//   for each argument: a dword of kind, bits and components (ArgumentForm), then its components, a dword each, the
//   low dword first where they have 64 bits. Narrower integers are zero extended, narrower floats become f32
#pragma once
#include <cstdint>
#include <string_view>

namespace spalt::spirv {

inline constexpr std::string_view kPrintfSet = "NonSemantic.DebugPrintf";
inline constexpr uint32_t kPrintfInstruction = 1;
/// Words of OpExtInst before the format string.
inline constexpr uint32_t kPrintfFormatWord = 5;

/// A string has no components: its form has the id of the OpString.
enum class ArgumentKind : uint8_t { boolean, integer, floating, string };

struct ArgumentForm {
  ArgumentKind kind = ArgumentKind::integer;
  uint8_t bits = 32;
  uint8_t components = 1;
  uint32_t pack() const {
    return static_cast<uint32_t>(kind) | static_cast<uint32_t>(bits) << 8 | static_cast<uint32_t>(components) << 16;
  }
  static ArgumentForm unpack(uint32_t word) {
    return {static_cast<ArgumentKind>(word & 0xff), static_cast<uint8_t>(word >> 8), static_cast<uint8_t>(word >> 16)};
  }
};

struct Reader;
struct Instruction;
/// Nothing without ReadOptions::printf.
bool translate_printf(Reader& r, const Instruction& in);

}  // namespace spalt::spirv
