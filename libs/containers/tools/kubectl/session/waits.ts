import type { Wait } from '../../../../engine/kernel/process/program.js';

/** What wakes whoever waits for several things at once. */
export function joinWaits(waits: readonly Wait[], readable: readonly number[] = []): Wait {
  if (waits.some(({ type }) => type === 'yield')) return { type: 'yield' };
  const parts = waits.flatMap((wait) => (wait.type === 'wait' ? [wait] : []));
  const until = Math.min(...parts.map((part) => part.until ?? Infinity));
  return {
    type: 'wait',
    readable: [...readable, ...parts.flatMap((part) => part.readable ?? [])],
    writable: parts.flatMap((part) => part.writable ?? []),
    ...(until === Infinity ? {} : { until }),
  };
}
