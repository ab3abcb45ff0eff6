// SPDX-License-Identifier: MIT
#include "accesses.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace spalt::sampling {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// As a shader gets it.
double rounded(double value) {
  return double{static_cast<float>(value)};
}

/// Coordinates in texels that are worth a look, for an axis of `size` texels.
std::vector<double> places_of(int size) {
  constexpr double kSteps[] = {0.0, 0x1p-9, 0.25, 0.5 - 0x1p-8, 0.5, 0.5 + 0x1p-9, 0.75, 1.0 - 0x1p-9, 1.0 - 0x1p-10};
  std::vector<double> places;
  for (int texel = -2; texel < size + 2; ++texel) {
    for (const double step : kSteps) places.push_back(texel + step);
  }
  for (const double far : {-3.5, -1.25, 2.75, 7.0, 101.5, -99.0}) places.push_back(far * size);
  for (const double huge : {0x1p+24, -0x1p+24 - 2.0, 0x1p+31, -0x1p+40, 0x1p+100}) places.push_back(huge);
  return places;
}

double far_outside(Random& random, int size) {
  return (random.unit() - 0.5) * 200.0 * size;
}

double level_of_detail(Random& random) {
  constexpr double kLevels[] = {0.0, -1.0, 0.25, 0.5, 1.0, 1.4375, 1.5, 2.0, 2.75, 3.0, 7.0, 100.0, -100.0};
  return kLevels[random.below(static_cast<unsigned>(std::size(kLevels)))];
}

double layer_of(Random& random) {
  switch (random.below(8)) {
    case 0:
      return random.below(4) - 0.5;  // a tie
    case 1:
      return random.chance(50) ? 1e5 : -1e5;
    default:
      return rounded(random.unit() * 5.0 - 1.0);
  }
}

/// `margin`: how far from the edges of the face, where derivatives differ while a device may take either. `is_unit`:
/// the major axis is 1.
std::array<double, 3> direction(Random& random, double margin, bool is_unit, const std::vector<double>& places) {
  const auto place = [&] {
    if (margin != 0.0) return margin + (1.0 - 2.0 * margin) * random.unit();
    const double s = places[random.below(static_cast<unsigned>(places.size()))] / 8.0;
    return s - std::floor(s);
  };
  const auto face = static_cast<int>(random.below(6));
  const double s = place();
  std::array<double, 3> result = direction_of({face, s, place()});
  const double scale = is_unit ? 1.0 : std::exp2(random.below(9) - 4.0);
  for (double& component : result) component = rounded(component * scale);
  return result;
}

class Maker {
 public:
  Maker(const Kind& kind, Operation operation, bool anisotropic, uint32_t first_level, uint64_t seed)
      : kind_(kind), operation_(operation), anisotropic_(anisotropic), random_(seed) {
    for (size_t axis = 0; axis < 3; ++axis) {
      size_[axis] = std::max(1, static_cast<int>(kind.size[axis] >> first_level));
      level_size_[axis] = size_[axis];
      places_[axis] = places_of(size_[axis]);
    }
  }

  Access next(size_t number) {
    Access access;
    if (facts(operation_).fetches) {
      fetch(access);
      return access;
    }
    place(access, number);
    set_lod(access);
    if (operation_ == Operation::Offset || operation_ == Operation::GatherOffset) set_offset(access, kOffset);
    if (operation_ == Operation::GatherDynamicOffset) {
      const auto any = [&] { return static_cast<int>(random_.below(16)) - 8; };
      const int first = any();
      set_offset(access, {first, any(), 0});
    }
    if (operation_ == Operation::GatherFourOffsets) access.four_offsets = kFourOffsets;
    if (facts(operation_).compares) access.reference = random_.below(257) / 256.0;
    return access;
  }

  /// The other invocations of a quad; `first` is the one that the derivatives begin at.
  std::array<Access, 4> quad(const Access& first) {
    std::array<Access, 4> accesses;
    std::array<std::array<double, 3>, 4> at;
    const auto gradients = random_gradients(kind_.is_cube ? 0x1p-6 : 1.0);
    for (size_t lane = 0; lane < 4; ++lane) {
      for (size_t axis = 0; axis < 3; ++axis) {
        const double beside = (random_.unit() - 0.5) * 0.125;  // derivatives of rows differ
        const double x = static_cast<double>(lane % 2) + beside;
        const double y = static_cast<double>(lane / 2) + beside;
        at[lane][axis] = rounded(first.coordinates[axis] + x * gradients[0][axis] + y * gradients[1][axis]);
      }
    }
    for (size_t lane = 0; lane < 4; ++lane) {
      accesses[lane] = first;
      accesses[lane].coordinates = at[lane];
      accesses[lane].quad = at;
      if (facts(operation_).compares) accesses[lane].reference = random_.below(257) / 256.0;
    }
    return accesses;
  }

