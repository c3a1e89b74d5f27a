import { beforeEach, expect, test } from '@jest/globals';
import { NodeRuntimes } from '../../kinds/index.js';
import type { AuditPolicy } from '../../kinds/terrarium/noderuntime/api-server-configuration.js';
import { encodeUtf8 } from '../../machinery/text/utf8.js';
import { handle } from '../handle.js';
import { CONFIG_MAPS, configMap, TestServer } from '../testing.js';

let server: TestServer;
let lines: string[];

beforeEach(() => {
  server = new TestServer();
  lines = [];
  Object.assign(server.server, { audit: (_log: unknown, text: string) => lines.push(...text.trimEnd().split('\n')) });
});

/** From now on the API server has a policy. */
function follow(policy: AuditPolicy): void {
  const { state } = server;
  const audit = { policy, node: 'cp', folder: '/', file: 'a', maxBytes: 1, maxBackups: 1, maxAgeDays: 0 };
  const runtime = {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'NodeRuntime',
    metadata: { name: 'cp' },
    apiServer: { audit },
  };
  state.put(state.resourceOf(NodeRuntimes), runtime, 'test', 0);
}
const events = (): any[] => lines.map((line) => JSON.parse(line) as unknown);

test('without a policy nothing is written', () => {
  server.post(CONFIG_MAPS, configMap('a'));
  expect(lines).toEqual([]);
});

test('a request has an event of each stage, in the order of upstream’s fields', () => {
  follow({ rules: [{ level: 'RequestResponse' }] });
  server.post(CONFIG_MAPS, { ...(configMap('a') as object), data: { k: '<v>' } });
  const [received, complete] = events();
  expect(lines).toHaveLength(2);
  expect(received).toMatchObject({
    stage: 'RequestReceived',
    objectRef: { resource: 'configmaps', namespace: 'default' },
  });
  expect(Object.keys(complete)).toEqual(
    (
      'kind apiVersion level auditID stage requestURI verb user sourceIPs objectRef responseStatus requestObject ' +
      'responseObject requestReceivedTimestamp stageTimestamp annotations'
    ).split(' '),
  );
  expect(complete).toMatchObject({
    auditID: received.auditID,
    objectRef: { resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' },
    responseStatus: { metadata: {}, code: 201 },
    requestObject: { data: { k: '<v>' } },
    responseObject: { metadata: { name: 'a' } },
  });
  expect(lines[1]).toContain(String.raw`\u003cv\u003e`);
});

test.each([
  ['Metadata', false, false],
  ['Request', true, false],
  ['RequestResponse', true, true],
] as const)('%s shows what was sent: %s, and what was answered: %s', (level, sent, answered) => {
  follow({ rules: [{ level, omitManagedFields: true }], omitStages: ['RequestReceived'] });
  server.post(CONFIG_MAPS, configMap('a'));
  const [event] = events();
  expect(['requestObject' in event, 'responseObject' in event]).toEqual([sent, answered]);
  expect(JSON.stringify(event)).not.toContain('managedFields');
});

test('a refusal is shown as a Status, with what the authorizer said', () => {
  follow({ rules: [{ level: 'Metadata' }], omitStages: ['RequestReceived'] });
  server.raw('GET', CONFIG_MAPS, undefined, { 'impersonate-user': 'jane' });
  expect(events()).toMatchObject([
    {
      user: { username: 'kubernetes-admin' },
      impersonatedUser: { username: 'jane', groups: ['system:authenticated'] },
      responseStatus: { status: 'Failure', reason: 'Forbidden', code: 403 },
      annotations: { 'authorization.k8s.io/decision': 'forbid' },
    },
  ]);
});

test('a token that is none has one event', () => {
  follow({ rules: [{ level: 'Metadata' }] });
  const headers = { authorization: 'Bearer none' };
  handle(server.server, { method: 'GET', path: CONFIG_MAPS, query: '', headers }, server.state.now);
  expect(events()).toMatchObject([
    {
      stage: 'ResponseStarted',
      user: {},
      responseStatus: { message: 'Authentication failed, attempted: bearer', code: 401 },
    },
  ]);
});

test('a watch is audited when it begins', () => {
  follow({ rules: [{ level: 'Metadata' }] });
  server.raw('GET', `${CONFIG_MAPS}?watch=true`);
  expect(events().map(({ stage, verb }) => [stage, verb])).toEqual([
    ['RequestReceived', 'watch'],
    ['ResponseStarted', 'watch'],
  ]);
});

test('what the service answers itself is no request to the API server', () => {
  follow({ rules: [{ level: 'Metadata' }] });
  server.raw('GET', '/apis/terrarium.dev/v1alpha1/clocks');
  expect(lines).toEqual([]);
});

test('an event that is too long has no objects, and says so', () => {
  follow({ rules: [{ level: 'Request' }], omitStages: ['RequestReceived'] });
  server.post(CONFIG_MAPS, { ...(configMap('a') as object), data: { k: 'v'.repeat(200_000) } });
  const [event] = events();
  expect(event.annotations['audit.k8s.io/truncated']).toBe('true');
  expect('requestObject' in event).toBe(false);
});

test('YAML that is applied is shown as JSON, and what is nothing is not shown', () => {
  follow({ rules: [{ level: 'Request' }], omitStages: ['RequestReceived'] });
  const send = (text: string, type: string): void =>
    void server.raw('PATCH', `${CONFIG_MAPS}/a?fieldManager=m`, encodeUtf8(text), { 'content-type': type });
  send('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n', 'application/apply-patch+yaml');
  send('{', 'application/merge-patch+json');
  expect(events().map(({ requestObject }) => requestObject?.metadata?.name)).toEqual(['a', undefined]);
});
