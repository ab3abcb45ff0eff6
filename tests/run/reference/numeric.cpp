// SPDX-License-Identifier: MIT
//
// Linear algebra, transforms and simulation, in double precision.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

void matmul_tiled(const Manifest&, BufferContents& b) {
  for (size_t row = 0; row < 40; ++row) {
    for (size_t column = 0; column < 24; ++column) {
      double sum = 0.0;
      for (size_t k = 0; k < 56; ++k) sum += double{f32(b, 0)[row * 56 + k]} * double{f32(b, 1)[k * 24 + column]};
      f32(b, 2)[row * 24 + column] = static_cast<float>(sum);
    }
  }
}

/// The definition of the discrete Fourier transform.
void fft(const Manifest&, BufferContents& b) {
  for (size_t signal = 0; signal < 4; ++signal) {
    const auto values = f32(b, 0).subspan(signal * 512, 512);
    std::vector<std::complex<double>> spectrum(256);
    for (size_t k = 0; k < 256; ++k) {
      for (size_t n = 0; n < 256; ++n) {
        const double angle = -2.0 * std::numbers::pi * static_cast<double>(k * n % 256) / 256.0;
        spectrum[k] += std::complex<double>(double{values[2 * n]}, double{values[2 * n + 1]}) * std::polar(1.0, angle);
      }
    }
    for (size_t k = 0; k < 256; ++k) {
      values[2 * k] = static_cast<float>(spectrum[k].real());
      values[2 * k + 1] = static_cast<float>(spectrum[k].imag());
    }
  }
}

void nbody(const Manifest& manifest, BufferContents& b) {
  size_t from = 0;
  for (size_t step = 0; step < manifest.dispatches.size(); ++step, from = 1 - from) {
    const auto old = f32(b, from);
    for (size_t i = 0; i < 128; ++i) {
      double acceleration[3] = {};
      for (size_t j = 0; j < 128; ++j) {
        double offset[3];
        double square = 0.25;
        for (size_t c = 0; c < 3; ++c) {
          offset[c] = double{old[j * 8 + c]} - double{old[i * 8 + c]};
          square += offset[c] * offset[c];
        }
        for (size_t c = 0; c < 3; ++c)
          acceleration[c] += offset[c] * double{old[j * 8 + 3]} / (square * std::sqrt(square));
      }
      for (size_t c = 0; c < 3; ++c) {
        const double velocity = double{old[i * 8 + 4 + c]} + acceleration[c] * 0.0078125;
        f32(b, 1 - from)[i * 8 + 4 + c] = static_cast<float>(velocity);
        f32(b, 1 - from)[i * 8 + c] = static_cast<float>(double{old[i * 8 + c]} + velocity * 0.0078125);
      }
      f32(b, 1 - from)[i * 8 + 3] = old[i * 8 + 3];
      f32(b, 1 - from)[i * 8 + 7] = old[i * 8 + 7];
    }
  }
}

using Matrix = std::vector<std::vector<double>>;

Matrix cholesky_factor(const Matrix& a) {
  const size_t n = a.size();
  Matrix factor(n, std::vector<double>(n, 0.0));
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (size_t k = 0; k < j; ++k) sum -= factor[i][k] * factor[j][k];
      factor[i][j] = i == j ? std::sqrt(sum) : sum / factor[j][j];
    }
  }
  return factor;
}

/// Gauss elimination with the largest pivot; reports the rows in the order of their use.
std::vector<double> solve(Matrix a, std::vector<double> right, std::vector<size_t>& order) {
  const size_t n = a.size();
  order.clear();
  for (size_t i = 0; i < n; ++i) order.push_back(i);
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[order[i]][k]) > std::abs(a[order[pivot]][k])) pivot = i;
    }
    std::swap(order[k], order[pivot]);
    for (size_t i = k + 1; i < n; ++i) {
      const double ratio = a[order[i]][k] / a[order[k]][k];
      for (size_t j = k; j < n; ++j) a[order[i]][j] -= ratio * a[order[k]][j];
      right[order[i]] -= ratio * right[order[k]];
    }
  }
  std::vector<double> x(n);
  for (size_t i = n; i-- > 0;) {
    x[i] = right[order[i]];
    for (size_t j = i + 1; j < n; ++j) x[i] -= a[order[i]][j] * x[j];
    x[i] /= a[order[i]][i];
  }
  return x;
}

void cholesky(const Manifest&, BufferContents& b) {
  for (size_t system = 0; system < 3; ++system) {
    const auto r = f32(b, 0).subspan(system * 256, 256);
    Matrix a(16, std::vector<double>(16, 0.0));
    for (size_t i = 0; i < 16; ++i) {
      for (size_t j = 0; j < 16; ++j) {
        a[i][j] = i == j ? 4.0 : 0.0;
        for (size_t k = 0; k < 16; ++k) a[i][j] += double{r[i * 16 + k]} * double{r[j * 16 + k]};
      }
    }
    const Matrix factor = cholesky_factor(a);
    const auto right = f32(b, 1).subspan(system * 16, 16);
    std::vector<size_t> order;
    const std::vector<double> x = solve(a, std::vector<double>(right.begin(), right.end()), order);
    for (size_t i = 0; i < 256; ++i) f32(b, 2)[system * 256 + i] = static_cast<float>(factor[i / 16][i % 16]);
    for (size_t i = 0; i < 16; ++i) f32(b, 3)[system * 16 + i] = static_cast<float>(x[i]);
  }
}

void lu_solve(const Manifest&, BufferContents& b) {
  for (size_t system = 0; system < 128; ++system) {
    const auto entries = f32(b, 0).subspan(system * 30, 30);
    Matrix a(5, std::vector<double>(5));
    std::vector<double> right(5);
    for (size_t i = 0; i < 5; ++i) {
      for (size_t j = 0; j < 5; ++j) a[i][j] = double{entries[i * 6 + j]};
      a[i][(i * 2 + system) % 5] += 6.0 + static_cast<double>(i);
      right[i] = double{entries[i * 6 + 5]};
    }
    std::vector<size_t> order;
    const std::vector<double> x = solve(a, right, order);
    uint32_t packed = 0;
    for (size_t i = 0; i < 5; ++i) {
      f32(b, 1)[system * 5 + i] = static_cast<float>(x[i]);
      packed |= static_cast<uint32_t>(order[i]) << (4 * i);
    }
    u32(b, 2)[system] = packed;
  }
}

void spmv_csr(const Manifest&, BufferContents& b) {
  for (size_t row = 0; row + 1 < u32(b, 0).size(); ++row) {
    double sum = 0.0;
    for (uint32_t i = u32(b, 0)[row]; i < u32(b, 0)[row + 1]; ++i) {
      sum += double{f32(b, 2)[i]} * double{f32(b, 3)[u32(b, 1)[i]]};
    }
    f32(b, 4)[row] = static_cast<float>(sum);
  }
}

constexpr Reference kReferences[] = {
    {"matmul_tiled", matmul_tiled}, {"fft", fft},           {"nbody", nbody},
    {"cholesky", cholesky},         {"lu_solve", lu_solve}, {"spmv_csr", spmv_csr},
};

}  // namespace

std::span<const Reference> numeric_references() {
  return kReferences;
}

}  // namespace spalt::run