 private:
  void fetch(Access& access) {
    access.lod = random_.below(kind_.levels);
    const auto level = static_cast<unsigned>(access.lod);
    const bool moves = operation_ == Operation::FetchOffset;
    for (size_t axis = 0; axis < static_cast<size_t>(kind_.axes); ++axis) {
      const unsigned size = std::max(1u, static_cast<unsigned>(level_size_[axis]) >> level);
      access.offset[axis] = moves ? kOffset[axis] : 0;
      access.coordinates[axis] = static_cast<int>(random_.below(size)) - access.offset[axis];
    }
    if (kind_.is_array) access.layer = random_.below(kind_.layers);
  }

  void place(Access& access, size_t number) {
    const bool asks_quad = facts(operation_).lod == LodSource::quad;
    for (size_t axis = 0; axis < 3; ++axis) {
      const std::vector<double>& places = places_[axis];
      const size_t index = axis == 0 ? number % places.size() : random_.below(static_cast<unsigned>(places.size()));
      double texels = places[index];
      if (random_.below(8) == 0) texels = random_.unit() * size_[axis];
      if (random_.below(16) == 0) texels = far_outside(random_, size_[axis]);
      // Differences of what is far away say nothing.
      if (asks_quad || anisotropic_) texels = (random_.unit() * 6.0 - 2.5) * size_[axis];
      access.coordinates[axis] = rounded(operation_ == Operation::Unnormalized ? texels : texels / size_[axis]);
    }
    const bool has_gradients = asks_quad || facts(operation_).lod == LodSource::gradients;
    const double margin = anisotropic_ ? 0.375 : has_gradients ? 0.0625 : 0.0;
    if (kind_.is_cube) access.coordinates = direction(random_, margin, asks_quad || anisotropic_, places_[0]);
    // What is not a number is for one access in 64, and one axis.
    const bool is_odd = !asks_quad && !anisotropic_ && !kind_.is_cube && number % 64 == 37;
    if (is_odd)
      access.coordinates[random_.below(3)] = number % 3 == 0 ? kNan : number % 3 == 1 ? kInfinity : -kInfinity;
    if (kind_.is_array) access.layer = layer_of(random_);
  }

  void set_lod(Access& access) {
    const double lod = rounded(level_of_detail(random_));
    switch (operation_) {
      case Operation::Lod:
      case Operation::CompareLod:
      case Operation::Offset:
      case Operation::Projective:
        access.lod = lod;
        break;
      case Operation::ImplicitBias:
        access.bias = std::clamp(lod, -4.0, 4.0);
        break;
      case Operation::ImplicitClamp:
      case Operation::ClampedGradients:
        access.min_lod = std::clamp(lod, 0.0, 4.0);
        break;
      default:
        break;
    }
    if (facts(operation_).lod == LodSource::gradients) {
      access.gradients = random_gradients(anisotropic_ ? 0.25 : 1.0);
      // Without extent now and then.
      if (!anisotropic_ && random_.below(16) == 0) access.gradients = {{{0, 0, 0}, {0, 0, 0}}};
    }
  }

  /// In units of the image, of very different lengths. Those of directions are to the length of the major axis.
  std::array<std::array<double, 3>, 2> random_gradients(double largest) {
    std::array<std::array<double, 3>, 2> gradients{};
    for (auto& derivative : gradients) {
      const double scale = largest * std::exp2(random_.unit() * 8.0 - 7.0);
      for (double& component : derivative) component = rounded((random_.unit() - 0.5) * scale);
    }
    return gradients;
  }

  void set_offset(Access& access, const std::array<int, 3>& offset) const {
    for (size_t axis = 0; axis < static_cast<size_t>(kind_.axes); ++axis) access.offset[axis] = offset[axis];
  }

  const Kind& kind_;
  Operation operation_;
  bool anisotropic_;
  Random random_;
  std::array<int, 3> size_{}, level_size_{};
  std::array<std::vector<double>, 3> places_;
};

}  // namespace

std::vector<Access> make_accesses(const Kind& kind, Operation operation, bool anisotropic, uint32_t first_level,
                                  size_t count, uint64_t seed) {
  Maker maker(kind, operation, anisotropic, first_level, seed);
  std::vector<Access> accesses;
  while (accesses.size() < count) {
    const Access access = maker.next(accesses.size());
    if (facts(operation).lod != LodSource::quad) {
      accesses.push_back(access);
      continue;
    }
    for (const Access& lane : maker.quad(access)) accesses.push_back(lane);
  }
  return accesses;
}

std::vector<float> packed(const std::vector<Access>& accesses, uint64_t seed) {
  Random random(seed);
  std::vector<float> values;
  const auto add = [&](std::initializer_list<double> numbers) {
    for (const double number : numbers) values.push_back(static_cast<float>(number));
  };
  for (const Access& access : accesses) {
    const auto& at = access.coordinates;
    add({at[0], at[1], at[2], access.layer});
    const double divisor = 0.5 + random.unit();
    if (access.gradients) {
      for (const auto& derivative : *access.gradients) add({derivative[0], derivative[1], derivative[2], divisor});
    } else {
      add({double(access.offset[0]), double(access.offset[1]), double(access.offset[2]), divisor});
      add({0.0, 0.0, 0.0, 0.0});
    }
    add({access.lod, access.reference.value_or(0.0), std::max(access.min_lod, 0.0), access.bias});
  }
  return values;
}

}  // namespace spalt::sampling
