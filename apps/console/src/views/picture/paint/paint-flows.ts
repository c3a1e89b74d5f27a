import type { Camera } from '../scene/camera.js';
import type { Stream } from '../model/flows.js';
import type { Palette } from './palette.js';
import type { Sprites } from '../scene/sprites.js';

const DASH = [5, 7];
const PIXELS_PER_MS = 0.04;

/** Who talks to whom: dashes that run from the one to the other; refused ones end in a cross. */
export function paintFlows(
  ctx: CanvasRenderingContext2D,
  streams: Iterable<Stream>,
  { sprites, camera: { k, x, y }, palette, now }: { sprites: Sprites; camera: Camera; palette: Palette; now: number },
): void {
  ctx.lineWidth = 1.6;
  for (const { from, to, isRefused } of streams) {
    if (sprites.shown[from] !== 1 || sprites.shown[to] !== 1) continue;
    const [x0, y0] = [sprites.x[from]! * k + x, sprites.y[from]! * k + y];
    const [x1, y1] = [sprites.x[to]! * k + x, sprites.y[to]! * k + y];
    const bend = Math.min(80, Math.hypot(x1 - x0, y1 - y0) * 0.25);
    const [mx, my] = [(x0 + x1) / 2, (y0 + y1) / 2 - bend];
    ctx.strokeStyle = isRefused ? palette.bad : palette.beam;
    ctx.setLineDash(DASH);
    ctx.lineDashOffset = -(now * PIXELS_PER_MS);
    ctx.beginPath();
    ctx.moveTo(x0, y0);
    ctx.quadraticCurveTo(mx, my, x1, y1);
    ctx.stroke();
    ctx.setLineDash([]);
    if (!isRefused) continue;
    ctx.beginPath();
    ctx.moveTo(x1 - 5, y1 - 5);
    ctx.lineTo(x1 + 5, y1 + 5);
    ctx.moveTo(x1 + 5, y1 - 5);
    ctx.lineTo(x1 - 5, y1 + 5);
    ctx.stroke();
  }
}
