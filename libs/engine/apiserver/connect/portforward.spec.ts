import { beforeEach, expect, test } from '@jest/globals';
import { TestServer } from '../testing.js';

const PODS = '/api/v1/namespaces/default/pods';
const UPGRADE = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
const stored = (kind: string, name: string, rest: object, namespace?: string): never =>
  ({ apiVersion: 'v1', kind, metadata: { name, namespace, uid: `uid-${name}` }, ...rest }) as never;

let server: TestServer;
beforeEach(() => {
  server = new TestServer();
  server.put('nodes', stored('Node', 'worker', { spec: {}, status: {} }));
  const spec = { nodeName: 'worker', containers: [{ name: 'a' }, { name: 'b' }] };
  server.put('pods', stored('Pod', 'web', { spec, status: { phase: 'Running' } }, 'default'));
  server.put('pods', stored('Pod', 'new', { spec, status: { phase: 'Pending' } }, 'default'));
});

test.each([
  ['web/portforward', []],
  ['web/portforward?ports=80&ports=443,8080', [80, 443, 8080]],
])('%s leads to the pod', (url, ports) => {
  expect(server.raw('POST', `${PODS}/${url}`, undefined, UPGRADE)).toEqual({
    type: 'portforward',
    status: 101,
    headers: {},
    target: { namespace: 'default', pod: 'web', uid: 'uid-web' },
    ports,
  });
});

test.each([
  ['web/portforward?ports=', 400, 'query parameter "port" cannot be empty'],
  ['web/portforward?ports=0', 400, 'port "0" must be > 0'],
  [
    'web/portforward?ports=80,x',
    400,
    'unable to parse "80,x" as a port: strconv.ParseUint: parsing "x": invalid syntax',
  ],
  [
    'web/portforward?ports=65536',
    400,
    'unable to parse "65536" as a port: strconv.ParseUint: parsing "65536": value out of range',
  ],
  ['new/portforward', 500, 'failed to find sandboxID for pod new_default(uid-new)'],
])('%s is answered %d in the words of a kubelet', (url, status, text) =>
  expect(server.call('GET', `${PODS}/${url}`, undefined, UPGRADE)).toMatchObject({ status, text }),
);

test('a request that is no upgrade is refused', () =>
  expect(server.call('GET', `${PODS}/web/portforward`).body).toMatchObject({
    code: 400,
    message: 'Upgrade request required',
  }));
