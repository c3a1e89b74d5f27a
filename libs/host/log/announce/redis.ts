import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Announcement, Announcer } from './announcer.js';

const CHANNEL = 'terrarium:log';

interface Header extends Omit<Announcement, 'changes'> {
  readonly from: string;
}

/** Redis pub/sub, with the changes themselves: a header in JSON, a line feed, the segment's bytes. */
export class RedisAnnouncer implements Announcer {
  private readonly self = randomUUID();
  private readonly publisher: Redis;
  private readonly subscriber: Redis;
  private onMissed: () => void = () => undefined;
  private readonly subscribed: Promise<unknown>;

  /** `onError` gets what the connections report: until they are back, announcements are dropped. */
  constructor(url: string, onError: (error: unknown) => void) {
    const retryStrategy = (times: number): number => Math.min(times * 100, 2_000);
    // An announcement that cannot be sent at once is dropped: heads are checked when the connection is back.
    this.publisher = new Redis(url, {
      retryStrategy,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      lazyConnect: false,
    });
    this.subscriber = new Redis(url, { retryStrategy });
    this.publisher.on('error', onError);
    this.subscriber.on('error', onError);
    this.subscribed = this.subscriber.subscribe(CHANNEL).catch(onError);
    let connections = 0;
    this.subscriber.on('ready', () => {
      if (connections++ > 0) this.onMissed();
    });
  }

  publish({ changes, ...rest }: Announcement): void {
    const header: Header = { ...rest, from: this.self };
    const message = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), changes ?? Buffer.alloc(0)]);
    // The connection has reported why; who misses the announcement finds the change by a head check.
    this.publisher.publish(CHANNEL, message).catch(() => undefined);
  }

  listen(onAnnouncement: (announcement: Announcement) => void, onMissed: () => void): void {
    this.onMissed = onMissed;
    this.subscriber.on('messageBuffer', (_channel: Buffer, message: Buffer) => {
      const end = message.indexOf(10);
      const { from, ...announcement } = JSON.parse(message.subarray(0, end).toString()) as Header;
      if (from === this.self) return;
      const changes = message.subarray(end + 1);
      onAnnouncement(changes.length > 0 ? { ...announcement, changes } : announcement);
    });
  }

  /** Resolves when both connections are open. */
  async ready(): Promise<void> {
    await this.subscribed;
    if (this.publisher.status !== 'ready')
      await new Promise<void>((resolve) => this.publisher.once('ready', () => resolve()));
  }

  async close(): Promise<void> {
    this.publisher.disconnect();
    this.subscriber.disconnect();
  }
}
