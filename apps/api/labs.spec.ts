import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { nouns } from '@terrarium/platform';
import { createKey, startTestApi, type TestApi } from './testing.js';

const START_MS = 60_000;
const LAB = `
apiVersion: terrarium.dev/v1alpha1
kind: Lab
metadata: {name: colours}
spec:
  title: Colours
  cluster: {nodes: 1, speed: instant}
  ready: {settle: 0s}
  checks:
    - {name: kept, spec: {points: 2, now: "configmaps.exists(c, c.metadata.name == 'blue')"}}
  steps:
    - title: Blue
      background: echo begun > /opt/begun
      foreground: ls
      verify: cat /opt/begun; kubectl get configmap blue -o name
      checks: [kept]
      hints: [Make it.]
      solution: kubectl create configmap blue
    - title: Red
      verify: kubectl get configmap red -o name
      solution: kubectl create configmap red
`;

let service: TestApi;
let keys: { alice: string; bob: string };

beforeAll(async () => {
  service = await startTestApi();
  keys = { alice: await createKey(service, 'alice', 20), bob: await createKey(service, 'bob', 5) };
}, START_MS);
afterAll(() => service?.close(), START_MS);

const call = (method: string, url: string, body?: unknown, key = keys.alice): Promise<Response> =>
  fetch(service.api.url + url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined
        ? {}
        : { 'content-type': typeof body === 'string' ? 'application/yaml' : 'application/json' }),
    },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  });
const read = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T;

test(
  'a lab is taken, learners are started, one goes through it, and what it did is told',
  async () => {
    const made = await call('POST', '/v1/labs', LAB);
    expect([made.status, await made.json()]).toMatchObject([201, { name: 'colours', steps: 2, checks: 1 }]);
    expect((await call('POST', '/v1/labs', LAB)).status).toBe(409);
    expect((await call('PUT', '/v1/labs/other', LAB)).status).toBe(400);
    expect(await read(call('GET', '/v1/labs'))).toMatchObject({ items: [{ name: 'colours', title: 'Colours' }] });
    expect(await read(call('GET', '/v1/labs/colours'))).toMatchObject({ manifest: { kind: 'Lab' } });

    const started = await read<nouns.StartedLearners>(
      call('POST', '/v1/labs/colours/learners', { names: ['ada', 'bert'] }),
    );
    expect(started.items.map(({ name }) => name)).toEqual(['ada', 'bert']);
    expect((await call('POST', '/v1/labs/colours/learners', { names: ['ada'] })).status).toBe(409);
    expect(await read(call('POST', '/v1/labs/colours/learners', { count: 1 }))).toMatchObject({
      items: [{ name: 'learner-1' }],
    });
    const id = started.items[0]!.clusterId;
    const lab = `/v1/clusters/${id}/lab`;
    expect(await read(call('GET', lab))).toMatchObject({
      learner: 'ada',
      step: 1,
      node: 'control-plane',
      points: 2,
      steps: [{ name: 'step-1', hints: ['Make it.'], done: false, canVerify: true }, { name: 'step-2' }],
    });
    expect(JSON.stringify(await read(call('GET', lab)))).not.toContain('kubectl create');
    expect(await read(call('POST', `${lab}/steps/step-1/enter`))).toEqual({
      step: 'step-1',
      foreground: 'ls',
      message: '',
    });
    expect(await read(call('POST', `${lab}/steps/step-1/verify`))).toMatchObject({
      done: false,
      message: expect.stringMatching(/begun[^]*not found/),
    });
    expect((await call('POST', `${lab}/steps/none/verify`)).status).toBe(404);

    const token = await read<{ token: string; user: string }>(call('POST', '/v1/labs/colours/learners/ada/tokens', {}));
    expect(token.user).toBe('learner');
    const path = `/clusters/${id}/api/v1/namespaces/default/configmaps`;
    const blue = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'blue' } };
    expect((await call('POST', path, blue, token.token)).status).toBe(201);
    expect(
      (await call('GET', `/clusters/${id}/apis/terrarium.dev/v1alpha1/checks`, undefined, token.token)).status,
    ).toBe(403);
    const query = `mutation { verifyStep(clusterId: "${id}", step: "step-1") { done checks { name phase } } }`;
    expect(await read(call('POST', '/graphql', { query }, token.token))).toEqual({
      data: { verifyStep: { done: true, checks: [{ name: 'kept', phase: 'Passed' }] } },
    });

    const { items } = await read<nouns.LearnerList>(call('GET', '/v1/labs/colours/learners'));
    expect(items).toMatchObject([
      { name: 'ada', step: 2, steps: 2, done: ['step-1'], score: 2, points: 2 },
      { name: 'bert', step: 1, done: [], score: 0 },
      { name: 'learner-1', step: 1 },
    ]);
    const session = await read<nouns.LabSession>(call('GET', `/v1/clusters/${id}/session`));
    expect(session.items.map(({ type, done }) => [type, done])).toEqual(
      expect.arrayContaining([
        ['enter', false],
        ['verify', false],
        ['write', false],
        ['check', true],
        ['verify', true],
      ]),
    );
    const write = session.items.find(({ type }) => type === 'write')!;
    expect(write).toMatchObject({ actor: 'learner', text: expect.stringContaining('blue') });
    expect(
      (await call('GET', `/clusters/${id}@${write.revision}/api/v1/namespaces/default/configmaps/blue`)).status,
    ).toBe(200);
    const first = await read<nouns.LabSession>(call('GET', `/v1/clusters/${id}/session?limit=2`));
    const rest = await read<nouns.LabSession>(call('GET', `/v1/clusters/${id}/session?after=${first.nextCursor}`));
    expect([...first.items, ...rest.items]).toEqual(session.items);

    expect((await call('DELETE', '/v1/labs/colours')).status).toBe(204);
    expect((await call('GET', '/v1/labs/colours')).status).toBe(404);
    expect((await call('GET', lab)).status).toBe(404);
  },
  START_MS,
);

test.each<[string, string, number]>([
  ['no YAML', 'a: [', 400],
  ['no lab', 'kind: Pod', 400],
  [
    'what does not become ready',
    LAB.replace('name: colours', 'name: other').replace('ready: {settle: 0s}', 'setup: exit 3'),
    422,
  ],
])('%s is refused', async (_, text, status) => expect((await call('POST', '/v1/labs', text)).status).toBe(status));

test('another tenant sees nothing of it', async () => {
  await call('POST', '/v1/labs', LAB);
  expect(await read(call('GET', '/v1/labs', undefined, keys.bob))).toEqual({ items: [] });
  expect((await call('POST', '/v1/labs/colours/learners', { count: 1 }, keys.bob)).status).toBe(404);
  expect((await call('GET', '/v1/labs/colours/learners', undefined, keys.bob)).status).toBe(404);
});
