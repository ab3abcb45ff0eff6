// SPDX-License-Identifier: MIT
#pragma once
// The one place that includes the MessagePack library, so that every file sees it configured alike.
#ifndef MSGPACK_NO_BOOST
#define MSGPACK_NO_BOOST
#endif
#include <msgpack.hpp>
