import v8 from 'node:v8';
import vm from 'node:vm';
import { expect, test } from '@jest/globals';
import { MAX_FAILURES, run, type Failure } from './fuzz/run.js';

/** FUZZ_SEED=7 runs that one alone: a failing seed is its own reproduction. FUZZ_SEEDS=500 runs more. */
const ONE = process.env['FUZZ_SEED'];
const SEEDS = ONE ? [Number(ONE)] : Array.from({ length: Number(process.env['FUZZ_SEEDS'] ?? 21) }, (_, i) => i + 1);
const REQUESTS = 2_400;
const MAX_GROWTH_BYTES = 96 * 1024 * 1024;
/** Growth counts from here on: before, code is compiled and tables are filled. */
const WARM_SEEDS = 6;

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

test(
  `${SEEDS.length * REQUESTS} requests that nobody means: no 5xx, no throw, no hang, no growth`,
  () => {
    console.info(`seeds ${SEEDS[0]} to ${SEEDS.at(-1)}`);
    const failures: Failure[] = [];
    let sent = 0;
    let before = Number.POSITIVE_INFINITY;
    for (const [i, seed] of SEEDS.entries()) {
      run(seed, REQUESTS, failures);
      sent += REQUESTS;
      if (failures.length >= MAX_FAILURES) break;
      if (i === WARM_SEEDS) before = heap();
    }
    expect(failures).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(heap() - before).toBeLessThan(MAX_GROWTH_BYTES);
    expect(ONE ? Number.POSITIVE_INFINITY : sent).toBeGreaterThanOrEqual(50_000);
  },
  10 * 60_000,
);

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
