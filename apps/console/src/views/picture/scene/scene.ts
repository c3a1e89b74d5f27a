import { ownershipGroups, placementGroups, trafficGroups, type Group, type Mode } from '../model/groups.js';
import { fitCells, packRows, roomFor, type Size } from './pack.js';
import type { Box, Place, Scene } from './scene-parts.js';
import type { Slots } from './slots.js';
import { storageScene } from './storage-scene.js';
import type { World } from '../model/world.js';

const GAP = 18;
const PAD = 10;
const HEADER = 30;
const NODE: Size = { w: 260, h: 210 };
const NODE_HEADER = 54;
const MOST_CELL = 72;
/** The fewer pods there are, the larger they may be. */
const cellFor = (room: number): number => (room <= 9 ? 62 : room <= 36 ? 40 : 26);
const WAITING_H = 96;
const EMPTY: Size = { w: 210, h: 44 };

/** Where everything stands in a mode. Pods keep their places by `slots`. */
export function buildScene(world: World, mode: Mode, slots: Slots, aspect: number): Scene {
  slots.begin(world.top);
  const scene = new Builder(slots, mode);
  if (mode === 'placement') placeNodes(scene, world, aspect);
  else if (mode === 'storage') return storageScene(world, aspect);
  else scene.tree(mode === 'traffic' ? trafficGroups(world) : ownershipGroups(world), aspect);
  return scene.done();
}

function placeNodes(scene: Builder, world: World, aspect: number): void {
  const { waiting, nodes } = placementGroups(world);
  const packed = packRows(
    nodes.map(() => NODE),
    GAP,
    aspect,
  );
  const width = Math.max(packed.w, NODE.w);
  scene.box(waiting, { x: 0, y: 0, w: width, h: WAITING_H }, 0, HEADER);
  nodes.forEach((node, i) => {
    const { x, y } = packed.at[i]!;
    scene.box(node, { x, y: y + WAITING_H + GAP, ...NODE }, 0, NODE_HEADER);
  });
}

class Builder {
  private readonly boxes: Box[] = [];
  private readonly places: Place[] = [];
  private readonly used = new Set<string>();
  private w = 0;
  private h = 0;

  constructor(
    private readonly slots: Slots,
    private readonly mode: Mode,
  ) {}

  /** One box, and its pods in cells that fill it. */
  box(group: Group, { x, y, w, h }: Size & { x: number; y: number }, depth: number, header: number): void {
    const { id, thing, kind, title, pods } = group;
    const count = countOf(group);
    this.boxes.push({ id, kind, title, x, y, w, h, depth, count, header, ...(thing ? { thing } : {}) });
    [this.w, this.h] = [Math.max(this.w, x + w), Math.max(this.h, y + h)];
    if (pods.length === 0) return;
    const inner = { w: w - 2 * PAD, h: h - header - PAD };
    const key = `${this.mode}/${id}`;
    this.used.add(key);
    const { slots, size } = this.slots.place(key, pods);
    const { columns, side } = fitCells(roomFor(size), inner, MOST_CELL);
    pods.forEach((pod, i) => {
      const slot = slots[i]!;
      const [column, row] = [slot % columns, Math.floor(slot / columns)];
      const px = x + PAD + (column + 0.5) * side;
      this.places.push({ thing: pod, x: px, y: y + header + (row + 0.5) * side, side: side * 0.86 });
    });
  }

  /** Boxes in boxes. */
  tree(groups: readonly Group[], aspect: number): void {
    const measured = groups.map((one) => measure(one, aspect));
    const packed = packRows(measured, GAP, aspect);
    measured.forEach((one, i) => this.put(one, packed.at[i]!.x, packed.at[i]!.y, 0));
  }

  done(): Scene {
    this.slots.keepOnly(this.used);
    const { mode, boxes, places, w, h } = this;
    return { mode, boxes, places, links: [], w, h };
  }

  private put({ group, w, h, inner, cells }: Measured, x: number, y: number, depth: number): void {
    const own = { ...group, pods: inner.length > 0 ? [] : group.pods };
    this.box(own, { x, y, w, h }, depth, HEADER);
    inner.forEach(({ measured, at }) => this.put(measured, x + PAD + at.x, y + HEADER + at.y, depth + 1));
    if (inner.length === 0 || group.pods.length === 0 || !cells) return;
    // Pods beside inner boxes stand below them.
    const below = { x, y: y + h - cells.h - PAD, w, h: cells.h + PAD };
    this.box({ ...group, id: `${group.id}/own`, kind: 'Own', children: [] }, below, depth + 1, 0);
  }
}

interface Measured extends Size {
  readonly group: Group;
  readonly inner: readonly { readonly measured: Measured; readonly at: { x: number; y: number } }[];
  readonly cells: Size | undefined;
}

function measure(group: Group, aspect: number): Measured {
  const children = group.children.map((child) => measure(child, aspect));
  const packed = packRows(children, GAP / 2, aspect);
  const count = roomFor(group.pods.length);
  const columns = Math.ceil(Math.sqrt(count * 1.4));
  const cell = cellFor(count);
  const cells = group.pods.length > 0 ? { w: columns * cell, h: Math.ceil(count / columns) * cell } : undefined;
  const w = Math.max(EMPTY.w, packed.w + 2 * PAD, (cells?.w ?? 0) + 2 * PAD);
  const h = Math.max(EMPTY.h, HEADER + packed.h + (cells ? cells.h + (packed.h > 0 ? PAD : 0) : 0) + PAD);
  return { group, w, h, cells, inner: children.map((measured, i) => ({ measured, at: packed.at[i]! })) };
}

const countOf = ({ pods, children }: Group): number =>
  children.reduce((sum, child) => sum + countOf(child), pods.length);
