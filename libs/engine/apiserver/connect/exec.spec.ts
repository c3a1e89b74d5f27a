import { beforeEach, describe, expect, test } from '@jest/globals';
import { ApiError } from '../../machinery/meta/status.js';
import type { ExecOptions, Sessions, StreamOptions } from '../../machinery/requests/sessions.js';
import { TestServer } from '../testing.js';

const PODS = '/api/v1/namespaces/default/pods';
const UPGRADE = { connection: 'Upgrade', upgrade: 'websocket' };
const stored = (kind: string, name: string, rest: object, namespace?: string): never =>
  ({ apiVersion: 'v1', kind, metadata: { name, namespace }, ...rest }) as never;

let server: TestServer;
beforeEach(() => {
  server = new TestServer();
  server.put('nodes', stored('Node', 'worker', { spec: {}, status: {} }));
  const containers = [{ name: 'app' }];
  server.put('pods', stored('Pod', 'one', { spec: { nodeName: 'worker', containers }, status: {} }, 'default'));
  server.put('pods', stored('Pod', 'stopped', { spec: { nodeName: 'worker', containers }, status: {} }, 'default'));
  server.put(
    'pods',
    stored(
      'Pod',
      'two',
      { spec: { nodeName: 'worker', containers: [{ name: 'a' }, { name: 'b' }] }, status: {} },
      'default',
    ),
  );
  server.put('pods', stored('Pod', 'waiting', { spec: { containers }, status: {} }, 'default'));
  server.put('pods', stored('Pod', 'lost', { spec: { nodeName: 'gone', containers }, status: {} }, 'default'));
});

describe('pods/exec', () => {
  test.each([
    ['one/exec?command=ls', {}, 400, 'Upgrade request required'],
    ['one/exec', UPGRADE, 400, 'you must specify at least 1 command for the container'],
    ['one/exec?command=ls&container=b', UPGRADE, 400, 'container b is not valid for pod one'],
    ['two/exec?command=ls', UPGRADE, 400, 'a container name must be specified for pod two, choose one of: [a b]'],
    ['waiting/exec?command=ls', UPGRADE, 400, 'pod waiting does not have a host assigned'],
    ['lost/exec?command=ls', UPGRADE, 404, 'nodes "gone" not found'],
    ['none/exec?command=ls', UPGRADE, 404, 'pods "none" not found'],
    ['one/exec?command=ls', UPGRADE, 400, 'sessions in containers are not served by this cluster'],
    ['one/attach', UPGRADE, 400, 'sessions in containers are not served by this cluster'],
  ])('%s is refused', (url, headers, code, message) => {
    expect(server.call('GET', `${PODS}/${url}`, undefined, headers as Record<string, string>).body).toMatchObject({
      kind: 'Status',
      code,
      message,
    });
  });
});

describe('with sessions', () => {
  const opened: [string, object][] = [];
  const open =
    (verb: string) =>
    (pod: { metadata: { name?: string } }, options: StreamOptions): never => {
      if (pod.metadata.name === 'stopped') throw new ApiError(500, 'InternalError', 'container not found ("app")');
      opened.push([verb, options]);
      return { session: { id: `${opened.length}` } } as never;
    };
  beforeEach(() => {
    opened.length = 0;
    const sessions: Partial<Sessions> = {
      openExec: (pod, options: ExecOptions) => open('exec')(pod, options),
      openAttach: (pod, options) => open('attach')(pod, options),
      openShell: (node, options) => open('shell')(node, options),
    };
    Object.assign(server.server, { sessions });
  });
  test('a node has a shell of its own, which discovery does not tell of', () => {
    const url = '/api/v1/nodes/worker/shell?stdin=1&stdout=1&tty=1';
    expect(server.raw('GET', url, undefined, UPGRADE)).toMatchObject({ type: 'session', status: 101 });
    expect(opened).toEqual([
      ['shell', { container: '', stdin: true, stdout: true, stderr: false, tty: true, command: [] }],
    ]);
    expect(server.call('GET', url).body).toMatchObject({ code: 400, message: 'Upgrade request required' });
    expect(JSON.stringify(server.call('GET', '/api/v1').body)).not.toContain('nodes/shell');
  });

  const streams = { container: 'app', stdin: false, stdout: false, stderr: false, tty: false };

  test.each<[string, string, object]>([
    [
      'one/exec?command=ls&command=-l&stdout=1&stderr=true',
      'exec',
      { stdout: true, stderr: true, command: ['ls', '-l'] },
    ],
    [
      'one/exec?command=sh&stdin=1&stdout=1&stderr=1&tty=1',
      'exec',
      { stdin: true, stdout: true, tty: true, command: ['sh'] },
    ],
    ['one/attach?stdin=1&stdout=1', 'attach', { stdin: true, stdout: true }],
  ])('%s opens one, by either kind of upgrade', (url, verb, options) => {
    for (const upgrade of ['websocket', 'SPDY/3.1']) {
      const response = server.raw('POST', `${PODS}/${url}`, undefined, { connection: 'Upgrade', upgrade });
      expect(response).toMatchObject({ type: 'session', status: 101, opened: { session: {} } });
      expect(opened.pop()).toEqual([verb, { ...streams, ...options }]);
    }
  });

  test.each([
    ['stopped/exec?command=ls&stdout=1', 500, 'container not found ("app")'],
    ['stopped/attach?stdout=1', 500, 'container not found ("app")'],
    ['one/exec?command=ls', 400, 'you must specify at least 1 of stdin, stdout, stderr'],
    ['one/attach?tty=1', 400, 'you must specify at least 1 of stdin, stdout, stderr'],
  ])('%s is answered %d in the words of a kubelet', (url, status, text) =>
    expect(server.call('GET', `${PODS}/${url}`, undefined, UPGRADE)).toMatchObject({ status, text }),
  );

  test.each([
    ['stopped/exec?command=ls&stdout=1', 'unable to upgrade connection: container not found ("app")'],
    ['one/attach?tty=1', 'unable to upgrade connection: you must specify at least 1 of stdin, stdout, stderr'],
  ])('%s is refused over the connection that v5 has upgraded', (url, message) => {
    const headers = { ...UPGRADE, 'sec-websocket-protocol': 'v5.channel.k8s.io' };
    const response = server.raw('GET', `${PODS}/${url}`, undefined, headers);
    expect(response).toMatchObject({ type: 'session', opened: { failure: { code: 500, message } } });
  });

  test.each([
    ['one/attach?stdout=1', {}, 'Upgrade request required'],
    ['one/attach?stdout=1', { upgrade: 'websocket' }, 'Upgrade request required'],
    ['two/attach?stdout=1', UPGRADE, 'a container name must be specified for pod two, choose one of: [a b]'],
    ['waiting/attach?stdout=1', UPGRADE, 'pod waiting does not have a host assigned'],
  ])('%s is refused', (url, headers, message) =>
    expect(server.call('GET', `${PODS}/${url}`, undefined, headers as Record<string, string>).body).toMatchObject({
      code: 400,
      message,
    }),
  );
});
