import { randomUUID } from 'node:crypto';
import type { ListenConnection } from '@terrarium/store';
import type { Announcement, Announcer } from './announcer.js';

const CHANNEL = 'terrarium_log';
/** NOTIFY's payloads end at 8,000 bytes. */
const PAYLOAD_BYTES = 7_900;
const INLINE_BYTES = 4_000;
/** Announcements that wait while the server is away; older ones are dropped, and heads are checked instead. */
const QUEUE_LIMIT = 10_000;

type Item = [cluster: string, first: number, last: number, changes?: string];

/** LISTEN and NOTIFY on a connection that comes back when the server does: until then announcements wait. */
export class PostgresAnnouncer implements Announcer {
  private readonly self = randomUUID();
  /** How each payload of our own begins: it comes back to us, too. */
  private readonly ownPrefix = `["${this.self}"`;
  /** JSON texts of items. */
  private queue: string[] = [];
  private sending = false;
  private closed = false;
  private onAnnouncement: ((announcement: Announcement) => void) | undefined;
  private onMissed: () => void = () => undefined;

  /** The connection is the caller's to close. */
  constructor(private readonly connection: ListenConnection) {
    connection.listen({
      name: CHANNEL,
      onNotification: (payload) => this.receive(payload),
      onConnected: (missed) => {
        if (missed) this.onMissed();
        void this.flush();
      },
    });
  }

  publish({ cluster, first, last, changes, deleted }: Announcement): void {
    if (this.closed) return;
    const item: Item = deleted ? [cluster, -1, -1] : [cluster, first, last];
    if (changes && changes.length <= INLINE_BYTES)
      item.push(Buffer.from(changes.buffer, changes.byteOffset, changes.length).toString('base64'));
    if (this.queue.length >= QUEUE_LIMIT) this.queue.shift();
    this.queue.push(JSON.stringify(item));
    void this.flush();
  }

  listen(onAnnouncement: (announcement: Announcement) => void, onMissed: () => void): void {
    this.onAnnouncement = onAnnouncement;
    this.onMissed = onMissed;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  /** Announcements that gather while a NOTIFY is under way go with the next one. */
  private async flush(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      for (let { client } = this.connection; client && this.queue.length > 0; { client } = this.connection) {
        await client.query({
          name: 'announce',
          text: 'select pg_notify($1, $2)',
          values: [CHANNEL, this.takePayload()],
        });
      }
    } catch {
      // The connection reports why. A new one is opened; other processes find their gap by the next announcement or
      // head check.
    } finally {
      this.sending = false;
    }
  }

  /** As many announcements as fit into one payload. */
  private takePayload(): string {
    let bytes = this.ownPrefix.length + 8;
    let n = 0;
    for (const item of this.queue) {
      bytes += item.length + 1;
      if (bytes > PAYLOAD_BYTES && n > 0) break;
      n++;
    }
    return `${this.ownPrefix},[${this.queue.splice(0, n).join(',')}]]`;
  }

  private receive(payload: string): void {
    if (payload.startsWith(this.ownPrefix)) return;
    const [, items] = JSON.parse(payload) as [string, Item[]];
    for (const [cluster, first, last, changes] of items) {
      this.onAnnouncement?.(
        last < 0
          ? { cluster, first: 0, last: 0, deleted: true }
          : { cluster, first, last, changes: changes === undefined ? undefined : Buffer.from(changes, 'base64') },
      );
    }
  }
}
