import type { AppliedChange } from '@terrarium/engine';

/** One event of a watch as it is on the wire: a line of JSON, or protobuf behind its length. */
export type Frame = string | Uint8Array;
export type EndReason = 'expired' | 'deleted' | 'closed';

/** Gets every change of one cluster in order, without gaps or repetitions. */
export interface Listener {
  /** May return a promise while past changes are delivered, to slow them down; live changes do not wait. */
  changes(changes: readonly AppliedChange[]): void | Promise<void>;
  /** No more changes will come. `oldest`: for 'expired', the revision that could still be resumed from. */
  ended(reason: EndReason, oldest?: number): void;
}

/**
 * A listener that is sent frames. Listeners with the same `shareKey` encode alike, so that each change is encoded once
 * for all of them.
 */
export interface FrameListener extends Listener {
  /** Storage key; changes of other resources are left out. */
  readonly resource: string;
  readonly shareKey: string;
  encode(change: AppliedChange): Frame | undefined;
  frames(frames: readonly Frame[]): void;
}

/** Delivers one cluster's changes to its listeners. Stands for apimachinery's watch.Broadcaster. */
export class Broadcaster {
  private readonly listeners = new Set<Listener>();
  private readonly groups = new Map<string, Set<FrameListener>>();

  get size(): number {
    let size = this.listeners.size;
    for (const group of this.groups.values()) size += group.size;
    return size;
  }

  add(listener: Listener | FrameListener): void {
    if (!isFrameListener(listener)) {
      this.listeners.add(listener);
      return;
    }
    const group = this.groups.get(listener.shareKey);
    if (group) group.add(listener);
    else this.groups.set(listener.shareKey, new Set([listener]));
  }

  remove(listener: Listener | FrameListener): void {
    if (!isFrameListener(listener)) {
      this.listeners.delete(listener);
      return;
    }
    const group = this.groups.get(listener.shareKey);
    group?.delete(listener);
    if (group?.size === 0) this.groups.delete(listener.shareKey);
  }

  /** A listener that throws is ended; the others get the changes nevertheless. */
  publish(changes: readonly AppliedChange[]): void {
    if (changes.length === 0) return;
    for (const listener of [...this.listeners]) this.deliver([listener], () => void listener.changes(changes));
    const byResource = groupByResource(changes);
    for (const group of [...this.groups.values()]) {
      const listeners = [...group];
      const changesOfResource = byResource.get(listeners[0]!.resource);
      if (!changesOfResource) continue;
      this.deliver(listeners, () => {
        const frames = encodeFrames(listeners[0]!, changesOfResource);
        if (frames.length > 0) for (const listener of listeners) listener.frames(frames);
      });
    }
  }

  /** Removes and ends all listeners. */
  end(reason: EndReason): void {
    const all: Listener[] = [...this.listeners, ...[...this.groups.values()].flatMap((group) => [...group])];
    this.listeners.clear();
    this.groups.clear();
    for (const listener of all) listener.ended(reason);
  }

  private deliver(listeners: readonly (Listener | FrameListener)[], delivery: () => void): void {
    try {
      delivery();
    } catch {
      for (const listener of listeners) {
        this.remove(listener);
        listener.ended('closed');
      }
    }
  }
}

const isFrameListener = (listener: Listener | FrameListener): listener is FrameListener => 'shareKey' in listener;

/** The frames of those changes that the watch sees. */
export function encodeFrames(
  watch: Pick<FrameListener, 'encode' | 'resource'>,
  changes: readonly AppliedChange[],
): Frame[] {
  const frames: Frame[] = [];
  for (const change of changes) {
    if (change.resource !== watch.resource) continue;
    const frame = watch.encode(change);
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
