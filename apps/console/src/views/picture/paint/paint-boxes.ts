import { clip, formatBytes, formatCpu } from '../model/format.js';
import type { View } from './view.js';
import type { Palette } from './palette.js';
import type { Box } from '../scene/scene-parts.js';

export const FONT = '"Inter", "Segoe UI", system-ui, sans-serif';
/** Pixels below which a box has no words, and below which it has no edge. */
const WORDED = 40;
const EDGED = 10;
const LABELLED = 90;
const MOST_BAR = 9;
const MOST_FONT = 15;

/** Nodes, namespaces, workloads, Services, claims and volumes: what is around the pods. */
export function paintBoxes(ctx: CanvasRenderingContext2D, view: View): void {
  const { camera, w, h } = view;
  const { k, x: cx, y: cy } = camera;
  for (const box of view.scene.boxes) {
    const at = { x: box.x * k + cx, y: box.y * k + cy, w: box.w * k, h: box.h * k };
    if (at.x + at.w < 0 || at.y + at.h < 0 || at.x > w || at.y > h || box.kind === 'Own') continue;
    paintBox(ctx, view, box, at);
  }
}

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

function paintBox(ctx: CanvasRenderingContext2D, view: View, box: Box, at: Rect): void {
  const { palette, selected, faulty, hovered, camera } = view;
  const tone = edgeOf(box, palette);
  ctx.fillStyle = box.depth % 2 === 0 ? palette.box : palette.inner;
  ctx.beginPath();
  ctx.roundRect(at.x, at.y, at.w, at.h, Math.min(14, 12 * camera.k));
  ctx.fill();
  const isSelected = box.id === selected;
  const isFaulty = box.thing !== undefined && faulty.has(box.thing.uid);
  if (at.w > EDGED) {
    ctx.strokeStyle = isSelected ? palette.select : isFaulty ? palette.bad : tone;
    ctx.lineWidth = isSelected ? 3 : isFaulty ? 2.5 : box.id === hovered ? 2 : 1;
    if (isFaulty || box.kind === 'Waiting') ctx.setLineDash([7, 5]);
    ctx.stroke();
    ctx.setLineDash([]);
  }
  if (at.w < WORDED) return;
  paintHeader(ctx, view, box, at);
}

function edgeOf({ kind, thing }: Box, palette: Palette): string {
  const status = thing?.is.status;
  if (kind === 'Node' && status !== 'Ready') return palette.bad;
  if (kind === 'Node' && (thing?.is.cordoned || thing?.is.pressure)) return palette.warn;
  if (thing?.isEnding) return palette.tones.ending;
  if (STORED.has(kind)) return status === 'Bound' || thing?.is.attached ? palette.good : palette.warn;
  return palette.edge;
}
const STORED = new Set(['PersistentVolumeClaim', 'PersistentVolume', 'VolumeAttachment']);

function paintHeader(ctx: CanvasRenderingContext2D, view: View, box: Box, at: Rect): void {
  const { palette, camera } = view;
  const size = Math.max(9, Math.min(MOST_FONT, 14 * camera.k));
  const pad = Math.min(12, 10 * camera.k);
  const inner = at.w - 2 * pad;
  const headerPx = box.header * camera.k;
  if (headerPx < 9) {
    if (at.w > LABELLED && box.depth === 0) paintLabel(ctx, view, box, at);
    return;
  }
  ctx.textBaseline = 'middle';
  const note = noteOf(box, view);
  const noteSize = Math.max(9, size - 2);
  const noteWidth = note && inner > 110 ? Math.min(inner * 0.55, note.length * noteSize * 0.56 + 8) : 0;
  ctx.font = `600 ${size}px ${FONT}`;
  ctx.fillStyle = palette.title;
  const isNode = box.kind === 'Node';
  const line = at.y + (isNode ? headerPx * 0.32 : Math.min(headerPx, 50 * camera.k) / (STORED.has(box.kind) ? 3 : 2));
  ctx.fillText(clip(titleOf(box, view), inner - noteWidth - 6, size * 0.6), at.x + pad, line);
  if (noteWidth > 0) {
    ctx.font = `${noteSize}px ${FONT}`;
    ctx.fillStyle = noteTone(box, palette);
    ctx.textAlign = 'right';
    ctx.fillText(clip(note, noteWidth, noteSize * 0.54), at.x + at.w - pad, line);
    ctx.textAlign = 'left';
  }
  if (isNode && headerPx > 24)
    paintBars(ctx, view, box, { x: at.x + pad, y: at.y + headerPx * 0.58, w: inner, h: headerPx * 0.36 });
  if (STORED.has(box.kind)) paintStored(ctx, view, box, at, pad);
}

