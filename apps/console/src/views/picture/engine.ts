import { Actors, actorName } from './model/actors.js';
import { Beams } from './scene/beams.js';
import { between, fitCamera, lookAt, toScene, type Camera } from './scene/camera.js';
import { Streams, type Flow } from './model/flows.js';
import type { Mode } from './model/groups.js';
import { hitBox, hitPlace } from './scene/hit.js';
import { Dots } from './paint/dots.js';
import { paint } from './paint/paint.js';
import type { Words } from './paint/view.js';
import { paintFlows, paintPolicies } from './paint/paint-flows.js';
import { chipsOf, paintBeams, paintStrip, STRIP, type Chip } from './paint/paint-strip.js';
import { DARK, type Palette } from './paint/palette.js';
import type { Batch } from './model/operations.generated.js';
import { buildScene } from './scene/scene.js';
import type { Box, Scene } from './scene/scene-parts.js';
import { Slots } from './scene/slots.js';
import { Sprites } from './scene/sprites.js';
import { World, type Act, type Thing } from './model/world.js';

/** The scene is laid out anew so often at most: it costs as much as there are pods. */
const LAYOUT_MS = 150;
const LAYOUT_PER_POD_MS = 0.03;
const MANY_PODS = 5_000;
const FLIGHT_MS = 500;
const FLOW_FRAME_MS = 80;
/** So many pods are painted in every other frame: the machine, which may have a cluster to run, has twice the time. */
const CALM_PODS = 500;
const CALM_FRAME_MS = 30;
const EMPTY: Scene = { mode: 'placement', boxes: [], places: [], links: [], w: 1, h: 1 };

/** Frames as the page sees them: ms. */
export interface FrameTimes {
  readonly count: number;
  readonly worst: number;
  readonly lastPaint: number;
}

export interface EngineEvents {
  /** The world, the scene or the camera has changed; not more often than the frames. */
  changed(): void;
  acted(acts: readonly Act[]): void;
}

