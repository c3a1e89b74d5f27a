import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FakeCollector } from '../../libs/platform/observability/testing.js';
import { startService, until, type Service } from '../../libs/testkit/service.js';

const START_MS = 90_000;
const TEST_MS = 30_000;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;
const SECRET = 'tk_a-secret-of-a-client';
/** Two ports in a row: of the api and of the worker. */
const PORT = 20_000 + (process.pid % 10_000);

const settings: Record<string, string> = { LOG_REQUESTS: 'all', OBSERVABILITY_PORT: String(PORT) };
let collector: FakeCollector;
let service: Service;
let cluster: string;

beforeAll(async () => {
  collector = await FakeCollector.listen();
  Object.assign(process.env, settings, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  service = await startService('embedded Postgres', 'info');
  ({ id: cluster } = await service.call<{ id: string }>('POST', '/v1/clusters', { name: 'seen', speed: 'instant' }));
}, START_MS);

afterAll(async () => {
  for (const name of [...Object.keys(settings), 'OTEL_EXPORTER_OTLP_ENDPOINT']) delete process.env[name];
  await service?.close();
  await collector?.close();
}, START_MS);

const send = (method: string, path: string, headers: Record<string, string>, body?: object): Promise<Response> =>
  fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
const read = async (port: number, path: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}${path}`)).text();

test(
  'a trace goes from the client through the request to the task of the worker',
  async () => {
    const pod = { metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
    const answer = await send(
      'POST',
      `/clusters/${cluster}/api/v1/namespaces/default/pods`,
      { traceparent: TRACEPARENT },
      pod,
    );
    expect(answer.status).toBe(201);
    const ours = (): FakeCollector['spans'] => collector.spans.filter(({ traceId }) => traceId === TRACE);
    await until(() => ours().some(({ name }) => name === 'slice'), TEST_MS, 'the span of a slice');
    const spans = new Map(ours().map((span) => [span.name, span]));
    const parentOf = (name: string): string | undefined => spans.get(name)?.parentSpanId;
    expect(parentOf('kubernetes create')).toBe('b7ad6b7169203331');
    expect(parentOf('batch')).toBe(spans.get('kubernetes create')!.spanId);
    expect(parentOf('advance')).toBe(spans.get('batch')!.spanId);
    expect(parentOf('slice')).toBe(spans.get('advance')!.spanId);
    expect(collector.services).toEqual(new Set(['terrarium-api', 'terrarium-worker']));
  },
  TEST_MS,
);

test('health, readiness and metrics have a port of their own, of the api and of the worker', async () => {
  for (const port of [PORT, PORT + 1]) {
    expect([await read(port, '/healthz'), await read(port, '/readyz')]).toEqual(['ok', 'ok']);
    const metrics = await read(port, '/metrics');
    expect(metrics).toMatch(/^terrarium_append_duration_seconds_count [1-9]/m);
    expect(metrics).toMatch(/^terrarium_tasks\{state="waiting"\} \d+$/m);
  }
  expect(await read(PORT, '/metrics')).toMatch(
    /^terrarium_request_duration_seconds_count\{edge="kubernetes",verb="create",code="201"\} 1$/m,
  );
  expect(await read(PORT + 1, '/metrics')).toMatch(/^terrarium_slice_duration_seconds_count [1-9]/m);
  const reconciles = [
    ...(await read(PORT + 1, '/metrics')).matchAll(
      /^terrarium_reconcile_duration_seconds_count\{controller="([^"]+)"/gm,
    ),
  ].map(([, controller]) => controller!);
  expect(reconciles).toContain('scheduler');
  expect(reconciles.filter((name) => !/^[a-z-]+$/.test(name))).toEqual([]);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
});

test('a request has one line, which has none of its secrets', async () => {
  const body = { metadata: { name: 'secret' }, stringData: { password: SECRET } };
  const path = `/clusters/${cluster}/api/v1/namespaces/default/secrets`;
  await send('POST', `${path}?fieldManager=${SECRET}`, { 'x-request-id': 'one-line', 'x-token': SECRET }, body);
  await send('GET', `${path}/${SECRET}`, { authorization: `Bearer ${SECRET}`, 'x-request-id': 'refused' });
  const { api } = service.programs as unknown as { api: { lastLines: string } };
  await until(() => api.lastLines.includes('"refused"'), TEST_MS, 'the lines of the requests');
  const lines = api.lastLines
    .split('\n')
    .flatMap((line) => (line.includes('"one-line"') ? [JSON.parse(line) as object] : []));
  expect(lines).toEqual([
    expect.objectContaining({
      edge: 'kubernetes',
      verb: 'create',
      resource: 'secrets',
      code: 201,
      cluster,
      requestId: 'one-line',
      ms: expect.any(Number),
      tenant: expect.any(String),
    }),
  ]);
  expect(api.lastLines).not.toContain(SECRET);
  expect(api.lastLines).not.toContain(service.apiKey);
});
