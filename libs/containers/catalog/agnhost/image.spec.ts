import { expect, test } from '@jest/globals';
import type { Start } from '@terrarium/engine';
import { image } from './image.js';

const startOf = (argv: readonly string[]): Start =>
  ({ argv, at: 0, container: { name: 'c', image: 'agnhost', args: argv.slice(1) }, env: {} }) as unknown as Start;

test.each([
  [['/agnhost', 'pause'], []],
  [['/agnhost', 'webhook', '--port=8444'], [8444]],
  [['/agnhost', 'crd-conversion-webhook'], [443]],
])('%j is known by its summary', (argv, listens) => {
  expect(image.start(startOf(argv))).toMatchObject({ listens });
});

test.each([
  [['/agnhost', 'netexec']],
  [['/agnhost', 'nettest']],
  [['/agnhost', 'grpc-health-checking']],
  [['/agnhost', 'resource-consumer']],
  [['/agnhost', 'no-such', 'webhook']],
  [['/agnhost']],
])('%j runs in a machine', (argv) => {
  expect(image.start(startOf(argv))).toBeUndefined();
});
