import type { Size } from './pack.js';

/** A point of the picture is on the screen at `k * point + (x, y)`. */
export interface Camera {
  readonly k: number;
  readonly x: number;
  readonly y: number;
}

export const MIN_ZOOM = 0.02;
export const MAX_ZOOM = 16;
const MOST_FIT = 1.6;

/** All of the picture in the middle of the screen, below what is at its top. */
export function fitCamera(scene: Size, screen: Size, top: number, margin = 24): Camera {
  const room = { w: Math.max(1, screen.w - 2 * margin), h: Math.max(1, screen.h - top - 2 * margin) };
  const k = Math.min(
    MOST_FIT,
    Math.max(MIN_ZOOM, Math.min(room.w / Math.max(1, scene.w), room.h / Math.max(1, scene.h))),
  );
  return { k, x: (screen.w - k * scene.w) / 2, y: top + margin + Math.max(0, (room.h - k * scene.h) / 2) };
}

export const toScene = ({ k, x, y }: Camera, px: number, py: number): { x: number; y: number } => ({
  x: (px - x) / k,
  y: (py - y) / k,
});

/** A thing of this side in the middle of the screen, so large that it can be read. */
export function lookAt(at: { x: number; y: number; side: number }, screen: Size, now: Camera, least: number): Camera {
  const k = Math.min(MAX_ZOOM, Math.max(now.k, least / Math.max(1, at.side)));
  return { k, x: screen.w / 2 - k * at.x, y: screen.h / 2 - k * at.y };
}

/** Between two cameras, `share` of the way. */
export const between = (a: Camera, b: Camera, share: number): Camera => ({
  k: a.k * (b.k / a.k) ** share,
  x: a.x + (b.x - a.x) * share,
  y: a.y + (b.y - a.y) * share,
});
