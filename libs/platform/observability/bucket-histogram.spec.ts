import { expect, test } from '@jest/globals';
import { Histogram, Registry } from 'prom-client';
import { BucketHistogram } from './bucket-histogram.js';

const OPTIONS = { name: 'duration_seconds', help: 'How long.', buckets: [0.1, 0.5, 1] };

/** The same values in ours and in prom-client's own. */
async function publish(
  values: readonly [labels: { verb: string; code: string }, value: number][],
): Promise<string[][]> {
  const [own, theirs] = [new Registry(), new Registry()];
  const ours = new BucketHistogram<'verb' | 'code'>({ ...OPTIONS, registry: own });
  const reference = new Histogram({ ...OPTIONS, labelNames: ['verb', 'code'] as const, registers: [theirs] });
  for (const [labels, value] of values) {
    ours.labels(labels).observe(value);
    reference.observe(labels, value);
  }
  return Promise.all([own, theirs].map(async (registry) => (await registry.metrics()).split('\n')));
}

test.each([
  ['nothing', []],
  ['one value', [[{ verb: 'get', code: '200' }, 0.3]]],
  [
    'values at the bounds, beyond them, and of several series',
    [
      [{ verb: 'get', code: '200' }, 0.1],
      [{ verb: 'get', code: '200' }, 1],
      [{ verb: 'get', code: '200' }, 7.5],
      [{ verb: 'get', code: '404' }, 0],
      [{ verb: 'list "all"', code: '200' }, 0.5],
    ],
  ],
] as [string, [{ verb: string; code: string }, number][]][])('%s: published as by prom-client', async (_, values) => {
  const [ours, theirs] = await publish(values);
  expect(ours).toEqual(theirs);
});

test('a name that is taken is refused', () => {
  const registry = new Registry();
  new BucketHistogram({ ...OPTIONS, registry });
  expect(() => new BucketHistogram({ ...OPTIONS, registry })).toThrow('already been registered');
});
