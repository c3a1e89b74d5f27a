/** A cluster's log has grown by the revisions `first` to `last`, or the cluster has been deleted. */
export interface Announcement {
  readonly cluster: string;
  readonly first: number;
  readonly last: number;
  /** The segment's bytes, when they fit. */
  readonly changes?: Uint8Array;
  readonly deleted?: boolean;
}

/**
 * Tells the other processes, but not its own. Best effort: an announcement may be lost, and the gap is then read from
 * the store.
 */
export interface Announcer {
  publish(announcement: Announcement): void;
  /** `onMissed` is called when announcements may have been lost. */
  listen(onAnnouncement: (announcement: Announcement) => void, onMissed: () => void): void;
  close(): Promise<void>;
}

/** Announcements among hosts of one process. */
export class MemoryAnnouncements {
  private readonly listeners = new Map<object, (announcement: Announcement) => void>();

  announcer(): Announcer {
    const self = {};
    return {
      publish: (announcement) => {
        for (const [owner, listener] of this.listeners)
          if (owner !== self) queueMicrotask(() => listener(announcement));
      },
      listen: (onAnnouncement) => void this.listeners.set(self, onAnnouncement),
      close: async () => void this.listeners.delete(self),
    };
  }
}
