import { beforeEach, expect, test } from '@jest/globals';
import { catalog } from '@terrarium/containers';
import {
  Cluster,
  defaultWorkers,
  makeTemplate,
  shiftCheckpoint,
  type ApiResponse,
  type SessionOutput,
  type SessionReference,
} from '@terrarium/engine';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters'] };
const HEADERS = { connection: 'Upgrade', upgrade: 'websocket' };
const NOW = Date.UTC(2026, 0, 1, 12);
const template = makeTemplate({ workers: defaultWorkers(), speed: 'realistic' }, catalog);

let cluster: Cluster;
beforeEach(() => {
  cluster = new Cluster({ seed: 'shell', images: catalog, strict: true, tokenKey: 'shell' });
  cluster.load(shiftCheckpoint(template, NOW - template.now));
  cluster.advance(NOW);
});

const shell = (node: string, command: readonly string[], user = ADMIN): ApiResponse => {
  const query = ['stdin=1', 'stdout=1', ...command.map((word) => `command=${encodeURIComponent(word)}`)].join('&');
  const path = `/api/v1/nodes/${node}/shell`;
  return cluster.handle({ method: 'GET', path, query, headers: HEADERS, body: undefined, user }, NOW);
};

const opened = (response: ApiResponse): SessionReference => {
  if (response.type !== 'session' || !response.opened.session) throw new Error(JSON.stringify(response));
  return response.opened.session;
};

const read = (session: SessionReference, at: number): SessionOutput =>
  cluster.readSession(session, { stdoutFrom: 0, stderrFrom: 0 }, at);

const run = (node: string, ...command: string[]): SessionOutput => read(opened(shell(node, command)), NOW + 1_000);

test('a command of a node’s shell is run on the node, and no pod is there for it', () => {
  expect(run('worker-1', 'sh', '-c', 'cat /etc/hostname; ls /etc/kubernetes')).toMatchObject({
    stdout: 'worker-1\nkubelet.conf\nmanifests\npki\n',
    exit: { code: 0 },
  });
  const pods = cluster.handle({ method: 'GET', path: '/api/v1/pods', query: '', headers: {}, user: ADMIN }, NOW);
  expect(JSON.stringify(pods)).not.toContain('shell');
});

test('what one writes is there for the next, and for another process that has the log', () => {
  run('worker-1', 'sh', '-c', 'echo kept > /opt/x');
  const other = new Cluster({ seed: 'shell', images: catalog, tokenKey: 'shell', runs: false });
  other.load(cluster.checkpoint());
  cluster = other;
  expect(run('worker-1', 'cat', '/opt/x').stdout).toBe('kept\n');
  expect(run('worker-2', 'ls', '/opt').stdout).not.toContain('x');
});

test('without a command it is a login shell, and stops the node’s services', () => {
  const session = opened(shell('worker-1', []));
  cluster.handleSession({ type: 'input', session, input: { stdin: 'systemctl stop kubelet; pwd\n' } }, NOW + 100);
  cluster.advance(NOW + 60_000);
  expect(read(session, NOW + 60_000)).toMatchObject({ stdout: expect.stringContaining('/') });
  const path = '/api/v1/nodes/worker-1';
  const node = cluster.handle({ method: 'GET', path, query: '', headers: {}, user: ADMIN }, NOW + 60_000);
  expect(JSON.stringify(node)).toContain('NodeStatusUnknown');
});

test.each([
  ['nowhere', ADMIN, 404],
  ['worker-1', { name: 'jane', groups: ['system:authenticated'] }, 403],
])('%s for %j: %d', (node, user, status) => expect(shell(node, ['id'], user)).toMatchObject({ status }));
