import { deflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { decodeCheckpoint, encodeCheckpoint } from './checkpoint-codec.js';

const stateOf = (name: string) => ({
  revision: 7,
  now: 1_000,
  objects: [{ resource: 'pods', object: { apiVersion: 'v1', kind: 'Pod', metadata: { name } } }],
});

test.each(['web', 'Grüße 🌱', 'x'.repeat(100_000)])('a checkpoint is read back as it was: %.10s', async (name) => {
  const state = stateOf(name);
  expect(await decodeCheckpoint(await encodeCheckpoint(state))).toEqual(state);
});

test('the state may change as soon as the call has returned', async () => {
  const state = stateOf('web');
  const encoding = encodeCheckpoint(state);
  state.revision = 8;
  expect((await decodeCheckpoint(await encoding)).revision).toBe(7);
});

test('a large checkpoint has several pieces, and the event loop goes round between them', async () => {
  const objects = Array.from({ length: 5_000 }, (_, i) => stateOf(`${i}`.padEnd(2_000, 'x')).objects[0]!);
  const state = { ...stateOf('web'), bytes: 10_000_000, objects };
  const rounds = { encode: 0, decode: 0 };
  let phase: keyof typeof rounds = 'encode';
  const timer = setInterval(() => rounds[phase]++, 1);
  const encoded = await encodeCheckpoint(state);
  phase = 'decode';
  const decoded = await decodeCheckpoint(encoded);
  clearInterval(timer);
  expect(decoded).toEqual(state);
  expect(Math.min(rounds.encode, rounds.decode)).toBeGreaterThan(2);
});

test.each([
  ['plain', (text: string) => Buffer.from(text)],
  ['deflated', (text: string) => deflateSync(text)],
])('a checkpoint of one text is still read: %s', async (_, encode) => {
  const state = stateOf('web');
  expect(await decodeCheckpoint(encode(JSON.stringify(state)))).toEqual(state);
});

test('bytes that are no checkpoint are refused', async () => {
  await expect(decodeCheckpoint(Buffer.from('nonsense'))).rejects.toThrow(SyntaxError);
  await expect(decodeCheckpoint(Uint8Array.of(1))).rejects.toThrow('the checkpoint has no header');
  const encoded = await encodeCheckpoint(stateOf('web'));
  await expect(decodeCheckpoint(encoded.subarray(0, encoded.length - 3))).rejects.toThrow(/unexpected end/);
});
