import type { AppliedChange } from '@terrarium/engine';
import { joinInChunks, type Frame } from './frames.js';

export type EndReason = 'expired' | 'deleted' | 'closed';

/** Gets every change of one cluster in order, without gaps or repetitions. */
export interface Listener {
  /** May return a promise while past changes are delivered, to slow them down; live changes do not wait. */
  changes(changes: readonly AppliedChange[]): void | Promise<void>;
  /** No more changes will come. `oldest`: for 'expired', the revision that could still be resumed from. */
  ended(reason: EndReason, oldest?: number): void;
  /** The listener's reader has left: past changes need not be read for it. */
  isOver?(): boolean;
  /**
   * The cluster is unloaded to make room, and the listener is told to wait for it elsewhere. Without this method the
   * cluster stays in memory.
   */
  park?(): void;
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
  /** Bytes that wait for the listener's reader. */
  bufferedBytes?(): number;
}

/** Delivers one cluster's changes to its listeners. Stands for apimachinery's watch.Broadcaster. */
export class Broadcaster {
  private readonly listeners = new Set<Listener>();
  private readonly groups = new Map<string, Set<FrameListener>>();

  /** `onError` gets what a listener has thrown. */
  constructor(private readonly onError: (error: unknown) => void) {}

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
        if (frames.length === 0) return;
        // Joined once for all: each connection then writes the same bytes.
        const joined = joinInChunks(frames);
        for (const listener of listeners) listener.frames(joined);
      });
    }
  }

  /** Bytes that wait for readers. Listeners of one key share their frames. */
  get bufferedBytes(): number {
    let bytes = 0;
    for (const group of this.groups.values()) {
      let most = 0;
      for (const listener of group) most = Math.max(most, listener.bufferedBytes?.() ?? 0);
      bytes += most;
    }
    return bytes;
  }

  /** Every listener can wait elsewhere while the cluster is not in memory. */
  get canPark(): boolean {
    return this.all().every((listener) => listener.park !== undefined);
  }

  /** Removes all listeners and lets them wait elsewhere. */
  park(): void {
    for (const listener of this.removeAll()) listener.park!();
  }

  /** Removes and ends all listeners. */
  end(reason: EndReason, oldest?: number): void {
    for (const listener of this.removeAll()) listener.ended(reason, oldest);
  }

  private all(): Listener[] {
    return [...this.listeners, ...[...this.groups.values()].flatMap((group) => [...group])];
  }

  private removeAll(): Listener[] {
    const all = this.all();
    this.listeners.clear();
    this.groups.clear();
    return all;
  }

  private deliver(listeners: readonly (Listener | FrameListener)[], delivery: () => void): void {
    try {
      delivery();
    } catch (error) {
      this.onError(error);
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
