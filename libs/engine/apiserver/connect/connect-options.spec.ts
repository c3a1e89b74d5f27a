import { expect, test } from '@jest/globals';
import { Pods } from '../../kinds/index.js';
import { Query } from '../../machinery/requests/query.js';
import type { Call } from '../call.js';
import { TestServer } from '../testing.js';
import { admitConnection } from './connect-options.js';

/** The options that admission is asked about. */
function optionsOf(subresource: string, query: string, tail = ''): object {
  const { server } = new TestServer();
  const bodies: object[] = [];
  const writer = {
    ...server.writer,
    admitBody: (...parameters: unknown[]) => bodies.push((parameters[3] as { object: object }).object),
  };
  const request = { method: 'GET', path: '', query, headers: {}, user: { name: 'ann', groups: [] } };
  const call = { server: { ...server, writer }, request, query: new Query(query), kind: Pods, subresource };
  admitConnection({ ...call, namespace: 'default', name: 'web', warnings: [], now: 0 } as unknown as Call, tail);
  return bodies[0]!;
}

test.each<[string, string, string, object]>([
  ['proxy', '', '/a/b', { kind: 'PodProxyOptions', path: '/a/b' }],
  ['proxy', '', '', { kind: 'PodProxyOptions' }],
  [
    'exec',
    'stdin=1&stdout=true&tty=0&container=app&command=ls&command=-l',
    '',
    { kind: 'PodExecOptions', stdin: true, stdout: true, container: 'app', command: ['ls', '-l'] },
  ],
  ['attach', 'stderr=1&command=ls', '', { kind: 'PodAttachOptions', stderr: true }],
  ['portforward', 'ports=80&ports=443', '', { kind: 'PodPortForwardOptions', ports: [80, 443] }],
  ['portforward', '', '', { kind: 'PodPortForwardOptions' }],
])('%s?%s with the path %j', (subresource, query, tail, options) =>
  expect(optionsOf(subresource, query, tail)).toEqual({ apiVersion: 'v1', metadata: {}, ...options }),
);
