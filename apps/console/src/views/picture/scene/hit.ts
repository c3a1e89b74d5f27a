import type { Box } from './scene-parts.js';
import type { Sprites } from './sprites.js';
import type { Thing, World } from '../model/world.js';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The pod under a point of the picture. A look at every pod takes less time than a frame has to spare. */
export function hitPlace(world: World, sprites: Sprites, { x, y }: Point): Thing | undefined {
  for (let i = 0; i < sprites.top; i++) {
    if (sprites.shown[i] === 0) continue;
    const half = sprites.side[i]! / 2;
    if (Math.abs(sprites.x[i]! - x) <= half && Math.abs(sprites.y[i]! - y) <= half) return world.pod(i);
  }
  return undefined;
}

/** The innermost box under a point that stands for an object. */
export function hitBox(boxes: readonly Box[], { x, y }: Point): Box | undefined {
  let hit: Box | undefined;
  for (const box of boxes) {
    const isInside = x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h;
    if (isInside && box.thing && (!hit || box.depth >= hit.depth)) hit = box;
  }
  return hit;
}
