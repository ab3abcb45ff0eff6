// SPDX-License-Identifier: MIT
#pragma once
#include "image_file/image_file.h"
#include "run/image_argument.h"

namespace spalt_tool {

/// The image that an argument makes: read from its file or zeros, in the format that it names. Where it names none,
/// `declared` is the format of the shader, 0 for none. Of a file, integers become integers and all other numbers each
/// other, texel by texel; the codes of a PNG are numbers from 0 to 1, those of sRGB for an sRGB format, or unsigned
/// integers for one of these. Throws Failure.
ImageData make_image(const ImageArgument& argument, uint32_t declared);

/// Of the image that an argument names: "--image 0:1[2]: ", to begin a sentence with.
std::string about_image(const Place& place);

}  // namespace spalt_tool
