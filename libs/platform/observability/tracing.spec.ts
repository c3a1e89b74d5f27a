import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FakeCollector } from './testing.js';
import { Tracing } from './tracing.js';

const CLIENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const CLIENT_TRACE = '0af7651916cd43dd8448eb211c80319c';

let collector: FakeCollector;
let tracing: Tracing;
let errors: unknown[];

async function open(ratio = 1): Promise<void> {
  errors = [];
  const onError = (error: unknown): void => void errors.push(error);
  tracing = await Tracing.open({ endpoint: collector.url, serviceName: 'terrarium-test', ratio, onError });
}
beforeEach(async () => void (collector = await FakeCollector.listen()));
afterEach(async () => {
  await tracing.close();
  await collector.close();
});

test("a client's trace goes on through what its request causes", async () => {
  await open();
  const request = tracing.enter('kubernetes create', CLIENT, { 'terrarium.edge': 'kubernetes' });
  await tracing.run('batch', {}, () => tracing.run('append', { attributes: { bytes: 7 } }, async () => undefined));
  request.end();
  await tracing.flush();
  const [append, batch, root] = collector.spans;
  expect([append!.name, batch!.name, root!.name]).toEqual(['append', 'batch', 'kubernetes create']);
  expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([CLIENT_TRACE]));
  expect(root!.parentSpanId).toBe('b7ad6b7169203331');
  expect(batch!.parentSpanId).toBe(root!.spanId);
  expect(append!.parentSpanId).toBe(batch!.spanId);
  expect(collector.services).toEqual(new Set(['terrarium-test']));
});

test('a span of several requests is a child of the first, and linked to the others', async () => {
  await open();
  const other = '00-11111111111111111111111111111111-2222222222222222-01';
  await tracing.run('batch', { parents: [CLIENT, undefined, other, CLIENT] }, async () => undefined);
  await tracing.flush();
  const [batch] = collector.spans;
  expect([batch!.traceId, batch!.parentSpanId]).toEqual([CLIENT_TRACE, 'b7ad6b7169203331']);
  expect(batch!.links?.map((link) => link.spanId)).toEqual(['2222222222222222']);
});

test.each([undefined, 'nonsense', '00-00000000000000000000000000000000-b7ad6b7169203331-01'])(
  'with the traceparent %s a trace begins',
  async (traceparent) => {
    await open();
    tracing.enter('rest get', traceparent, {}).end();
    await tracing.flush();
    expect(collector.spans[0]!.parentSpanId || undefined).toBeUndefined();
    expect(collector.spans[0]!.traceId).toMatch(/^[0-9a-f]{32}$/);
  },
);

test('a failure is the status of its span, without its message', async () => {
  await open();
  await expect(tracing.run('append', {}, () => Promise.reject(new TypeError('tk_secret')))).rejects.toThrow(
    'tk_secret',
  );
  await tracing.flush();
  expect(collector.spans[0]!.status).toMatchObject({ code: 2, message: 'TypeError' });
});

test('a share of the traces is recorded; a client may ask for its own', async () => {
  await open(0);
  await tracing.run('unasked', {}, async () => undefined);
  await tracing.run('asked', { parents: [CLIENT] }, async () => undefined);
  await tracing.flush();
  expect(collector.spans.map((span) => span.name)).toEqual(['asked']);
});

test('a collector that does not answer costs no request, and is told of', async () => {
  await open();
  await collector.close();
  expect(await tracing.run('append', {}, async () => 'done')).toBe('done');
  await tracing.flush();
  expect(errors.length).toBeGreaterThan(0);
}, 15_000);

test('outside of a span there is none', async () => {
  await open();
  expect(tracing.current()).toBeUndefined();
  expect(await tracing.run('x', { parents: [CLIENT] }, async () => tracing.current())).toContain(CLIENT_TRACE);
});
