import { describe } from '@jest/globals';
import { Dice } from '../fuzz/dice.js';
import { bySeconds, inSlices, killed, killedInMoments, testWays } from './runs.js';
import { makeWorkload, type Workload } from './workload.js';

const SEEDS = [1, 2, 3, 4];
const MINUTES = 2;
const PATH = '/apis/terrarium.dev/v1alpha1/checks';

const running = "p.metadata.namespace == 'default' && p.status.phase == 'Running'";
/** What each of them asks is seldom decided at once. */
const CHECKS: readonly object[] = [
  { now: `pods.filter(p, ${running}).size() >= 2` },
  {
    eventually: `pods.exists(p, ${running} && p.status.containerStatuses.exists(c, c.restartCount > 1))`,
    within: '50s',
  },
  { never: "readyEndpoints('default/web') < 1", after: "readyEndpoints('default/web') > 0" },
  { always: "events.all(e, e.reason != 'BackOff')", until: 'size(nodes) > 5' },
  { eventually: "change.resource == 'pods' && change.type == 'update'", times: 20, from: '10s', to: '90s' },
  { never: "change.resource == 'pods' && change.type == 'delete'", times: 3 },
  {
    now: "pods.exists(p, has(p.status.startTime) && now - timestamp(p.status.startTime) > duration('30s'))",
    every: '7s',
  },
  { probe: { url: 'http://:30080/', failures: 10 }, every: '3s' },
  { now: "connects('node/worker-1', 'service/default/web', 80)", every: '11s' },
  { now: `pods.filter(p, ${running}).size() > 0`, at: '45s' },
  {
    parts: [
      { name: 'first', now: `pods.filter(p, ${running}).size() > 1` },
      { name: 'then', eventually: "parts['first'] == 'Passed'", within: '70s' },
    ],
    points: 3,
  },
];

function checked(seed: number): Workload {
  const workload = makeWorkload(new Dice(seed), MINUTES);
  const checks = CHECKS.map((spec, i) => ({
    ...{ at: 0, method: 'POST' as const, path: PATH },
    body: { metadata: { name: `check-${i}` }, spec },
  }));
  return { ...workload, requests: [...checks, ...workload.requests] };
}

describe.each(SEEDS)('checks of seed %i', (seed) => {
  const workload = checked(seed);
  testWays(seed, workload, {
    'are the same at once and second by second': bySeconds,
    'and in slices at random moments': inSlices(new Dice(seed)),
    'and by processes that die': killed(new Dice(seed)),
    'also in the middle of a moment': killedInMoments(new Dice(seed)),
  });
});
