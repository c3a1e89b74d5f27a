import { MANY, pixelOf, type Dots } from './dots.js';
import { paintBoxes } from './paint-boxes.js';
import { paintDetails } from './paint-details.js';
import { TONES } from '../model/tone.js';
import { SIGN, type View } from './view.js';

/** A square is drawn with round corners when it has so many pixels; where there are many, when it has these. */
const ROUND = 9;
const ROUND_OF_MANY = 26;
/** A round corner costs as much as ten rectangles. */
const MANY_SQUARES = 300;

/** Draws the whole picture: only what is on the screen, and of that only what can be seen at its size. */
export function paint(ctx: CanvasRenderingContext2D, view: View, dots: Dots): void {
  const { palette, w, h } = view;
  ctx.fillStyle = palette.ground;
  ctx.fillRect(0, 0, w, h);
  paintBoxes(ctx, view);
  paintLinks(ctx, view);
  paintGhosts(ctx, view);
  const large = paintSquares(ctx, view, dots);
  paintDetails(ctx, view, large);
}

/** Squares by colour, so that a colour is set seven times and not twenty thousand. Returns those that have details. */
function paintSquares(ctx: CanvasRenderingContext2D, view: View, dots: Dots): number[] {
  const { sprites, camera, palette, w, h } = view;
  const { k, x: cx, y: cy } = camera;
  const { x, y, side, tone, shown, flash, top } = sprites;
  const byTone: number[][] = TONES.map(() => []);
  const flashing: number[] = [];
  const large: number[] = [];
  const small: number[] = [];
  for (let i = 0; i < top; i++) {
    if (shown[i] === 0) continue;
    const s = side[i]! * k;
    const [px, py] = [x[i]! * k + cx, y[i]! * k + cy];
    if (px + s < 0 || py + s < 0 || px - s > w || py - s > h || s < 0.2) continue;
    if (s < ROUND) {
      small.push(i);
      continue;
    }
    byTone[tone[i]!]!.push(i);
    if (flash[i]! > 0) flashing.push(i);
    if (s >= SIGN) large.push(i);
  }
  if (small.length >= MANY) paintDots(ctx, view, dots, small);
  else
    for (const i of small) {
      byTone[tone[i]!]!.push(i);
      if (flash[i]! > 0) flashing.push(i);
    }
  const shownCount = byTone.reduce((sum, list) => sum + list.length, 0);
  const round = shownCount > MANY_SQUARES ? ROUND_OF_MANY : ROUND;
  byTone.forEach((list, t) => {
    ctx.fillStyle = palette.tones[TONES[t]!];
    for (const i of list) square(ctx, x[i]! * k + cx, y[i]! * k + cy, Math.max(1, side[i]! * k), round);
  });
  for (const i of flashing) {
    const s = Math.max(1, side[i]! * k);
    ctx.globalAlpha = flash[i]! * 0.75;
    ctx.fillStyle = palette.flash;
    square(ctx, x[i]! * k + cx, y[i]! * k + cy, s * (1 + 0.25 * flash[i]!), round);
  }
  ctx.globalAlpha = 1;
  return large;
}

/** Those that have just changed are brighter. */
function paintDots(
  ctx: CanvasRenderingContext2D,
  { sprites, camera: { k, x: cx, y: cy }, palette, w, h, ratio }: View,
  dots: Dots,
  small: readonly number[],
): void {
  const { x, y, side, tone, flash } = sprites;
  const colours = TONES.map((one) =>
    Array.from({ length: SHADES }, (_, i) => pixelOf(palette.tones[one], palette.flash, (0.75 * i) / (SHADES - 1))),
  );
  dots.begin(w, h, ratio);
  for (const i of small) {
    const shade = flash[i]! > 0 ? Math.round(flash[i]! * (SHADES - 1)) : 0;
    const colour = colours[tone[i]!]![shade]!;
    dots.square((x[i]! * k + cx) * ratio, (y[i]! * k + cy) * ratio, side[i]! * k * ratio, colour);
  }
  dots.draw(ctx, w, h);
}
const SHADES = 8;

/** Around its middle. Those smaller than `round` are plain rectangles. */
function square(ctx: CanvasRenderingContext2D, x: number, y: number, s: number, round = ROUND): void {
  if (s < round) {
    ctx.fillRect(x - s / 2, y - s / 2, s, s);
    return;
  }
  ctx.beginPath();
  ctx.roundRect(x - s / 2, y - s / 2, s, s, Math.min(8, s * 0.2));
  ctx.fill();
}

function paintGhosts(ctx: CanvasRenderingContext2D, { sprites, camera: { k, x, y }, palette }: View): void {
  const round = sprites.top > MANY_SQUARES ? ROUND_OF_MANY : ROUND;
  for (const ghost of sprites.ghosts) {
    const life = Math.max(0, ghost.life);
    ctx.globalAlpha = 0.5 * life;
    ctx.fillStyle = palette.tones[TONES[ghost.tone]!];
    square(ctx, ghost.x * k + x, ghost.y * k + y, Math.max(1, ghost.side * k * (2 - life)), round);
  }
  ctx.globalAlpha = 1;
}

function paintLinks(ctx: CanvasRenderingContext2D, { scene, camera: { k, x, y }, palette }: View): void {
  ctx.lineWidth = Math.max(1, 2 * k);
  for (const { from, to, isBroken } of scene.links) {
    ctx.strokeStyle = isBroken ? palette.warn : palette.edge;
    ctx.setLineDash(isBroken ? [6 * k, 5 * k] : []);
    ctx.beginPath();
    ctx.moveTo(from.x * k + x, from.y * k + y);
    ctx.lineTo(to.x * k + x, to.y * k + y);
    ctx.stroke();
  }
  ctx.setLineDash([]);
}
