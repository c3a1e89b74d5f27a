import { clip, podName, shorten } from '../model/format.js';
import { FONT } from './paint-boxes.js';
import { NAMED, type View } from './view.js';
import type { Palette } from './palette.js';
import { TONES, toneOf, type Tone } from '../model/tone.js';
import type { Thing } from '../model/world.js';

/** A pod with so many pixels shows its containers, and then what each runs. */
const CONTAINERS = 96;
const IMAGES = 200;

/** Signs, names and containers of the pods that are large enough, and a ring around the selected one. */
export function paintDetails(ctx: CanvasRenderingContext2D, view: View, large: readonly number[]): void {
  const { sprites, camera, world } = view;
  const { k, x, y } = camera;
  ctx.textBaseline = 'middle';
  for (const i of large) {
    const thing = world.pod(i);
    if (!thing) continue;
    const s = sprites.side[i]! * k;
    const at = { x: sprites.x[i]! * k + x, y: sprites.y[i]! * k + y, s };
    if (s >= NAMED) paintPod(ctx, view, thing, at);
    else paintSign(ctx, view.palette, TONES[sprites.tone[i]!]!, at);
  }
  for (const uid of view.faulty) ring(ctx, view, uid, view.palette.bad, true);
  if (view.hovered) ring(ctx, view, view.hovered, view.palette.title, false);
  if (view.selected) ring(ctx, view, view.selected, view.palette.select, false);
}

interface At {
  readonly x: number;
  readonly y: number;
  readonly s: number;
}

/** What a colour says, once more without colour. */
function paintSign(ctx: CanvasRenderingContext2D, palette: Palette, tone: Tone, { x, y, s }: At): void {
  ctx.strokeStyle = palette.onTone;
  ctx.lineWidth = Math.max(1.2, s * 0.08);
  const r = s * 0.2;
  ctx.beginPath();
  SIGNS[tone](ctx, x, y, r);
  ctx.stroke();
}

type Sign = (ctx: CanvasRenderingContext2D, x: number, y: number, r: number) => void;
const line = (ctx: CanvasRenderingContext2D, points: readonly number[]): void => {
  ctx.moveTo(points[0]!, points[1]!);
  for (let i = 2; i < points.length; i += 2) ctx.lineTo(points[i]!, points[i + 1]!);
};
const SIGNS: Readonly<Record<Tone, Sign>> = {
  ready: () => undefined,
  unready: (ctx, x, y, r) => line(ctx, [x - r, y, x + r, y]),
  starting: (ctx, x, y, r) => ctx.arc(x, y, r, 0, Math.PI * 1.5),
  waiting: (ctx, x, y, r) => line(ctx, [x - r / 2, y - r, x - r / 2, y + r, x + r / 2, y + r, x + r / 2, y - r]),
  failing: (ctx, x, y, r) => {
    line(ctx, [x - r, y - r, x + r, y + r]);
    line(ctx, [x + r, y - r, x - r, y + r]);
  },
  ending: (ctx, x, y, r) => line(ctx, [x - r, y - r * 0.6, x, y + r * 0.6, x + r, y - r * 0.6]),
  done: (ctx, x, y, r) => line(ctx, [x - r, y, x - r * 0.2, y + r * 0.7, x + r, y - r * 0.7]),
};

function paintPod(ctx: CanvasRenderingContext2D, view: View, thing: Thing, { x, y, s }: At): void {
  const { palette } = view;
  const { is } = thing;
  const pad = Math.max(4, s * 0.07);
  const size = Math.max(8, Math.min(15, s * 0.13));
  const [left, top] = [x - s / 2 + pad, y - s / 2 + pad];
  ctx.fillStyle = palette.onTone;
  ctx.font = `600 ${size}px ${FONT}`;
  // Some letters are wider than is reckoned: what does not fit is drawn narrower.
  const width = s - 2 * pad;
  ctx.fillText(clip(shorten(podName(thing), width, size * 0.66), width, size * 0.66), left, top + size * 0.6, width);
  ctx.font = `${Math.max(8, size * 0.86)}px ${FONT}`;
  const status = `${is.status ?? ''} ${Number(is.ready ?? 0)}/${is.total ?? 0}`;
  ctx.fillText(clip(status, width, size * 0.54), left, top + size * 1.85, width);
  if (is.restarts && s > 70) ctx.fillText(clip(`↻ ${is.restarts}`, width, size * 0.5), left, top + size * 3);
  if (s < CONTAINERS) {
    paintSign(ctx, palette, toneOf(thing), { x: x + s / 2 - s * 0.2, y: y + s / 2 - s * 0.2, s: s * 0.5 });
    return;
  }
  paintContainers(ctx, view, thing, { left, width, top: y + s * 0.02, bottom: y + s / 2 - pad });
}

function paintContainers(
  ctx: CanvasRenderingContext2D,
  { palette }: View,
  { is }: Thing,
  { left, width, top, bottom }: { left: number; width: number; top: number; bottom: number },
): void {
  const containers = is.containers ?? [];
  const each = (bottom - top) / Math.max(1, containers.length);
  const size = Math.max(7, Math.min(13, each * 0.3, width * 0.09));
  containers.forEach((container, i) => {
    const y = top + i * each;
    ctx.fillStyle = palette.box;
    ctx.beginPath();
    ctx.roundRect(left, y + 1, width, each - 2, Math.min(6, each * 0.15));
    ctx.fill();
    ctx.fillStyle =
      palette.tones[container.state === 'Running' ? (container.ready ? 'ready' : 'unready') : TONE_OF(container.state)];
    ctx.beginPath();
    ctx.arc(left + size * 0.9, y + size * 1.1, size * 0.38, 0, 2 * Math.PI);
    ctx.fill();
    if (each < size * 1.4) return;
    ctx.fillStyle = palette.title;
    ctx.font = `600 ${size}px ${FONT}`;
    ctx.fillText(clip(container.name, width - size * 2.4, size * 0.57), left + size * 1.7, y + size * 1.15);
    if (each < size * 3.2) return;
    ctx.fillStyle = palette.text;
    ctx.font = `${size * 0.9}px ${FONT}`;
    const restarts = container.restarts ? ` ↻ ${container.restarts}` : '';
    ctx.fillText(
      clip(`${container.state ?? ''}${restarts}`, width - size, size * 0.5),
      left + size * 0.6,
      y + size * 2.5,
    );
    if (width >= IMAGES * 0.8 && each > size * 4.6)
      ctx.fillText(clip(container.image ?? '', width - size, size * 0.5), left + size * 0.6, y + size * 3.8);
  });
}

const TONE_OF = (state: string | undefined): Tone =>
  state === 'Completed' ? 'done' : /Creating|Initializing|^Waiting$/.test(state ?? '') ? 'starting' : 'failing';

function ring(ctx: CanvasRenderingContext2D, view: View, uid: string, colour: string, isDashed: boolean): void {
  const { sprites, camera, world } = view;
  const thing = world.get(uid);
  const i = thing?.index ?? -1;
  if (i < 0 || sprites.shown[i] !== 1) return;
  const s = Math.max(5, sprites.side[i]! * camera.k) + 5;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2.5;
  if (isDashed) ctx.setLineDash([4, 3]);
  ctx.beginPath();
  ctx.roundRect(
    sprites.x[i]! * camera.k + camera.x - s / 2,
    sprites.y[i]! * camera.k + camera.y - s / 2,
    s,
    s,
    Math.min(9, s * 0.25),
  );
  ctx.stroke();
  ctx.setLineDash([]);
}
