import type { AppliedChange } from '@terrarium/engine';

export type Frame = string | Uint8Array;
export type EndReason = 'expired' | 'deleted' | 'closed';

/** Gets every change of one cluster in order, without gaps or repetitions. */
export interface Listener {
  /** May return a promise while past changes are delivered, to slow them down; live ones do not wait. */
  changes(changes: readonly AppliedChange[]): void | Promise<void>;
  /** No more will come. `oldest`: for 'expired', the revision that could still be resumed from. */
  ended(reason: EndReason, oldest?: number): void;
}

/**
 * A listener that is sent frames. Those with the same `shareKey` encode alike, so that each change is encoded once for
 * all of them.
 */
export interface FrameListener extends Listener {
  /** Storage key: changes of other resources are not its business. */
  readonly resource: string;
  readonly shareKey: string;
  encode(change: AppliedChange): Frame | undefined;
  frames(frames: readonly Frame[]): void;
}

/** Who listens to one cluster. */
export class Feed {
  private readonly plain = new Set<Listener>();
  private readonly groups = new Map<string, Set<FrameListener>>();

  get size(): number {
    let n = this.plain.size;
    for (const group of this.groups.values()) n += group.size;
    return n;
  }

  add(listener: Listener | FrameListener): void {
    if (!('shareKey' in listener)) {
      this.plain.add(listener);
      return;
    }
    const group = this.groups.get(listener.shareKey);
    if (group) group.add(listener);
    else this.groups.set(listener.shareKey, new Set([listener]));
  }

  remove(listener: Listener | FrameListener): void {
    if (!('shareKey' in listener)) {
      this.plain.delete(listener);
      return;
    }
    const group = this.groups.get(listener.shareKey);
    group?.delete(listener);
    if (group?.size === 0) this.groups.delete(listener.shareKey);
  }

  /** A listener that throws is ended; the others do not notice. */
  publish(changes: readonly AppliedChange[]): void {
    if (changes.length === 0) return;
    for (const listener of [...this.plain]) this.guarded([listener], () => void listener.changes(changes));
    const byResource = groupByResource(changes);
    for (const group of [...this.groups.values()]) {
      const listeners = [...group];
      const theirs = byResource.get(listeners[0]!.resource);
      if (!theirs) continue;
      this.guarded(listeners, () => {
        const frames = encodeAll(listeners[0]!, theirs);
        if (frames.length > 0) for (const listener of listeners) listener.frames(frames);
      });
    }
  }

  private guarded(listeners: readonly (Listener | FrameListener)[], deliver: () => void): void {
    try {
      deliver();
    } catch {
      for (const listener of listeners) {
        this.remove(listener);
        listener.ended('closed');
      }
    }
  }

  end(reason: EndReason): void {
    const all: Listener[] = [...this.plain, ...[...this.groups.values()].flatMap((g) => [...g])];
    this.plain.clear();
    this.groups.clear();
    for (const listener of all) listener.ended(reason);
  }
}

export function encodeAll(
  listener: Pick<FrameListener, 'encode' | 'resource'>,
  changes: readonly AppliedChange[],
): Frame[] {
  const frames: Frame[] = [];
  for (const change of changes) {
    if (change.resource !== listener.resource) continue;
    const frame = listener.encode(change);
    if (frame !== undefined) frames.push(frame);
  }
  return frames;
}

function groupByResource(changes: readonly AppliedChange[]): Map<string, AppliedChange[]> {
  const groups = new Map<string, AppliedChange[]>();
  for (const change of changes) {
    const group = groups.get(change.resource);
    if (group) group.push(change);
    else groups.set(change.resource, [change]);
  }
  return groups;
}
