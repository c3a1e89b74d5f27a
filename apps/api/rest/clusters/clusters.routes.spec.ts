import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { nouns } from '@terrarium/platform';
import { createKey, startTestApi, type TestApi } from '../../testing.js';

const START_MS = 60_000;
const JSON_BODY = { 'content-type': 'application/json' };
const CLOCK = '/apis/terrarium.dev/v1alpha1/clocks/clock';

let service: TestApi;
let key: string;
beforeAll(async () => {
  service = await startTestApi();
  key = await createKey(service, 'alice', 1_000);
}, START_MS);
afterAll(() => service?.close(), START_MS);

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

async function call<T = { error: string }>(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const response = await fetch(service.api.url + url, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : JSON_BODY), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
}
const create = async (body: object = {}): Promise<nouns.Cluster> =>
  (await call<nouns.Cluster>('POST', '/v1/clusters', { name: 'demo', nodes: 0, ...body })).body;

describe('POST /v1/clusters with an Idempotency-Key', () => {
  const post = (body: object, idempotencyKey: string) =>
    call<nouns.Cluster & { error?: string }>('POST', '/v1/clusters', body, { 'idempotency-key': idempotencyKey });

  test('creates once, and then gives the same', async () => {
    const first = await post({ name: 'once', nodes: 0 }, 'k1');
    const second = await post({ name: 'once', nodes: 0 }, 'k1');
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  test('creates one when many come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({ name: 'raced', nodes: 0 }, 'k2')));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
  });

  test('refuses another body, and a key that is none', async () => {
    await post({ name: 'one', nodes: 0 }, 'k3');
    expect(await post({ name: 'two', nodes: 0 }, 'k3')).toEqual({
      status: 422,
      body: { error: 'this Idempotency-Key was used for another request' },
    });
    expect((await post({ name: 'one' }, 'two words')).body.error).toBe(
      'Idempotency-Key: must be visible ASCII characters',
    );
  });
});

describe('POST /v1/clusters/batch', () => {
  const post = (items: object[], headers = {}) =>
    call<nouns.CreatedClusters & { error?: string }>('POST', '/v1/clusters/batch', { items }, headers);

  test('creates 200 clusters, each of which answers', async () => {
    const { status, body } = await post([{ name: 'class', count: 200, labels: { course: 'cka' } }]);
    expect(status).toBe(201);
    expect(body.items.map((c) => c.name)).toEqual(Array.from({ length: 200 }, (_, i) => `class-${i + 1}`));
    for (const { id } of [body.items[0]!, body.items[199]!])
      expect((await call('GET', `/clusters/${id}/api/v1/nodes`)).status).toBe(200);
    const { body: page } = await call<nouns.ClusterList>('GET', '/v1/clusters?labelSelector=course=cka&limit=500');
    expect(page.items.map((c) => c.id)).toEqual(body.items.map((c) => c.id));
  });

  test('creates once with an Idempotency-Key', async () => {
    const items = [{ name: 'lab', count: 3, nodes: 0 }];
    const [first, second] = [
      await post(items, { 'idempotency-key': 'b1' }),
      await post(items, { 'idempotency-key': 'b1' }),
    ];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  test.each<[string, object[], string]>([
    [
      'more than 200',
      [
        { name: 'a', count: 150 },
        { name: 'b', count: 51 },
      ],
      'items: must not add up to more than 200',
    ],
    ['none', [], 'items: '],
    [
      'a name that cannot be numbered',
      [{ name: 'a'.repeat(62), count: 2 }],
      'items.0.name: is too long to be numbered',
    ],
    ['a wrong field', [{ name: 'a', colour: 'red' }], 'items.0: '],
  ])('%s is refused', async (_, items, message) => {
    const { status, body } = await post(items);
    expect([status, body.error]).toEqual([400, expect.stringContaining(message)]);
  });
});

test('a quota holds against many requests at once', async () => {
  const small = await createKey(service, 'small', 5);
  const headers = { authorization: `Bearer ${small}` };
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => call('POST', '/v1/clusters', { name: `c${i}`, nodes: 0 }, headers)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(answers.find(({ status }) => status !== 201)).toEqual({
    status: 403,
    body: { error: 'the quota of 5 clusters is used up: delete one first' },
  });
  const { body } = await call<nouns.Usage>('GET', '/v1/usage', undefined, headers);
  expect([body.limits.clusters, body.used.clusters]).toEqual([5, 5]);
});

describe('PATCH /v1/clusters/:id', () => {
  test('changes name, labels and end', async () => {
    const { id } = await create({ labels: { a: '1' }, ttl: 3_600 });
    const { status, body } = await call<nouns.Cluster>('PATCH', `/v1/clusters/${id}`, {
      name: 'renamed',
      labels: { a: null, b: '2' },
      ttl: null,
      idleTimeout: '90s',
    });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ name: 'renamed', labels: { b: '2' }, idleTimeout: '1m30s' }),
    ]);
    expect(body).not.toHaveProperty('expiresAt');
    expect((await call<nouns.Cluster>('GET', `/v1/clusters/${id}`)).body).toEqual(body);
  });

  test.each<[object, string]>([
    [{ ttl: 'soon' }, 'ttl: must be a duration such as 2h, 90s or 1h30m, or a number of seconds'],
    [{ idleTimeout: '1s' }, 'idleTimeout: must be from 30s to 3650d'],
    [{ labels: { 'a b': '1' } }, 'labels.a b: name part must consist of alphanumeric characters'],
    [{ name: 'Upper' }, 'name: must be lower-case letters'],
    [{ seed: 'x' }, 'Unrecognized key: "seed"'],
  ])('%j is refused', async (patch, message) => {
    const { id } = await create();
    const { status, body } = await call('PATCH', `/v1/clusters/${id}`, patch);
    expect([status, body.error]).toEqual([400, expect.stringContaining(message)]);
  });
});

test('a paused cluster says so, in its row and by its Clock', async () => {
  const { id } = await create();
  const post = (verb: string) => call<nouns.Cluster>('POST', `/v1/clusters/${id}/${verb}`);
  const isPaused = async (): Promise<unknown> =>
    (await call<{ spec: { paused: boolean } }>('GET', `/clusters/${id}${CLOCK}`)).body.spec.paused;
  expect(await post('pause')).toMatchObject({ status: 200, body: { state: 'paused' } });
  expect([await isPaused(), (await call<nouns.Cluster>('GET', `/v1/clusters/${id}`)).body.state]).toEqual([
    true,
    'paused',
  ]);
  expect(await post('resume')).toMatchObject({ status: 200, body: { state: 'running' } });
  expect(await isPaused()).toBe(false);
});

test('a selector that cannot be read is refused', async () => {
  expect(await call('GET', '/v1/clusters?labelSelector=a%3Db%3Dc')).toEqual({
    status: 400,
    body: { error: "labelSelector: found '=', expected: ',' or 'end of string'" },
  });
});
