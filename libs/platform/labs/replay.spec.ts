import { expect, test } from '@jest/globals';
import type { ClusterRow } from '@terrarium/store';
import type { Caller } from '../identity/principal.js';
import type { LabActs } from './acts.js';
import { Replays } from './replay.js';

const at = (second: number): string => new Date(second * 1_000).toISOString();
const entry = (revision: number, fields: object): object => ({
  ...{ revision, at: at(revision), actor: 'ada', verb: 'create', object: 'pod/default/web', text: 'wrote', fields: [] },
  ...fields,
});
const ENTRIES = [
  entry(15, { text: 'ada created pod/default/web' }),
  entry(14, { verb: 'type', object: 'node/worker-1', text: 'ada typed', fields: ['ls', 'date'] }),
  entry(13, { object: 'check/one' }),
];
const CHECK = {
  metadata: { name: 'one' },
  status: {
    points: 2,
    results: [
      { revision: 4, time: at(4), phase: 'Pending', score: 0 },
      { revision: 16, time: at(16), phase: 'Passed', score: 2 },
    ],
  },
};
const CALLER = { kind: 'key', tenantId: 't' } as unknown as Caller;

function replays(): Replays {
  const row = { tenantId: 't', settings: { forkedFrom: { revision: 10 } } } as unknown as ClusterRow;
  const acts = {
    list: async () => [{ kind: 'enter', virtual: 12_000n, revision: 12, text: '', step: 'step-1', done: false }],
  } as unknown as LabActs;
  const call = async <T>(_id: string, _method: string, path: string, body?: object): Promise<T> => {
    if (path.endsWith('checks')) return { items: [CHECK] } as T;
    const { spec } = body as { spec: { after: number; before?: number } };
    expect(spec.after).toBe(10);
    // Two pages.
    return {
      status: spec.before === undefined ? { entries: ENTRIES.slice(0, 1), before: 15 } : { entries: ENTRIES.slice(1) },
    } as T;
  };
  return new Replays({ findRow: async () => row }, acts, { call });
}

test('acts stand in their order; each typed line is one, and what authors did is none', async () => {
  const { items } = await replays().list(CALLER, 'c', { limit: 100 });
  expect(items.map(({ type, revision, text, actor, done }) => [type, revision, text, actor, done])).toEqual([
    ['enter', 12, '', '', false],
    ['command', 14, 'ls', 'ada', false],
    ['command', 14, 'date', 'ada', false],
    ['write', 15, 'ada created pod/default/web', 'ada', false],
    ['check', 16, 'one: Passed, 2 of 2', '', true],
  ]);
});

test('pages follow one another within a revision', async () => {
  const first = await replays().list(CALLER, 'c', { limit: 2 });
  const rest = await replays().list(CALLER, 'c', { limit: 100, after: first.nextCursor });
  expect([...first.items, ...rest.items].map(({ text }) => text)).toEqual(
    (await replays().all(CALLER, 'c')).map(({ text }) => text),
  );
  expect(rest.nextCursor).toBeUndefined();
});

test('a cursor that is none is refused', () =>
  expect(replays().list(CALLER, 'c', { limit: 1, after: 'x' })).rejects.toThrow('must be nextCursor'));
