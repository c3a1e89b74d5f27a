import { expect, test } from '@jest/globals';
import { node, NOW, pod, readerOf, running, STAMP, waiting } from '../testing.js';
import { summarize } from './stats.js';

const MIB = 1024 * 1024;
const worker = node(
  { capacity: { memory: '8Gi', 'ephemeral-storage': '102625208Ki' }, images: [{ names: ['x'], sizeBytes: 100 * MIB }] },
  { metadata: { name: 'worker-1', creationTimestamp: STAMP } },
);
const web = pod({}, { startTime: STAMP, containerStatuses: [running('a'), waiting('b')] });
const fresh = pod({}, { containerStatuses: [waiting('c')] }, { name: 'new' });
const base = { node: worker, pods: [web, fresh], read: readerOf(), now: NOW };
const podRef = { name: 'web', namespace: 'shop', uid: 'u1' };

test('the summary names the pods that run, and their containers', () => {
  expect(summarize({ ...base, usages: [] })).toMatchObject({
    node: {
      nodeName: 'worker-1',
      startTime: STAMP,
      memory: { availableBytes: (8_192 - 600) * MIB, usageBytes: 600 * MIB },
      fs: { capacityBytes: 102_625_208 * 1024, usedBytes: (4_096 + 100) * MIB },
      runtime: { imageFs: { usedBytes: 100 * MIB } },
      rlimit: { maxpid: 4_194_304, curproc: 160 },
    },
    pods: [{ podRef, startTime: STAMP, containers: [{ name: 'a', startTime: STAMP }] }],
  });
});

test('what was measured is there', () => {
  const measure = {
    containers: new Map([['a', { memory: 5 * MIB, cpuMs: 250, cpuRate: 0, disk: 3 * MIB, logBytes: MIB, inodes: 2 }]]),
    volumes: new Map([['v', { disk: MIB, inodes: 1 }]]),
    processes: 3,
  };
  expect(summarize({ ...base, usages: [{ pod: web, measure }] })).toMatchObject({
    node: { memory: { usageBytes: 605 * MIB }, rlimit: { curproc: 163 } },
    pods: [
      {
        podRef,
        containers: [
          {
            name: 'a',
            cpu: { usageCoreNanoSeconds: 250_000_000 },
            memory: { workingSetBytes: 5 * MIB },
            rootfs: { usedBytes: 2 * MIB, inodesUsed: 2 },
            logs: { usedBytes: MIB },
          },
        ],
        volume: [{ name: 'v', usedBytes: MIB, inodesUsed: 1 }],
        'ephemeral-storage': { usedBytes: 4 * MIB, inodesUsed: 3 },
        process_stats: { process_count: 3 },
      },
    ],
  });
});
