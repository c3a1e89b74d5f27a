import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ListenConnection } from '@terrarium/store';
import { ownServer, testDatabase } from '../../../testkit/postgres.js';
import {
  MemoryAnnouncements,
  PostgresAnnouncer,
  RedisAnnouncer,
  type Announcement,
  type Announcer,
} from '../../index.js';

const until = async (done: () => boolean): Promise<void> => {
  for (let i = 0; i < 600 && !done(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(done()).toBe(true);
};
const bytes = (n: number): Uint8Array => new Uint8Array(n).fill(7);

interface Bed {
  open(): Promise<Announcer>;
  close(): Promise<void>;
  /** Largest changes that travel with the announcement. */
  readonly inline: number;
}

async function memory(): Promise<Bed> {
  const hub = new MemoryAnnouncements();
  return { open: async () => hub.announcer(), close: async () => undefined, inline: Infinity };
}

const unexpected = (error: unknown): void => {
  throw error;
};

async function postgres(): Promise<Bed> {
  const database = await testDatabase();
  const connections: ListenConnection[] = [];
  const open = async () => {
    const connection = new ListenConnection({ connectionString: database.url, onError: unexpected });
    connections.push(connection);
    const announcer = new PostgresAnnouncer(connection);
    await connection.ready();
    return announcer;
  };
  const close = async (): Promise<void> => {
    await Promise.all(connections.map((connection) => connection.close()));
    await database.drop();
  };
  return { open, close, inline: 4_000 };
}

const redisInstalled = spawnSync('redis-server', ['--version']).status === 0;

async function redis(): Promise<Bed> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const server: ChildProcess = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
    stdio: 'ignore',
  });
  const open = async () => {
    const announcer = new RedisAnnouncer(`redis://127.0.0.1:${port}`, () => undefined);
    await announcer.ready();
    return announcer;
  };
  return { open, close: async () => void server.kill('SIGKILL'), inline: Infinity };
}

const beds: [string, () => Promise<Bed>, boolean][] = [
  ['memory', memory, true],
  ['postgres', postgres, true],
  ['redis', redis, redisInstalled],
];

for (const [name, make, possible] of beds) {
  (possible ? describe : describe.skip)(`announcements: ${name}`, () => {
    let bed: Bed;
    let speaker: Announcer;
    let other: Announcer;
    const heard: Announcement[] = [];
    const own: Announcement[] = [];
    beforeAll(async () => {
      bed = await make();
      [speaker, other] = [await bed.open(), await bed.open()];
      speaker.listen(
        (a) => own.push(a),
        () => undefined,
      );
      other.listen(
        (a) => heard.push(a),
        () => undefined,
      );
    }, 60_000);
    afterAll(async () => {
      await speaker.close();
      await other.close();
      await bed.close();
    });

    it('reach the others in order, with changes that fit, and not their sender', async () => {
      speaker.publish({ cluster: 'a', first: 1, last: 2, changes: bytes(50) });
      speaker.publish({ cluster: 'b', first: 7, last: 7, changes: bytes(100_000) });
      speaker.publish({ cluster: 'a', first: 3, last: 3 });
      speaker.publish({ cluster: 'a', first: 0, last: 0, deleted: true });
      await until(() => heard.length === 4);
      expect(heard.map((a) => [a.cluster, a.first, a.last, a.changes?.length, a.deleted ?? false])).toEqual([
        ['a', 1, 2, 50, false],
        ['b', 7, 7, bed.inline > 100_000 ? 100_000 : undefined, false],
        ['a', 3, 3, undefined, false],
        ['a', 0, 0, undefined, true],
      ]);
      expect(own).toEqual([]);
    });

    it('come through when there are many at once', async () => {
      heard.length = 0;
      for (let i = 1; i <= 1_000; i++) speaker.publish({ cluster: 'a', first: i, last: i, changes: bytes(1_000) });
      await until(() => heard.length === 1_000);
      expect(heard.every((a, i) => a.first === i + 1)).toBe(true);
    });
  });
}

describe('announcements on a Postgres that crashes', () => {
  it('go on when it is back, and those who listen are told that they may have missed some', async () => {
    const server = await ownServer();
    const errors: unknown[] = [];
    const connectionString = `${server.url}/postgres`;
    const connections = [
      new ListenConnection({ connectionString, onError: () => undefined }),
      new ListenConnection({ connectionString, onError: (error) => void errors.push(error) }),
    ] as const;
    const [speaker, other] = [new PostgresAnnouncer(connections[0]), new PostgresAnnouncer(connections[1])];
    const heard: number[] = [];
    let missed = 0;
    other.listen(
      (a) => heard.push(a.last),
      () => missed++,
    );
    speaker.listen(
      () => undefined,
      () => undefined,
    );
    await Promise.all(connections.map((connection) => connection.ready()));
    await server.stop();
    speaker.publish({ cluster: 'a', first: 1, last: 1 });
    await server.start();
    await until(() => missed === 1);
    expect(errors.length).toBeGreaterThan(0);
    await until(() => {
      speaker.publish({ cluster: 'a', first: 2, last: 2 });
      return heard.includes(2);
    });
    await Promise.all([speaker.close(), other.close()]);
    await Promise.all([...connections.map((connection) => connection.close()), server.stop()]);
  }, 60_000);
});
