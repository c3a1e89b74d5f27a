import type { Place } from './scene-parts.js';
import type { Thing, World } from '../model/world.js';

/** How fast a pod comes to its place: the share of the way that is left after a second is e to the minus this. */
const SPEED = 7;
const NEAR = 0.4;
/** A change is seen for so long: ms. */
const FLASH_MS = 700;
/** Pods that are gone and still fade. */
const MAX_GHOSTS = 400;
const GROWTH = 1.5;

interface Ghost {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly tone: number;
  life: number;
}

/**
 * The pods' squares, as numbers in rows: where each is, where it goes, how large it is. Twenty thousand of them move in
 * a fraction of a millisecond. Middle and side are in the picture's units.
 */
export class Sprites {
  x = new Float32Array(0);
  y = new Float32Array(0);
  side = new Float32Array(0);
  /** 1: it has just changed; 0: it rests. */
  flash = new Float32Array(0);
  tone = new Uint8Array(0);
  /** 1: it is in the scene. */
  shown = new Uint8Array(0);
  readonly ghosts: Ghost[] = [];
  top = 0;
  /** Anything still moves or fades. */
  isMoving = false;
  private toX = new Float32Array(0);
  private toY = new Float32Array(0);
  private toSide = new Float32Array(0);
  private known = new Uint8Array(0);

  constructor(public isStill = false) {}

  /** The scene's places are where the pods go; those that it does not have leave. */
  aim(world: World, places: readonly Place[]): void {
    this.reserve(world.top);
    this.top = world.top;
    this.shown.fill(0);
    for (const { thing, x, y, side } of places) {
      const i = thing.index;
      this.shown[i] = 1;
      this.toX[i] = x;
      this.toY[i] = y;
      this.toSide[i] = side;
      if (this.known[i] === 0) this.appear(i);
      this.tone[i] = thing.tone;
    }
    for (let i = 0; i < this.top; i++) if (this.shown[i] === 0) this.known[i] = 0;
    this.isMoving = true;
  }

  /** It has changed where it stands. */
  touch({ index, tone }: Thing): void {
    if (index >= this.top) return;
    this.tone[index] = tone;
    this.flash[index] = 1;
    this.isMoving = true;
  }

  /** It is gone: what was there fades. */
  leave(index: number): void {
    if (index >= this.top || this.shown[index] === 0) return;
    const ghost = { x: this.x[index]!, y: this.y[index]!, side: this.side[index]!, tone: this.tone[index]!, life: 1 };
    this.shown[index] = this.known[index] = 0;
    if (this.isStill) return;
    this.ghosts.push(ghost);
    if (this.ghosts.length > MAX_GHOSTS) this.ghosts.shift();
    this.isMoving = true;
  }

  /** A pod comes from here, and not from nowhere. */
  comeFrom(index: number, x: number, y: number): void {
    this.reserve(index + 1);
    [this.x[index], this.y[index], this.side[index]] = [x, y, 4];
    this.known[index] = 1;
  }

  /** Moves everything by so many ms. */
  step(ms: number): void {
    const share = this.isStill ? 1 : 1 - Math.exp((-SPEED * Math.min(ms, 100)) / 1_000);
    const fade = ms / FLASH_MS;
    let moving = false;
    for (let i = 0; i < this.top; i++) {
      if (this.shown[i] === 0) continue;
      const dx = this.toX[i]! - this.x[i]!;
      const dy = this.toY[i]! - this.y[i]!;
      const ds = this.toSide[i]! - this.side[i]!;
      if (Math.abs(dx) + Math.abs(dy) + Math.abs(ds) > NEAR) {
        this.x[i]! += dx * share;
        this.y[i]! += dy * share;
        this.side[i]! += ds * share;
        moving = true;
      }
      if (this.flash[i]! > 0) {
        this.flash[i] = Math.max(0, this.flash[i]! - fade);
        moving = true;
      }
    }
    for (const ghost of this.ghosts) ghost.life -= fade * GROWTH;
    while (this.ghosts.length > 0 && this.ghosts[0]!.life <= 0) this.ghosts.shift();
    this.isMoving = moving || this.ghosts.length > 0;
  }

  private appear(i: number): void {
    this.known[i] = 1;
    [this.x[i], this.y[i]] = [this.toX[i]!, this.toY[i]!];
    this.side[i] = this.isStill ? this.toSide[i]! : 0;
  }

  private reserve(size: number): void {
    if (size <= this.x.length) return;
    const room = Math.max(1_024, 2 ** Math.ceil(Math.log2(size)));
    const longer = (old: Float32Array): Float32Array<ArrayBuffer> => {
      const fresh = new Float32Array(room);
      fresh.set(old);
      return fresh;
    };
    [this.x, this.y, this.side, this.flash] = [this.x, this.y, this.side, this.flash].map(longer) as FourRows;
    [this.toX, this.toY, this.toSide] = [longer(this.toX), longer(this.toY), longer(this.toSide)];
    const bytes = (old: Uint8Array): Uint8Array<ArrayBuffer> => {
      const fresh = new Uint8Array(room);
      fresh.set(old);
      return fresh;
    };
    [this.tone, this.shown, this.known] = [bytes(this.tone), bytes(this.shown), bytes(this.known)];
  }
}

type Row = Float32Array<ArrayBuffer>;
type FourRows = [Row, Row, Row, Row];
