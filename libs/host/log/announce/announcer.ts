/** News that a cluster's log has grown by the revisions `first` to `last`, or that the cluster is gone. */
export interface Announcement {
  readonly cluster: string;
  readonly first: number;
  readonly last: number;
  /** The segment's bytes, when they fit. */
  readonly changes?: Uint8Array;
  readonly deleted?: boolean;
}

/**
 * Tells the other processes. Best effort: an announcement may be lost, and the store then fills the gap. A process does
 * not hear itself.
 */
export interface Announcer {
  publish(announcement: Announcement): void;
  /** `missed` is called when announcements may have been lost. */
  listen(heard: (announcement: Announcement) => void, missed: () => void): void;
  close(): Promise<void>;
}

/** Announcements among hosts of one process. */
export class MemoryAnnouncements {
  private readonly listeners = new Map<object, (announcement: Announcement) => void>();

  announcer(): Announcer {
    const self = {};
    return {
      publish: (announcement) => {
        for (const [who, heard] of this.listeners) if (who !== self) queueMicrotask(() => heard(announcement));
      },
      listen: (heard) => void this.listeners.set(self, heard),
      close: async () => void this.listeners.delete(self),
    };
  }
}
