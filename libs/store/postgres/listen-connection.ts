import pg from 'pg';

const RETRY_MS = [100, 250, 500, 1_000, 2_000];
const CONNECT_MS = 5_000;

export interface ListenOptions {
  readonly connectionString: string;
  /** Gets what breaks the connection. */
  onError(error: unknown): void;
}

export interface Channel {
  readonly name: string;
  onNotification(payload: string): void;
  /** The connection is open. `missed`: notifications may have been lost since the one before. */
  onConnected(missed: boolean): void;
}

/**
 * LISTEN on one connection of its own, which comes back when the server does. One for a process: each NOTIFY, of
 * whatever channel, wakes every connection that listens.
 */
export class ListenConnection {
  private readonly channels = new Map<string, Channel>();
  private open: pg.Client | undefined;
  private isClosed = false;
  private retries = 0;
  private timer: NodeJS.Timeout | undefined;
  private connecting: Promise<void>;

  constructor(private readonly options: ListenOptions) {
    this.connecting = this.connect();
  }

  /** The open connection; undefined while there is none. */
  get client(): pg.Client | undefined {
    return this.open;
  }

  /** Listens from now on; `onConnected` is called when notifications come. */
  listen(channel: Channel): void {
    this.channels.set(channel.name, channel);
    const client = this.open;
    if (!client) return;
    client.query(`listen ${channel.name}`).then(
      () => channel.onConnected(false),
      // The connection is broken: it reports that by itself, and the next one has this channel too.
      () => undefined,
    );
  }

  /** Resolves when the first connection is open or has failed: for tests and for a quick start. */
  ready(): Promise<void> {
    return this.connecting;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.connecting;
    // Nothing is lost with a connection that is broken already.
    await this.open?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const { connectionString, onError } = this.options;
    const client = new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: CONNECT_MS });
    let isLost = false;
    const reconnect = (): void => {
      if (isLost || this.isClosed) return;
      isLost = true;
      this.open = undefined;
      const wait = RETRY_MS[Math.min(this.retries++, RETRY_MS.length - 1)]!;
      this.timer = setTimeout(() => (this.connecting = this.connect()), wait);
    };
    const fail = (error: unknown): void => {
      if (!isLost && !this.isClosed) onError(error);
      reconnect();
    };
    client.on('error', fail);
    client.on('end', reconnect);
    client.on('notification', ({ channel, payload }) => this.channels.get(channel)?.onNotification(payload ?? ''));
    try {
      await client.connect();
      for (const name of this.channels.keys()) await client.query(`listen ${name}`);
    } catch (error) {
      // It may never have been open.
      void client.end().catch(() => undefined);
      return fail(error);
    }
    this.open = client;
    const missed = this.retries > 0;
    this.retries = 0;
    for (const channel of this.channels.values()) channel.onConnected(missed);
  }
}
