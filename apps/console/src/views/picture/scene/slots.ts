/**
 * The places of pods in their groups. A pod keeps its place as long as it is there, so that nothing moves because a
 * neighbour has left; who comes takes the first free one.
 */
export class Slots {
  private readonly groups = new Map<string, Map<string, number>>();

  /** The place of each, in the order given, and how many places there are with gaps. */
  place(group: string, uids: readonly string[]): { readonly slots: readonly number[]; readonly size: number } {
    const known = this.groups.get(group);
    const taken = new Set<number>();
    const places = new Map<string, number>();
    for (const uid of uids) {
      const slot = known?.get(uid);
      if (slot === undefined || slot >= 2 * uids.length + SPARE) continue;
      places.set(uid, slot);
      taken.add(slot);
    }
    let next = 0;
    let size = 0;
    const slots = uids.map((uid) => {
      let slot = places.get(uid);
      if (slot === undefined) {
        while (taken.has(next)) next++;
        slot = next++;
        places.set(uid, slot);
      }
      size = Math.max(size, slot + 1);
      return slot;
    });
    if (uids.length > 0) this.groups.set(group, places);
    else this.groups.delete(group);
    return { slots, size };
  }

  /** Groups that are not in use any more are forgotten. */
  keepOnly(groups: ReadonlySet<string>): void {
    for (const group of this.groups.keys()) if (!groups.has(group)) this.groups.delete(group);
  }
}

/** A group that has shrunk keeps its places up to twice its size and so many: then it closes up. */
const SPARE = 8;
