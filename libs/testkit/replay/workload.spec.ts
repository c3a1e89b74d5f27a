import { expect, test } from '@jest/globals';
import { RecordedCluster, START } from './recorder.js';
import { formatChange, formatRecording, parseRecording } from './recording.js';
import { replay } from './replay.js';
import { runWorkload } from './workload.js';

/** `RECORD=1` records the workloads of all seeds anew; otherwise two short ones are, at both speeds. */
const RECORD = process.env['RECORD'] === '1';
const SEEDS = RECORD ? Array.from({ length: 16 }, (_, i) => i + 1) : [3, 16];
const STEPS = 30;
const TEST_MS = 60_000;

test.each(SEEDS)(
  'random workload %d is recorded with all that its log depends on',
  (seed) => {
    const speed = seed % 4 === 0 ? 'instant' : 'realistic';
    const workers = Array.from({ length: 1 + (seed % 3) }, (_, i) => ({ name: `worker-${i + 1}` }));
    const cluster = RecordedCluster.start(`workload-${seed}`, { workers, speed });
    const log: string[] = [];
    runWorkload(cluster, seed, START, STEPS, (changes) => {
      for (const change of changes) log.push(formatChange(change, START));
    });
    expect(log.length).toBeGreaterThan(STEPS);
    expect(replay(parseRecording(formatRecording(cluster.toRecording())))).toEqual(log);
    if (RECORD) cluster.save(`workload-${String(seed).padStart(2, '0')}`);
  },
  TEST_MS,
);
