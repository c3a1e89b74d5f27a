import { describe } from '@jest/globals';
import { Dice } from '../fuzz/dice.js';
import { bySeconds, inSlices, testWays } from './runs.js';
import { makeWorkload, type TimedRequest, type Workload } from './workload.js';

const SEEDS = [1, 2, 3, 4];
const MINUTES = 2;
const SECOND = 1_000;
const PODS = '/api/v1/namespaces/default/pods';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

const made = (at: number, path: string, name: string, spec: object): TimedRequest => ({
  at: at * SECOND,
  method: 'POST',
  path,
  body: { metadata: { name }, spec },
});
const scaled = (at: number, replicas: number): TimedRequest => ({
  at: at * SECOND,
  method: 'PATCH',
  path: `${DEPLOYMENTS}/crowd`,
  body: { spec: { replicas } },
});

/** A pod that is in its node's PID namespace. */
const onHost = (at: number, name: string, script: string, privileged = false): TimedRequest =>
  made(at, PODS, name, {
    ...{ nodeName: 'worker-1', hostPID: true, restartPolicy: 'Never' },
    containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script], securityContext: { privileged } }],
  });
const times = (count: number, step: string): string => `n=0; while [ $n -lt ${count} ]; do n=$((n+1)); ${step}; done`;

const crowd = {
  replicas: 2,
  selector: { matchLabels: { app: 'crowd' } },
  template: {
    metadata: { labels: { app: 'crowd' } },
    spec: {
      ...{ nodeName: 'worker-1', terminationGracePeriodSeconds: 1 },
      containers: [{ name: 'c', image: 'busybox:1.36', command: ['sleep', '977'] }],
    },
  },
};

/** What pods of a node see of each other while others come and go, also where nobody looks at them. */
const LOOKS: readonly TimedRequest[] = [
  made(1, DEPLOYMENTS, 'crowd', crowd),
  onHost(2, 'counts', times(12, 'ps | grep -c "[s]leep 977"; sleep 7')),
  onHost(3, 'waits', 'until [ $(ps | grep -c "[s]leep 977") -ge 4 ]; do sleep 3; done; echo four; exit 3'),
  onHost(4, 'for-ever', 'while true; do ps | grep -c "[s]leep 977"; sleep 11; done'),
  onHost(5, 'names', times(8, 'ls /proc/1/root/run/netns | wc -l; sleep 9'), true),
  onHost(6, 'kills', 'sleep 70; kill -9 $(pgrep -f "[s]leep 977" | head -1); echo killed; sleep 5', true),
  onHost(8, 'joins', times(6, 'nsenter -t $(pgrep -o -f "[s]leep 977") -n ip -4 -o address show eth0; sleep 13'), true),
  scaled(25, 4),
  scaled(50, 1),
  scaled(62, 3),
];

function workloadOf(seed: number): Workload {
  const workload = makeWorkload(new Dice(seed), MINUTES);
  return { ...workload, requests: [...workload.requests, ...LOOKS].sort((a, b) => a.at - b.at) };
}

describe.each(SEEDS)(
  'seed %i',
  (seed) =>
    void testWays(seed, workloadOf(seed), {
      'is the same at once and second by second': bySeconds,
      'and in slices at random moments': inSlices(new Dice(seed)),
    }),
);
