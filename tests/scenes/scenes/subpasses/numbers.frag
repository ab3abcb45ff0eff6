#version 450
// What a subpass with integers gets: a number for each tile, and how far its centre is.
layout(location = 0) out uint id;
layout(location = 1) out ivec2 away;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 tile = pixel / 8;
  id = uint(tile.x * 7 + tile.y * 13) * 2654435761u;
  away = pixel - (tile * 8 + 4);
}
