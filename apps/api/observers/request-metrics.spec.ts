import { beforeEach, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import type { FinishedRequest, StartedRequest } from '../gate/observer.js';
import { RequestMetrics } from './request-metrics.js';

let registry: Registry;
let metrics: RequestMetrics;
beforeEach(() => {
  registry = new Registry();
  metrics = new RequestMetrics(registry);
});

const STARTED: StartedRequest = { edge: 'kubernetes', arrivalEdge: 'kubernetes', verb: 'list', requestId: 'r1' };
function observe(request: Partial<FinishedRequest>): void {
  metrics.started(STARTED);
  metrics.finished({ ...STARTED, code: 200, ms: 12, waitMs: 2, ...request });
}
const lines = async (prefix: string): Promise<string[]> =>
  (await registry.metrics()).split('\n').filter((line) => line.startsWith(prefix));

test.each<[string, Partial<FinishedRequest>, string]>([
  ['a list', {}, 'request_duration_seconds_count{edge="kubernetes",verb="list",code="200"} 1'],
  [
    'an unknown method',
    { verb: 'propfind' },
    'request_duration_seconds_count{edge="kubernetes",verb="other",code="200"} 1',
  ],
  ["a pod's own code", { code: 418 }, 'request_duration_seconds_count{edge="kubernetes",verb="list",code="4xx"} 1'],
  ['a nonsense code', { code: 99_999 }, 'request_duration_seconds_count{edge="kubernetes",verb="list",code="9xx"} 1'],
  ['a watch', { verb: 'watch' }, 'stream_duration_seconds_count{edge="kubernetes",verb="watch",code="200"} 1'],
  [
    'a refused watch',
    { verb: 'watch', code: 429 },
    'request_duration_seconds_count{edge="kubernetes",verb="watch",code="429"} 1',
  ],
  [
    'a command',
    { edge: 'exec', verb: 'create', code: 101 },
    'stream_duration_seconds_count{edge="exec",verb="create",code="101"} 1',
  ],
])('%s', async (_, request, expected) => {
  observe(request);
  const counts = [
    ...(await lines('terrarium_request_duration_seconds_count')),
    ...(await lines('terrarium_stream_duration_seconds_count')),
  ];
  expect(counts).toEqual([`terrarium_${expected}`]);
});

test('durations and waits are in seconds', async () => {
  observe({ ms: 40, waitMs: 30 });
  expect(await lines('terrarium_request_duration_seconds_sum')).toEqual([
    'terrarium_request_duration_seconds_sum{edge="kubernetes",verb="list",code="200"} 0.04',
  ]);
  expect(await lines('terrarium_request_wait_seconds_sum')).toEqual([
    'terrarium_request_wait_seconds_sum{edge="kubernetes"} 0.03',
  ]);
});

test('what is open is counted by the edge where it came in', async () => {
  metrics.started(STARTED);
  metrics.started({ ...STARTED, arrivalEdge: 'exec' });
  expect(await lines('terrarium_open_requests{')).toEqual([
    'terrarium_open_requests{edge="kubernetes"} 1',
    'terrarium_open_requests{edge="exec"} 1',
  ]);
  metrics.finished({ ...STARTED, edge: 'exec', code: 101, ms: 1, waitMs: 0 });
  expect(await lines('terrarium_open_requests{')).toEqual([
    'terrarium_open_requests{edge="kubernetes"} 0',
    'terrarium_open_requests{edge="exec"} 1',
  ]);
});

test('no client makes more series than there are labels here', async () => {
  for (let i = 0; i < 2_000; i++) observe({ verb: `verb-${i}`, code: 100 + (i % 900) });
  expect((await lines('terrarium_request_duration_seconds_count')).length).toBeLessThan(60);
});
