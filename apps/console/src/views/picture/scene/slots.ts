import type { Thing } from '../model/world.js';

/**
 * The places of pods in their groups. A pod keeps its place as long as it is there, so that nothing moves because a
 * neighbour has left; who comes takes the first free one. By the pods' numbers: twenty thousand are placed in a few ms.
 */
export class Slots {
  private readonly groups = new Map<string, number>();
  private nextGroup = 1;
  /** By a pod's number: its place, its group, and the layout in which it was there last. */
  private slotOf: Ints = new Int32Array(0);
  private groupOf: Ints = new Int32Array(0);
  private layoutOf: Ints = new Int32Array(0);
  private taken = new Uint8Array(0);
  private layout = 1;

  /** Before all groups of a layout. `top`: pods' numbers are below it. */
  begin(top: number): void {
    this.layout++;
    if (top <= this.slotOf.length) return;
    const room = 2 ** Math.ceil(Math.log2(top));
    [this.slotOf, this.groupOf, this.layoutOf] = [
      longer(this.slotOf, room),
      longer(this.groupOf, room),
      longer(this.layoutOf, room),
    ];
  }

  /** The place of each, in the order given, and how many places there are with gaps. */
  place(group: string, pods: readonly Thing[]): { readonly slots: Int32Array; readonly size: number } {
    const { slotOf, groupOf, layoutOf, layout } = this;
    const number = this.numberOf(group);
    const limit = 2 * pods.length + SPARE;
    if (limit > this.taken.length) this.taken = new Uint8Array(2 * limit);
    const taken = this.taken.fill(0, 0, limit);
    const slots = new Int32Array(pods.length).fill(-1);
    pods.forEach(({ index }, i) => {
      const slot = slotOf[index]!;
      // A number may be another pod's by now: then it takes the place of who has left.
      const isKnown = groupOf[index] === number && layoutOf[index]! >= layout - 1;
      if (!isKnown || slot >= limit || taken[slot] === 1) return;
      slots[i] = slot;
      taken[slot] = 1;
    });
    let [next, size] = [0, 0];
    pods.forEach(({ index }, i) => {
      if (slots[i]! < 0) {
        while (taken[next] === 1) next++;
        slots[i] = next++;
      }
      size = Math.max(size, slots[i]! + 1);
      slotOf[index] = slots[i]!;
      groupOf[index] = number;
      layoutOf[index] = layout;
    });
    return { slots, size };
  }

  /** Groups that are not in use any more are forgotten. */
  keepOnly(groups: ReadonlySet<string>): void {
    for (const group of this.groups.keys()) if (!groups.has(group)) this.groups.delete(group);
  }

  private numberOf(group: string): number {
    let number = this.groups.get(group);
    if (number === undefined) this.groups.set(group, (number = this.nextGroup++));
    return number;
  }
}

type Ints = Int32Array<ArrayBuffer>;

function longer(old: Ints, room: number): Ints {
  const fresh = new Int32Array(room);
  fresh.set(old);
  return fresh;
}

/** A group that has shrunk keeps its places up to twice its size and so many: then it closes up. */
const SPARE = 8;
