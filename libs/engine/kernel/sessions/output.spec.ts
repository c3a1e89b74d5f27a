import { expect, test } from '@jest/globals';
import type { State } from '../state.js';
import { acknowledge, canPrint, closeWindows, printToSession } from './output.js';
import type { Session } from './session.js';

const KIB = 1024;
const state = { waiters: new Map() } as unknown as State;

const session = (): Session => ({
  ...{ id: '0', type: 'stream', container: '', isHungUp: false },
  stdout: { from: 0, data: '', writers: 1 },
  stderr: { from: 0, data: '', writers: 1 },
});
const fill = (of: Session): number => printToSession(of, 'stdout', 'x'.repeat(2_048 * KIB)) / KIB;

test('a window grows with each acknowledgement of a full one', () => {
  const client = session();
  const taken = [];
  for (let i = 0; i < 6; i++) {
    taken.push(fill(client));
    acknowledge(state, client, client.stdout.from + client.stdout.data.length, 0);
  }
  expect(taken).toEqual([64, 128, 256, 512, 1_024, 1_024]);
});

test('an acknowledgement of a part makes room, and no larger window', () => {
  const client = session();
  fill(client);
  acknowledge(state, client, 16 * KIB, 0);
  expect(fill(client)).toBe(16);
  expect(canPrint(client, 'stdout')).toBe(false);
});

test('after an input the window is as at the beginning', () => {
  const client = session();
  fill(client);
  acknowledge(state, client, 64 * KIB, 0);
  closeWindows(client);
  expect(fill(client)).toBe(64);
});

test('a client that is gone takes all', () => {
  expect(fill({ ...session(), isHungUp: true })).toBe(2_048);
});
