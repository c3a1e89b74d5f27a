import { expect, test } from '@jest/globals';
import { execUrlOf } from './terminal.upgrades.js';

const POD = '/v1/clusters/abc/namespaces/default/pods/web/terminal';
const STREAMS = 'stdin=true&stdout=true&tty=true';

test.each([
  [POD, `${STREAMS}&command=sh`],
  [`${POD}?`, `${STREAMS}&command=sh`],
  [`${POD}?command=`, `${STREAMS}&command=sh`],
  [`${POD}?container=app&command=bash&command=-l`, `${STREAMS}&container=app&command=bash&command=-l`],
  [`${POD}?stderr=true&stdin=false&other=1`, `${STREAMS}&command=sh`],
])('%s', (url, query) =>
  expect(execUrlOf(url)).toEqual({ id: 'abc', path: '/api/v1/namespaces/default/pods/web/exec', query }),
);

test.each([
  ['attach=true', STREAMS],
  ['attach=true&container=app&command=ls', `${STREAMS}&container=app`],
  ['attach=true&tty=false', 'stdin=true&stdout=true&stderr=true'],
  ['attach=true&tty=false&stdin=false&container=app', 'stdout=true&stderr=true&container=app'],
])('attached by %s', (asked, query) =>
  expect(execUrlOf(`${POD}?${asked}`)).toEqual({
    ...{ id: 'abc', path: '/api/v1/namespaces/default/pods/web/attach', query },
  }),
);

test.each([
  ['', STREAMS],
  ['?attach=true', STREAMS],
  ['?command=bash&command=-l&container=app', `${STREAMS}&command=bash&command=-l`],
])('of a node: %s', (asked, query) =>
  expect(execUrlOf(`/v1/clusters/abc/nodes/worker-1/terminal${asked}`)).toEqual({
    id: 'abc',
    path: '/api/v1/nodes/worker-1/shell',
    query,
  }),
);

test.each([
  '/v1/clusters/abc/nodes/worker-1',
  '/v1/clusters/abc/nodes/worker-1/pods/web/terminal',
  '/v1/clusters/abc/namespaces/default/pods/web',
  '/v1/clusters/abc/namespaces/default/pods/web/terminal/x',
  '/v1/clusters//namespaces/default/pods/web/terminal',
  '/v1/clusters/%zz/namespaces/default/pods/web/terminal',
  `/v1/clusters/${'a'.repeat(600)}/namespaces/default/pods/web/terminal`,
  '/clusters/abc/api/v1/namespaces/default/pods/web/exec',
])('%s leads to no terminal', (url) => expect(execUrlOf(url)).toBeUndefined());
