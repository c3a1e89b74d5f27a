import { expect, test } from '@jest/globals';
import { decodeCheckpoint, encodeCheckpoint } from './checkpoint-codec.js';

const stateOf = (name: string) => ({
  revision: 7,
  now: 1_000,
  objects: [{ resource: 'pods', object: { apiVersion: 'v1', kind: 'Pod', metadata: { name } } }],
});

test.each(['web', 'Grüße 🌱', 'x'.repeat(100_000)])('a checkpoint is read back as it was: %.10s', async (name) => {
  const state = stateOf(name);
  expect(decodeCheckpoint(await encodeCheckpoint(state))).toEqual(state);
});

test('the state may change as soon as the call has returned', async () => {
  const state = stateOf('web');
  const encoding = encodeCheckpoint(state);
  state.revision = 8;
  expect(decodeCheckpoint(await encoding).revision).toBe(7);
});

test('bytes that are no checkpoint are refused', () => {
  expect(() => decodeCheckpoint(Buffer.from('nonsense'))).toThrow(SyntaxError);
});
