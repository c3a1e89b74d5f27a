import type { Actors } from '../model/actors.js';
import { BEAM_MS, type Beams } from '../scene/beams.js';
import type { Camera } from '../scene/camera.js';
import { clip } from '../model/format.js';
import { FONT } from './paint-boxes.js';
import type { Palette } from './palette.js';
import type { Sprites } from '../scene/sprites.js';

export const STRIP = 54;
const CHIP_H = 26;
const GAP = 8;
const SIZE = 12;
const DOT = 4;

interface Strip {
  readonly actors: Actors;
  readonly palette: Palette;
  readonly w: number;
  /** Parts that are switched off, or that a fault keeps down. */
  readonly down: ReadonlySet<string>;
}

export interface Chip {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Where the parts stand above the picture; what has no room is left out. */
export function chipsOf({ actors, w }: Pick<Strip, 'actors' | 'w'>): Chip[] {
  const chips: Chip[] = [];
  let x = 14;
  for (const { name } of actors.all) {
    const width = Math.min(190, name.length * SIZE * 0.57 + 30);
    if (x + width > w - 10) break;
    chips.push({ name, x, y: (STRIP - CHIP_H) / 2, w: width, h: CHIP_H });
    x += width + GAP;
  }
  return chips;
}

/** The control plane and its loops: who is at work glows. */
export function paintStrip(ctx: CanvasRenderingContext2D, strip: Strip, chips: readonly Chip[]): void {
  const { actors, palette, w, down } = strip;
  ctx.fillStyle = palette.grid;
  ctx.fillRect(0, 0, w, STRIP);
  ctx.fillStyle = palette.edge;
  ctx.fillRect(0, STRIP - 1, w, 1);
  ctx.textBaseline = 'middle';
  const heat = new Map(actors.all.map((actor) => [actor.name, actor.heat]));
  for (const { name, x, y, w: width, h } of chips) {
    const warmth = heat.get(name) ?? 0;
    const isDown = down.has(name);
    ctx.fillStyle = palette.box;
    ctx.beginPath();
    ctx.roundRect(x, y, width, h, h / 2);
    ctx.fill();
    ctx.strokeStyle = isDown ? palette.bad : warmth > 0 ? palette.beam : palette.edge;
    ctx.lineWidth = 1 + 1.5 * warmth;
    ctx.setLineDash(isDown ? [4, 3] : []);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.fillStyle = isDown ? palette.bad : warmth > 0 ? palette.beam : palette.faint;
    ctx.beginPath();
    ctx.arc(x + 14, y + h / 2, DOT + warmth, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillStyle = warmth > 0.3 ? palette.title : palette.text;
    ctx.font = `${warmth > 0.3 ? 600 : 400} ${SIZE}px ${FONT}`;
    ctx.fillText(clip(name, width - 26, SIZE * 0.55), x + 23, y + h / 2 + 0.5);
  }
}

/** Lines from who acts to what is acted on. */
export function paintBeams(
  ctx: CanvasRenderingContext2D,
  {
    beams,
    chips,
    sprites,
    camera,
    palette,
  }: {
    beams: Beams;
    chips: readonly Chip[];
    sprites: Sprites;
    camera: Camera;
    palette: Palette;
  },
): void {
  ctx.strokeStyle = ctx.fillStyle = palette.beam;
  for (const { actor, index, x, y, age } of beams.all) {
    const chip = chips.find(({ name }) => name === actor);
    if (!chip) continue;
    const share = Math.min(1, age / BEAM_MS);
    const to = index >= 0 && sprites.shown[index] === 1 ? { x: sprites.x[index]!, y: sprites.y[index]! } : { x, y };
    const [x0, y0] = [chip.x + chip.w / 2, chip.y + chip.h];
    const [x1, y1] = [to.x * camera.k + camera.x, Math.max(STRIP, to.y * camera.k + camera.y)];
    const head = Math.min(1, share * 1.6);
    const tail = Math.max(0, share * 1.6 - 0.6);
    const [bx, by] = [x0, y0 + (y1 - y0) * 0.55];
    ctx.globalAlpha = 0.75 * (1 - share);
    ctx.lineWidth = 1.4;
    ctx.beginPath();
    for (let i = 0; i <= 8; i++) {
      const [px, py] = onCurve(x0, y0, bx, by, x1, y1, tail + ((head - tail) * i) / 8);
      if (i === 0) ctx.moveTo(px, py);
      else ctx.lineTo(px, py);
    }
    ctx.stroke();
    ctx.globalAlpha = 1 - share;
    const [px, py] = onCurve(x0, y0, bx, by, x1, y1, head);
    ctx.beginPath();
    ctx.arc(px, py, 2.4, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.globalAlpha = 1;
}

/** A point of a quadratic curve. */
function onCurve(x0: number, y0: number, bx: number, by: number, x1: number, y1: number, t: number): [number, number] {
  const u = 1 - t;
  return [u * u * x0 + 2 * u * t * bx + t * t * x1, u * u * y0 + 2 * u * t * by + t * t * y1];
}
