import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppliedChange, CommandResult } from '@terrarium/engine';
import { SerialQueue } from '../clusters/serial-queue.js';
import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import { FairQueue } from '../gate/fair-queue.js';
import { LoopTurns } from '../gate/loop-turns.js';
import { ThreadShare } from '../gate/thread-share.js';
import { LIMITS } from '../limits.js';
import type { ChangeHistory } from '../log/change-history.js';
import { Metrics } from '../metrics.js';
import { Broadcaster } from '../watch/broadcaster.js';
import { CommandSession } from './command-session.js';
import type { SessionEnd } from './command-stream.js';
import type { SessionLimits } from './session-limits.js';
import { command } from './testing.js';

const TARGET = { namespace: 'default', pod: 'web', container: '' };

let broadcaster: Broadcaster;
let fairQueue: FairQueue;
let loopTurns: LoopTurns;
let sessions: CommandSession[];
beforeEach(() => {
  broadcaster = new Broadcaster((error) => {
    throw error;
  });
  const threadShare = new ThreadShare(LIMITS);
  fairQueue = new FairQueue(LIMITS, new Metrics(), threadShare);
  loopTurns = new LoopTurns(threadShare);
  sessions = [];
});
afterEach(() => sessions.forEach((session) => session.close()));

/** A session in a cluster of the tenant; it is all of a loaded cluster that a session sees. */
async function open(
  run: (input: string) => CommandResult,
  limits: Partial<SessionLimits> = {},
  tenantId = 'alice',
): Promise<CommandSession> {
  const cluster = {
    row: { tenantId },
    serial: new SerialQueue(),
    head: 7,
    pins: 0,
    broadcaster,
    watchCache: { after: () => [] },
  } as unknown as LoadedCluster;
  const turns = { history: {} as ChangeHistory, fairQueue, loopTurns };
  const session = await CommandSession.open(turns, cluster, TARGET, command({ run }), limits);
  sessions.push(session);
  return session;
}

const echo = (input: string): CommandResult => ({ output: input, code: 0, ended: false });

/** Keeps the process's thread busy. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('a run', () => {
  test('is of the input from its first byte on', async () => {
    const session = await open(echo);
    expect([(await session.run('a\n')).output, (await session.run('a\nb\n')).output]).toEqual(['a\n', 'a\nb\n']);
  });

  test('that fails rejects with its own error, and gives its seat back', async () => {
    const session = await open(() => {
      throw new Error('broken');
    });
    for (let i = 0; i <= LIMITS.tenantSeats; i++) await expect(session.run('')).rejects.toThrow('broken');
  });

  test('waits for a seat, and leaves the queue with its client', async () => {
    for (let i = 0; i < LIMITS.tenantSeats; i++) expect(fairQueue.acquire('alice')).toBeUndefined();
    const session = await open(echo);
    const running = session.run('a\n');
    session.close();
    await expect(running).rejects.toThrow('the client has left');
    const next = fairQueue.acquire('alice');
    fairQueue.release('alice');
    await expect(next).resolves.toBeUndefined();
  });

  test('of each of 200 sessions lets a neighbour’s request begin in between', async () => {
    let runs = 0;
    const floods = await Promise.all(
      Array.from({ length: 200 }, () =>
        open((input) => {
          runs++;
          return echo(input);
        }),
      ),
    );
    const all = floods.map((session) => session.run('ls\n'));
    await new Promise((resolve) => setImmediate(resolve));
    const neighbour = await open(echo, {}, 'bob');
    await neighbour.run('ls\n');
    expect(runs).toBeLessThan(10);
    await Promise.all(all);
    expect(runs).toBe(200);
  });
});

describe('the work of a session', () => {
  test('is bounded by what its runs have read and written together', async () => {
    const session = await open(echo, { workBytes: 30 });
    await session.run('12345\n');
    await session.run('12345\n');
    await expect(session.run('123456\n')).rejects.toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'the commands of this session have read and written 30 bytes: begin a new session',
    });
  });

  const timeout = {
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: request did not complete within the allotted timeout',
  };

  test('is bounded by the time of one run', async () => {
    const session = await open(
      (input) => {
        work(15);
        return echo(input);
      },
      { runMs: 10 },
    );
    await expect(session.run('a\n')).rejects.toMatchObject(timeout);
  });

  test('is bounded by the time of all runs', async () => {
    const session = await open(
      (input) => {
        work(8);
        return echo(input);
      },
      { totalRunMs: 10 },
    );
    await session.run('a\n');
    await session.run('a\n');
    await expect(session.run('a\n')).rejects.toMatchObject(timeout);
  });

  test('is charged to its tenant', async () => {
    const charged: [string, boolean][] = [];
    fairQueue.recordCost = (tenantId, _requests, ms) => void charged.push([tenantId, ms >= 5]);
    await (
      await open((input) => {
        work(6);
        return echo(input);
      })
    ).run('a\n');
    expect(charged).toEqual([['alice', true]]);
  });
});

describe('a session ends', () => {
  const pod = (name: string, state: object, type: 'put' | 'delete' = 'put', namespace = 'default'): AppliedChange =>
    ({
      type,
      resource: 'pods',
      namespace,
      name,
      object: { status: { containerStatuses: [{ name: 'c', state }] } },
    }) as unknown as AppliedChange;
  const running = { running: {} };
  const endOf = async (changes: readonly AppliedChange[]): Promise<SessionEnd | undefined> => {
    let ending: SessionEnd | undefined;
    (await open(echo)).onEnd((end) => (ending = end));
    broadcaster.publish(changes);
    return ending;
  };

  test.each<[string, AppliedChange, SessionEnd | undefined]>([
    ['with its pod', pod('web', running, 'delete'), 'killed'],
    ['with its container', pod('web', { terminated: { exitCode: 1 } }), 'killed'],
    ['not with another pod', pod('other', running, 'delete'), undefined],
    ['not with a pod of this name in another Namespace', pod('web', running, 'delete', 'other'), undefined],
    ['not with another change of its pod', pod('web', running), undefined],
  ])('%s', async (_, change, expected) => expect(await endOf([change])).toBe(expected));

  test.each(['deleted', 'closed'] as const)('when its cluster is %s, once', async (reason) => {
    const endings: SessionEnd[] = [];
    const session = await open(echo);
    broadcaster.publish([pod('other', running)]);
    broadcaster.end(reason);
    session.onEnd((end) => endings.push(end));
    expect(endings).toEqual(['closed']);
  });

  test('when its cluster is unloaded to make room', async () => {
    const endings: SessionEnd[] = [];
    (await open(echo)).onEnd((end) => endings.push(end));
    expect(broadcaster.canPark).toBe(true);
    broadcaster.park();
    expect(endings).toEqual(['closed']);
  });

  test('and no longer listens then', async () => {
    const session = await open(echo);
    expect(broadcaster.size).toBe(1);
    session.close();
    expect(broadcaster.size).toBe(0);
  });
});
