// SPDX-License-Identifier: MIT
// image_sample*, image_gather4* and image_get_lod (sections "Image Sample" and "Image Gather4" of the ISA guides).
#include <algorithm>
#include <bit>

#include "emu/image/sample_lane.h"
#include "emu/launch/program.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

/// One component of each of the four texels: the lowest one of dmask.
void set_gather_results(TexelRead& read, const ImageDescriptor& image, unsigned dmask) {
  const unsigned component = dmask == 0 ? 0 : static_cast<unsigned>(std::countr_zero(dmask));
  read.results = 4;
  read.select.fill(image.bound ? image.dst_sel[component] : uint8_t{abi::kSelect0});
}

void sample(Wave& wave, const Step& step, LodSource source) {
  SampleInstruction instruction(wave, step, source);
  if (!instruction.ready()) return;
  const unsigned args = isa::info(step.inst.opcode, wave.program().target().generation).image_args;
  const bool gathers = (args & isa::kImageGather) != 0, compares = (args & isa::kImageCompare) != 0;
  const ImageDescriptor& image = instruction.image();
  Transfer& transfer = begin_texel_read(wave, step, image, gathers ? TexelRead::Kind::gather : TexelRead::Kind::filter);
  TexelRead& read = transfer.texels;
  if (gathers) set_gather_results(read, image, step.inst.mods.dmask);
  if (compares) read.compare = instruction.sampler().compare;
  read.reduction = instruction.sampler().reduction;
  for_each_lane(transfer.lanes, [&](unsigned lane) {
    begin_lane(transfer, lane);
    if (!image.bound || !instruction.ready()) return;
    if (compares) read.reference[lane] = instruction.reference(lane);
    if (gathers) {
      instruction.add_gather(transfer, lane);
    } else {
      instruction.add_filter(transfer, lane);
    }
  });
  end_transfer(wave, transfer);
}

template <LodSource Source>
void image_sample(Wave& wave, const Step& step) {
  sample(wave, step, Source);
}

void image_get_lod(Wave& wave, const Step& step) {
  SampleInstruction instruction(wave, step, LodSource::quad);
  if (!instruction.ready()) return;
  Transfer& transfer = begin_query(wave, step, texel::Number::floating);
  for_each_lane(transfer.lanes, [&](unsigned lane) {
    texel::Texel result{};
    if (instruction.image().bound) {
      const SampleInstruction::Query query = instruction.query(lane);
      result = {as_bits(query.level), as_bits(query.lod), 0, 0};
    }
    set_results(transfer, lane, step.inst.mods.dmask, result);
  });
  end_transfer(wave, transfer);
}

/// With and without comparison and offsets.
#define SPALT_FORMS(base, suffix, source)                                                                       \
  {Op::base##suffix, image_sample<LodSource::source>}, {Op::base##_c##suffix, image_sample<LodSource::source>}, \
      {Op::base##suffix##_o, image_sample<LodSource::source>}, {                                                \
    Op::base##_c##suffix##_o, image_sample<LodSource::source>                                                   \
  }
/// With 32-bit and 16-bit gradients, too.
#define SPALT_GRADIENT_FORMS(suffix, source)                                                                    \
  SPALT_FORMS(image_sample, suffix, source), {Op::image_sample##suffix##_g16, image_sample<LodSource::source>}, \
      {Op::image_sample_c##suffix##_g16, image_sample<LodSource::source>},                                      \
      {Op::image_sample##suffix##_o_g16, image_sample<LodSource::source>}, {                                    \
    Op::image_sample_c##suffix##_o_g16, image_sample<LodSource::source>                                         \
  }
constexpr HandlerRow kRows[] = {
    SPALT_FORMS(image_sample, , quad),
    SPALT_FORMS(image_sample, _cl, quad_clamped),
    SPALT_FORMS(image_sample, _l, level),
    SPALT_FORMS(image_sample, _b, quad_biased),
    SPALT_FORMS(image_sample, _b_cl, quad_biased_clamped),
    SPALT_FORMS(image_sample, _lz, zero),
    SPALT_GRADIENT_FORMS(_d, gradients),
    SPALT_GRADIENT_FORMS(_d_cl, gradients_clamped),
    SPALT_GRADIENT_FORMS(_cd, gradients),
    SPALT_GRADIENT_FORMS(_cd_cl, gradients_clamped),
    SPALT_FORMS(image_gather4, , quad),
    SPALT_FORMS(image_gather4, _cl, quad_clamped),
    SPALT_FORMS(image_gather4, _l, level),
    SPALT_FORMS(image_gather4, _b, quad_biased),
    SPALT_FORMS(image_gather4, _b_cl, quad_biased_clamped),
    SPALT_FORMS(image_gather4, _lz, zero),
    {Op::image_get_lod, image_get_lod},
};
#undef SPALT_GRADIENT_FORMS
#undef SPALT_FORMS

}  // namespace

void add_image_sample(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
