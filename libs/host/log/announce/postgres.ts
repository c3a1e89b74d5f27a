import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Announcement, Announcer } from './announcer.js';

const CHANNEL = 'terrarium_log';
/** NOTIFY's payloads end at 8,000 bytes. */
const PAYLOAD_BYTES = 7_900;
const INLINE_BYTES = 4_000;
const RETRY_MS = [100, 250, 500, 1_000, 2_000];
/** Announcements that wait while the server is away; older ones are dropped, and heads are checked instead. */
const QUEUE_LIMIT = 10_000;

type Item = [cluster: string, first: number, last: number, changes?: string];

/** LISTEN and NOTIFY on one connection of its own, which comes back when the server does. */
export class PostgresAnnouncer implements Announcer {
  private readonly self = randomUUID();
  private client: pg.Client | undefined;
  private queue: Item[] = [];
  private sending = false;
  private closed = false;
  private retries = 0;
  private timer: NodeJS.Timeout | undefined;
  private onAnnouncement: ((announcement: Announcement) => void) | undefined;
  private onMissed: () => void = () => undefined;
  private connecting: Promise<void>;

  constructor(private readonly connectionString: string) {
    this.connecting = this.connect();
  }

  publish({ cluster, first, last, changes, deleted }: Announcement): void {
    if (this.closed) return;
    const item: Item = deleted ? [cluster, -1, -1] : [cluster, first, last];
    if (changes && changes.length <= INLINE_BYTES) item.push(Buffer.from(changes).toString('base64'));
    if (this.queue.length >= QUEUE_LIMIT) this.queue.shift();
    this.queue.push(item);
    void this.flush();
  }

  listen(onAnnouncement: (announcement: Announcement) => void, onMissed: () => void): void {
    this.onAnnouncement = onAnnouncement;
    this.onMissed = onMissed;
  }

  /** Resolves when the first connection is open or has failed: for tests and for a quick start. */
  ready(): Promise<void> {
    return this.connecting;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.connecting;
    await this.client?.end().catch(() => undefined);
  }

  /** Announcements that gather while a NOTIFY is under way go with the next one. */
  private async flush(): Promise<void> {
    if (this.sending || !this.client) return;
    this.sending = true;
    try {
      while (this.queue.length > 0 && this.client) {
        await this.client.query({
          name: 'announce',
          text: 'select pg_notify($1, $2)',
          values: [CHANNEL, JSON.stringify([this.self, this.takeBatch()])],
        });
      }
    } catch {
      // A new connection is opened; other processes find their gap by the next announcement or head check.
    } finally {
      this.sending = false;
    }
  }

  /** Takes as many announcements as fit into one payload. */
  private takeBatch(): Item[] {
    let bytes = this.self.length + 8;
    let n = 0;
    for (const item of this.queue) {
      bytes += JSON.stringify(item).length + 1;
      if (bytes > PAYLOAD_BYTES && n > 0) break;
      n++;
    }
    return this.queue.splice(0, n);
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.connectionString,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    let isLost = false;
    const reconnect = (): void => {
      if (isLost || this.closed) return;
      isLost = true;
      this.client = undefined;
      const wait = RETRY_MS[Math.min(this.retries++, RETRY_MS.length - 1)]!;
      this.timer = setTimeout(() => (this.connecting = this.connect()), wait);
    };
    client.on('error', reconnect);
    client.on('end', reconnect);
    client.on('notification', ({ payload }) => this.receive(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch {
      void client.end().catch(() => undefined);
      return reconnect();
    }
    this.client = client;
    if (this.retries > 0) this.onMissed();
    this.retries = 0;
    void this.flush();
  }

  private receive(payload: string): void {
    const [from, items] = JSON.parse(payload) as [string, Item[]];
    if (from === this.self) return;
    for (const [cluster, first, last, changes] of items) {
      this.onAnnouncement?.(
        last < 0
          ? { cluster, first: 0, last: 0, deleted: true }
          : { cluster, first, last, changes: changes === undefined ? undefined : Buffer.from(changes, 'base64') },
      );
    }
  }
}
