import { describe, expect, test } from '@jest/globals';
import type { Change } from '@terrarium/engine';
import { CronJobs, Jobs } from '../../engine/kinds/index.js';
import { storageKey, type Kind } from '../../engine/machinery/kind.js';
import { completeManagedFields } from '../../engine/runtime/managed-fields.js';
import { atOnce, run, WORLD_MS } from './runs.js';
import { shortPodsOf } from './short-pods.js';

const SEEDS = [1, 2, 3, 4, 5, 6];

/** Kinds whose entries of components are not computed before somebody looks (Attribution). */
const kinds = new Map([Jobs as Kind, CronJobs as Kind].map((kind) => [storageKey(kind), kind]));

/** The entries that clients see of these, change by change. */
function shownEntries(seed: number): unknown[] {
  const { log } = run(seed, shortPodsOf(seed), atOnce);
  return log.flatMap((text) => {
    const { resource, revision, object } = JSON.parse(text) as Change;
    const kind = kinds.get(resource);
    return kind ? [{ revision, entries: completeManagedFields(kind, object).metadata.managedFields }] : [];
  });
}

/** All that `work` does computes each entry at once. */
function computingAtOnce<T>(work: () => T): T {
  const known = [...kinds.values()].map((kind) => [kind, kind.attribution] as const);
  for (const [kind] of known) Object.assign(kind, { attribution: undefined });
  try {
    return work();
  } finally {
    for (const [kind, attribution] of known) Object.assign(kind, { attribution });
  }
}

describe.each(SEEDS)('seed %i', (seed) => {
  test(
    'clients see the managed fields that each write would have computed',
    () => {
      const shown = shownEntries(seed);
      expect(shown.length).toBeGreaterThan(60);
      expect(shown).toEqual(computingAtOnce(() => shownEntries(seed)));
    },
    WORLD_MS,
  );
});