/** A box whose words would be too small has its name laid over it, when there is room. */
function paintLabel(ctx: CanvasRenderingContext2D, view: View, box: Box, at: Rect): void {
  const text = clip(titleOf(box, view), at.w - 8, 7);
  ctx.font = `600 12px ${FONT}`;
  ctx.textBaseline = 'middle';
  ctx.fillStyle = view.palette.ground;
  ctx.globalAlpha = 0.8;
  ctx.fillRect(at.x, at.y - 15, ctx.measureText(text).width + 10, 15);
  ctx.globalAlpha = 1;
  ctx.fillStyle = view.palette.title;
  ctx.fillText(text, at.x + 5, at.y - 7);
}

function titleOf({ kind, title, thing }: Box, { words }: View): string {
  if (kind === 'Waiting') return words.waiting;
  if (kind === 'NoService') return words.noService;
  if (kind === 'NoOwner') return words.noOwner;
  return thing && kind !== 'Node' && kind !== 'Namespace' && !STORED.has(kind) ? `${kind} ${title}` : title;
}

function noteOf({ kind, thing, count }: Box, { words }: View): string {
  const is = thing?.is;
  if (kind === 'Node' && is) {
    if (is.status !== 'Ready') return is.reason ?? is.status ?? '';
    if (is.pressure) return is.pressure.join(', ');
    return is.cordoned ? 'SchedulingDisabled' : words.pods(count);
  }
  if (is?.want !== undefined) return `${Number(is.ready ?? 0)}/${is.want}`;
  if (kind === 'Service' && is) return `${is.type === 'ClusterIP' ? '' : `${is.type} `}${is.ports?.[0] ?? ''}`.trim();
  if (STORED.has(kind)) return is?.size ?? '';
  return count > 0 ? words.pods(count) : '';
}

function noteTone({ kind, thing }: Box, palette: Palette): string {
  const is = thing?.is;
  if (kind === 'Node' && is?.status !== 'Ready') return palette.bad;
  if (kind === 'Node' && (is?.cordoned || is?.pressure)) return palette.warn;
  if (is?.want !== undefined) return Number(is.ready ?? 0) < is.want ? palette.warn : palette.good;
  return palette.faint;
}

/** What the pods of a node have asked for, of what it can give. */
function paintBars(ctx: CanvasRenderingContext2D, view: View, { thing }: Box, at: Rect): void {
  if (!thing) return;
  const { palette } = view;
  const used = view.requests.get(thing.name) ?? { cpu: 0, memory: 0 };
  const half = at.h / 2;
  const rows = [
    {
      share: used.cpu / (thing.is.cpu || 1),
      colour: palette.cpu,
      text: `cpu ${formatCpu(used.cpu)} / ${formatCpu(thing.is.cpu ?? 0)}`,
    },
    {
      share: used.memory / (thing.is.memory || 1),
      colour: palette.memory,
      text: `mem ${formatBytes(used.memory)} / ${formatBytes(thing.is.memory ?? 0)}`,
    },
  ];
  const size = Math.min(11, half * 0.95);
  const words = size >= 8 ? Math.min(at.w * 0.5, 130) : 0;
  rows.forEach(({ share, colour, text }, i) => {
    const y = at.y + i * half;
    const [w, h] = [at.w - words, Math.min(MOST_BAR, Math.max(2, half * 0.5))];
    ctx.fillStyle = palette.track;
    ctx.fillRect(at.x, y + half * 0.22, w, h);
    ctx.fillStyle = share > 1 ? palette.bad : colour;
    ctx.fillRect(at.x, y + half * 0.22, w * Math.min(1, share), h);
    if (words === 0) return;
    ctx.font = `${size}px ${FONT}`;
    ctx.fillStyle = palette.text;
    ctx.textAlign = 'right';
    ctx.fillText(clip(text, words - 6, size * 0.54), at.x + at.w, y + half * 0.5);
    ctx.textAlign = 'left';
  });
}

function paintStored(
  ctx: CanvasRenderingContext2D,
  { palette, camera }: View,
  { kind, thing }: Box,
  at: Rect,
  pad: number,
): void {
  const size = Math.min(12, 11 * camera.k);
  if (size < 8 || !thing) return;
  const { is } = thing;
  const parts =
    kind === 'VolumeAttachment'
      ? [is.node, is.attached ? 'attached' : (is.error ?? 'attaching')]
      : [is.status, is.class];
  ctx.font = `${size}px ${FONT}`;
  ctx.fillStyle = palette.text;
  const text = `${SHORT[kind]} · ${parts.filter(Boolean).join(' · ')}`;
  ctx.fillText(clip(text, at.w - 2 * pad, size * 0.54), at.x + pad, at.y + at.h * 0.7);
}
const SHORT: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: 'PVC',
  PersistentVolume: 'PV',
  VolumeAttachment: 'VolumeAttachment',
};
