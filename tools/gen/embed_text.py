#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a text file as a C++ string literal, in pieces that every compiler takes.

usage: embed_text.py INPUT OUTPUT      OUTPUT is to be included where an expression of type const char* stands
"""
import pathlib
import sys

PIECE = 8000
text = pathlib.Path(sys.argv[1]).read_text(encoding='utf-8')
pieces = [text[i:i + PIECE] for i in range(0, len(text), PIECE)]
pathlib.Path(sys.argv[2]).write_text('\n'.join(f'R"spalt_text({piece})spalt_text"' for piece in pieces) + '\n', encoding='utf-8')
