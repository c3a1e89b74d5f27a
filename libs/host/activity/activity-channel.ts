import { Redis } from 'ioredis';
import type { ListenConnection } from '@terrarium/store';

/** Short messages among all processes, this one included. Best effort: any of them may be lost. */
export interface ActivityChannel {
  /** Characters that one message may have. */
  readonly maxLength: number;
  publish(message: string): void;
  listen(onMessage: (message: string) => void): void;
  close(): void;
}

const PG_CHANNEL = 'terrarium_activity';
const REDIS_CHANNEL = 'terrarium:activity';
/** NOTIFY's payloads end at 8,000 bytes; texts are ASCII but for what objects are named, which is too. */
const PG_LENGTH = 7_900;
const REDIS_LENGTH = 64 * 1024;

/** LISTEN and NOTIFY. The connection is the caller's to close. */
export class PostgresActivityChannel implements ActivityChannel {
  readonly maxLength = PG_LENGTH;

  constructor(private readonly connection: ListenConnection) {}

  publish(message: string): void {
    const { client } = this.connection;
    // While the server is away nobody listens either.
    client
      ?.query({ name: 'activity', text: 'select pg_notify($1, $2)', values: [PG_CHANNEL, message] })
      // Activity is shown to who looks on, and kept nowhere: what is lost is not missed.
      .catch(() => undefined);
  }

  listen(onMessage: (message: string) => void): void {
    this.connection.listen({ name: PG_CHANNEL, onNotification: onMessage, onConnected: () => undefined });
  }

  close(): void {
    // The connection is the caller's.
  }
}

/** Redis pub/sub. */
export class RedisActivityChannel implements ActivityChannel {
  readonly maxLength = REDIS_LENGTH;
  private readonly publisher: Redis;
  private readonly subscriber: Redis;

  constructor(url: string, onError: (error: unknown) => void) {
    const retryStrategy = (times: number): number => Math.min(times * 100, 2_000);
    this.publisher = new Redis(url, { retryStrategy, enableOfflineQueue: false, maxRetriesPerRequest: 0 });
    this.subscriber = new Redis(url, { retryStrategy });
    this.publisher.on('error', onError);
    this.subscriber.on('error', onError);
  }

  publish(message: string): void {
    // What is lost is not missed.
    this.publisher.publish(REDIS_CHANNEL, message).catch(() => undefined);
  }

  listen(onMessage: (message: string) => void): void {
    this.subscriber.on('message', (_channel: string, message: string) => onMessage(message));
    // The client subscribes again by itself when it is connected.
    this.subscriber.subscribe(REDIS_CHANNEL).catch(() => undefined);
  }

  close(): void {
    this.publisher.disconnect();
    this.subscriber.disconnect();
  }
}