/** The picture on its canvas. It draws when something has changed or moves, and rests otherwise. */
export class PictureEngine {
  readonly world = new World();
  readonly sprites = new Sprites();
  readonly actors = new Actors();
  readonly streams = new Streams();
  camera: Camera = { k: 1, x: 0, y: 0 };
  scene: Scene = EMPTY;
  selected: string | undefined;
  hovered: string | undefined;
  faulty: ReadonlySet<string> = new Set();
  down: ReadonlySet<string> = new Set();
  palette: Palette = DARK;
  private mode: Mode = 'placement';
  /** Of the scene, by id. */
  private boxes = new Map<string, Box>();
  private readonly slots = new Slots();
  private readonly beams = new Beams();
  private readonly dots = new Dots();
  private readonly ctx: CanvasRenderingContext2D;
  private requests = new Map<string, { cpu: number; memory: number }>();
  private chips: Chip[] = [];
  private size = { w: 1, h: 1 };
  private ratio = 1;
  private frame = 0;
  private lastFrame = 0;
  private laidOutAt = -Infinity;
  private isDirty = true;
  private isFitted = false;
  /** A hand moves the picture: each frame counts. */
  private isUrgent = false;
  /** Somebody has chosen what is seen: it stays. */
  private isHeld = false;
  private flight: { from: Camera; to: Camera; begun: number } | undefined;
  private times = { count: 0, worst: 0, lastPaint: 0 };

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly words: Words,
    private readonly events: EngineEvents,
  ) {
    this.ctx = canvas.getContext('2d', { alpha: false })!;
  }

  get frames(): FrameTimes {
    return this.times;
  }

  get screen(): { readonly w: number; readonly h: number } {
    return this.size;
  }

  apply(batch: Batch): void {
    if (batch.begins) this.isFitted = false;
    const acts = this.world.apply(batch);
    for (const act of acts) this.show(act);
    if (acts.length > 0) this.events.acted(acts);
    this.isDirty = true;
    this.draw();
  }

  tellFlows(flows: readonly Flow[]): void {
    this.streams.tell(this.world, flows, performance.now());
    this.draw();
  }

  setMode(mode: Mode): void {
    if (mode === this.mode) return;
    this.mode = mode;
    this.streams.clear();
    this.layOut();
    this.fit(true);
  }

  setStill(isStill: boolean): void {
    this.sprites.isStill = isStill;
  }

  resize(w: number, h: number, ratio: number): void {
    this.size = { w, h };
    this.ratio = ratio;
    this.canvas.width = Math.round(w * ratio);
    this.canvas.height = Math.round(h * ratio);
    this.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.isDirty = true;
    if (this.flight === undefined && !this.isHeld) this.fit(false);
    this.draw();
  }

  setCamera(camera: Camera): void {
    this.flight = undefined;
    this.isFitted = this.isHeld = this.isUrgent = true;
    this.camera = camera;
    this.draw();
  }

  fit(isFlown: boolean): void {
    this.isHeld = false;
    this.flyTo(fitCamera(this.scene, this.size, STRIP), isFlown);
  }

  /** Brings a thing into the middle, large enough to be read. */
  reveal(uid: string, least = 60): void {
    const at = this.placeOf(uid);
    this.isHeld = true;
    if (at) this.flyTo(lookAt(at, this.size, this.camera, least), true);
  }

  placeOf(uid: string): { x: number; y: number; side: number } | undefined {
    const thing = this.world.get(uid);
    const i = thing?.index ?? -1;
    if (i >= 0 && this.sprites.shown[i] === 1) {
      return { x: this.sprites.x[i]!, y: this.sprites.y[i]!, side: this.sprites.side[i]! };
    }
    const box = this.boxes.get(uid);
    return box && { x: box.x + box.w / 2, y: box.y + box.h / 2, side: Math.max(box.w, box.h) };
  }

  /** What is at a point of the screen: a pod, a box, or one of the parts at the top. */
  at(px: number, py: number): { thing?: Thing; actor?: string } {
    if (py < STRIP) {
      const chip = this.chips.find(({ x, y, w, h }) => px >= x && px <= x + w && py >= y && py <= y + h);
      return chip ? { actor: chip.name } : {};
    }
    const point = toScene(this.camera, px, py);
    const thing = hitPlace(this.world, this.sprites, point) ?? hitBox(this.scene.boxes, point)?.thing;
    return thing ? { thing } : {};
  }

  /** Draws with the next frame. */
  draw(): void {
    this.frame ||= requestAnimationFrame((now) => this.tick(now));
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.beams.clear();
    this.streams.clear();
  }

  private show({ thing, type, actor }: Act): void {
    this.actors.act(actor);
    const { sprites } = this;
    if (type === 'gone') sprites.leave(thing.index);
    else if (thing.index >= 0) this.showPod(thing, type);
    if (sprites.isStill || thing.kind === 'EndpointSlice') return;
    const { x, y } = this.placeOf(thing.uid) ?? { x: 0, y: 0 };
    if (thing.index >= 0 || x !== 0 || y !== 0) this.beams.add({ actor: actorName(actor), index: thing.index, x, y });
  }

  /** A pod that is made comes from what has made it. */
  private showPod(thing: Thing, type: Act['type']): void {
    if (type === 'made' && !this.sprites.isStill) {
      const owner = thing.owner && this.placeOf(thing.owner.uid);
      const [waiting] = this.scene.boxes;
      const at = owner ?? (waiting ? { x: waiting.x + waiting.w / 2, y: waiting.y } : undefined);
      if (at) this.sprites.comeFrom(thing.index, at.x, at.y);
    }
    this.sprites.touch(thing);
  }

  private tick(now: number): void {
    this.frame = 0;
    if (this.world.top > CALM_PODS && !this.isUrgent && now - this.lastFrame < CALM_FRAME_MS) return this.draw();
    this.isUrgent = false;
    const ms = Math.min(200, Math.max(1, now - this.lastFrame));
    const isFirst = now - this.lastFrame > 400;
    this.lastFrame = now;
    const started = performance.now();
    const due = Math.max(LAYOUT_MS, this.world.top * LAYOUT_PER_POD_MS);
    if (this.isDirty && now - this.laidOutAt >= due) {
      this.layOut(now);
      // So many pods are laid out in one frame, and painted in the next: together they would take too long for one.
      if (this.world.top > MANY_PODS) return this.draw();
    }
    this.fly(now);
    this.sprites.step(isFirst ? 16 : ms);
    const isWarm = this.actors.cool(isFirst ? 16 : ms);
    const isBeaming = this.beams.step(isFirst ? 16 : ms);
    this.paint(now);
    const paintMs = performance.now() - started;
    this.times = {
      count: this.times.count + 1,
      worst: Math.max(this.times.worst, isFirst ? 0 : ms),
      lastPaint: paintMs,
    };
    const isFlowing = this.mode === 'traffic' && this.streams.size > 0 && !this.sprites.isStill;
    if (this.isDirty || this.flight || this.sprites.isMoving || isWarm || isBeaming) this.draw();
    else if (isFlowing) setTimeout(() => this.draw(), FLOW_FRAME_MS);
    this.events.changed();
  }

  private layOut(now = performance.now()): void {
    this.laidOutAt = now;
    this.isDirty = false;
    const before = this.scene;
    const aspect = this.size.w / Math.max(1, this.size.h - STRIP);
    this.scene = buildScene(this.world, this.mode, this.slots, aspect);
    this.boxes = new Map(this.scene.boxes.map((box) => [box.id, box]));
    this.sprites.aim(this.world, this.scene.places);
    if (this.mode === 'placement') this.requests = requestsOf(this.world);
    const { w, h } = this.scene;
    const isLarger = w > before.w || h > before.h;
    if (this.isFitted && isLarger && !this.isHeld) this.fit(true);
    if (this.isFitted || this.world.left === undefined) return;
    this.flyTo(fitCamera(this.scene, this.size, STRIP), false);
    this.isFitted = this.world.left === 0;
  }

  private flyTo(to: Camera, isFlown: boolean): void {
    if (!isFlown || this.sprites.isStill) {
      this.flight = undefined;
      this.camera = to;
    } else this.flight = { from: this.camera, to, begun: performance.now() };
    this.draw();
  }

  private fly(now: number): void {
    if (!this.flight) return;
    const share = Math.min(1, Math.max(0, (now - this.flight.begun) / FLIGHT_MS));
    const eased = 1 - (1 - share) ** 3;
    this.camera = between(this.flight.from, this.flight.to, eased);
    if (share >= 1) this.flight = undefined;
  }

  private paint(now: number): void {
    const { ctx, world, scene, sprites, camera, palette, words, selected, hovered, faulty, requests, ratio } = this;
    const shown = { selected, hovered, faulty, requests };
    const view = { world, scene, sprites, camera, palette, words, ...shown, ...this.size, ratio };
    paint(ctx, view, this.dots);
    if (this.mode === 'traffic') {
      this.streams.forget(world, performance.now());
      const placeOf = (uid: string): { x: number; y: number } | undefined => this.placeOf(uid);
      paintPolicies(ctx, view, placeOf);
      paintFlows(ctx, view, { streams: this.streams.all, placeOf, now });
    }
    this.chips = chipsOf({ actors: this.actors, w: this.size.w });
    paintBeams(ctx, { beams: this.beams, chips: this.chips, sprites, camera, palette });
    paintStrip(ctx, { actors: this.actors, palette, w: this.size.w, down: this.down }, this.chips);
  }
}

/** What the pods of each node ask for; those that have ended ask for nothing. */
export function requestsOf(world: World): Map<string, { cpu: number; memory: number }> {
  const sums = new Map<string, { cpu: number; memory: number }>();
  for (const { is } of world.all('Pod')) {
    if (!is.node || is.phase === 'Succeeded' || is.phase === 'Failed') continue;
    let sum = sums.get(is.node);
    if (!sum) sums.set(is.node, (sum = { cpu: 0, memory: 0 }));
    sum.cpu += is.cpu ?? 0;
    sum.memory += is.memory ?? 0;
  }
  return sums;
}
