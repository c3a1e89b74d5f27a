import { MAX_ZOOM, MIN_ZOOM, type Camera } from './scene/camera.js';
import type { PictureEngine } from './engine.js';

const WHEEL = 0.0016;
/** A pointer that moves less has clicked. */
const CLICK_PX = 5;

/** The camera with `factor` times its zoom, the point of the screen staying where it is. */
export function zoomAt({ k, x, y }: Camera, px: number, py: number, factor: number): Camera {
  const next = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, k * factor));
  const ratio = next / k;
  return { k: next, x: px - (px - x) * ratio, y: py - (py - y) * ratio };
}

interface Handlers {
  /** Something was clicked, or nothing. */
  pick(uid: string | undefined, actor: string | undefined): void;
}

/** Wheel, drag, two fingers and clicks on the picture. Returns what undoes it. */
export function followPointer(canvas: HTMLCanvasElement, engine: PictureEngine, { pick }: Handlers): () => void {
  const stop = new AbortController();
  const pointers = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    handle: (event: HTMLElementEventMap[K]) => void,
    options: AddEventListenerOptions = {},
  ): void => canvas.addEventListener(type, handle, { ...options, signal: stop.signal });
  const placeOf = (event: MouseEvent): { x: number; y: number } => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  on(
    'wheel',
    (event) => {
      event.preventDefault();
      const { x, y } = placeOf(event);
      const unit = event.deltaMode === 1 ? 16 : 1;
      engine.setCamera(zoomAt(engine.camera, x, y, Math.exp(-event.deltaY * unit * WHEEL)));
    },
    { passive: false },
  );
  on('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) travelled = 0;
    pointers.set(event.pointerId, placeOf(event));
    canvas.setPointerCapture(event.pointerId);
  });
  on('pointermove', (event) => {
    const now = placeOf(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      hover(engine, canvas, engine.at(now.x, now.y));
      return;
    }
    travelled += Math.hypot(now.x - before.x, now.y - before.y);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    const { k, x, y } = engine.camera;
    if (!other) {
      if (travelled > CLICK_PX) engine.setCamera({ k, x: x + now.x - before.x, y: y + now.y - before.y });
      return;
    }
    const factor = distance(now, other) / Math.max(1, distance(before, other));
    engine.setCamera(zoomAt(engine.camera, (now.x + other.x) / 2, (now.y + other.y) / 2, factor));
  });
  const release = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId) || event.type !== 'pointerup' || travelled > CLICK_PX) return;
    const { x, y } = placeOf(event);
    const { thing, actor } = engine.at(x, y);
    pick(thing?.uid, actor);
  };
  on('pointerup', release);
  on('pointercancel', release);
  on('pointerleave', () => hover(engine, canvas, {}));
  on('dblclick', (event) => {
    const { x, y } = placeOf(event);
    const { thing } = engine.at(x, y);
    if (thing) engine.reveal(thing.uid, thing.kind === 'Pod' ? 220 : 500);
  });
  return () => stop.abort();
}

const distance = (a: { x: number; y: number }, b: { x: number; y: number }): number => Math.hypot(a.x - b.x, a.y - b.y);

function hover(
  engine: PictureEngine,
  canvas: HTMLCanvasElement,
  { thing, actor }: ReturnType<PictureEngine['at']>,
): void {
  const uid = thing?.uid;
  canvas.style.cursor = uid || actor ? 'pointer' : 'grab';
  canvas.title = thing ? `${thing.kind} ${thing.name}` : (actor ?? '');
  if (engine.hovered === uid) return;
  engine.hovered = uid;
  engine.draw();
}
