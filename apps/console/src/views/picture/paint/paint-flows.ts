import type { Stream } from '../model/flows.js';
import { letIn, podsOfPolicy } from '../model/policies.js';
import type { Thing } from '../model/world.js';
import type { View } from './view.js';

const DASH = [5, 7];
const PIXELS_PER_MS = 0.04;
/** Policies whose pods have a ring, and pods with lines to the policy that is pointed at. */
const MAX_POLICIES = 100;
const MAX_LINES = 200;

interface Point {
  readonly x: number;
  readonly y: number;
}
/** Where a thing's middle is, in the picture's units. */
export type PlaceOf = (uid: string) => Point | undefined;

/** Who talks to whom: dashes that run from the one to the other; refused ones end in a cross. */
export function paintFlows(
  ctx: CanvasRenderingContext2D,
  { camera, palette }: View,
  { streams, placeOf, now }: { readonly streams: Iterable<Stream>; readonly placeOf: PlaceOf; readonly now: number },
): void {
  ctx.lineWidth = 1.6;
  for (const { from, to, isRefused } of streams) {
    const [start, end] = [placeOf(from.uid), placeOf(to.uid)];
    if (!start || !end) continue;
    const [x0, y0] = [start.x * camera.k + camera.x, start.y * camera.k + camera.y];
    const [x1, y1] = [end.x * camera.k + camera.x, end.y * camera.k + camera.y];
    const bend = Math.min(80, Math.hypot(x1 - x0, y1 - y0) * 0.25);
    ctx.strokeStyle = isRefused ? palette.bad : palette.beam;
    ctx.setLineDash(DASH);
    ctx.lineDashOffset = -(now * PIXELS_PER_MS);
    ctx.beginPath();
    ctx.moveTo(x0, y0);
    ctx.quadraticCurveTo((x0 + x1) / 2, (y0 + y1) / 2 - bend, x1, y1);
    ctx.stroke();
    ctx.setLineDash([]);
    if (isRefused) cross(ctx, x1, y1);
  }
}

function cross(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  ctx.lineWidth = 2.4;
  ctx.beginPath();
  ctx.moveTo(x - 6, y - 6);
  ctx.lineTo(x + 6, y + 6);
  ctx.moveTo(x + 6, y - 6);
  ctx.lineTo(x - 6, y + 6);
  ctx.stroke();
  ctx.lineWidth = 1.6;
}

/**
 * A ring around each pod that a NetworkPolicy is in force for. Of the policy that is selected or pointed at, lines to
 * those pods, and from those that it lets in.
 */
export function paintPolicies(ctx: CanvasRenderingContext2D, view: View, placeOf: PlaceOf): void {
  const { world, palette, selected, hovered } = view;
  let left = MAX_POLICIES;
  for (const policy of world.all('NetworkPolicy')) {
    if (left-- === 0) break;
    const pods = podsOfPolicy(world, policy);
    for (const pod of pods) ring(ctx, view, pod);
    if (policy.uid !== selected && policy.uid !== hovered) continue;
    lines(ctx, view, { at: placeOf(policy.uid), pods, placeOf }, palette.select, []);
    lines(ctx, view, { at: placeOf(policy.uid), pods: letIn(world, policy) ?? [], placeOf }, palette.good, [3, 3]);
  }
}

function ring(ctx: CanvasRenderingContext2D, { sprites, camera: { k, x, y }, palette }: View, pod: Thing): void {
  const i = pod.index;
  if (sprites.shown[i] !== 1) return;
  const s = sprites.side[i]! * k;
  if (s < 8) return;
  ctx.strokeStyle = palette.select;
  ctx.lineWidth = 1.5;
  ctx.strokeRect(sprites.x[i]! * k + x - s / 2 - 2, sprites.y[i]! * k + y - s / 2 - 2, s + 4, s + 4);
}

function lines(
  ctx: CanvasRenderingContext2D,
  { camera: { k, x, y } }: View,
  { at, pods, placeOf }: { readonly at: Point | undefined; readonly pods: readonly Thing[]; readonly placeOf: PlaceOf },
  colour: string,
  dash: readonly number[],
): void {
  if (!at) return;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.6;
  ctx.setLineDash([...dash]);
  ctx.beginPath();
  for (const { uid } of pods.slice(0, MAX_LINES)) {
    const to = placeOf(uid);
    if (!to) continue;
    ctx.moveTo(at.x * k + x, at.y * k + y);
    ctx.lineTo(to.x * k + x, to.y * k + y);
  }
  ctx.stroke();
  ctx.setLineDash([]);
}
