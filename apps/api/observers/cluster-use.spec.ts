import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Edge, FinishedRequest, StartedRequest } from '../gate/observer.js';
import { ClusterUseObserver } from './cluster-use.js';

let touched: string[];
let listInUse: () => Iterable<string>;
let observer: ClusterUseObserver;
beforeEach(() => {
  touched = [];
  observer = new ClusterUseObserver({
    touch: (id) => void touched.push(id),
    addSource: (source) => void (listInUse = source),
  });
});

const start = (edge: Edge, clusterId?: string): StartedRequest => {
  const request = { edge, arrivalEdge: edge, verb: 'get', requestId: '1', clusterId };
  observer.started(request);
  return request;
};
const finish = (request: StartedRequest, more: Partial<FinishedRequest> = {}): void =>
  observer.finished({ ...request, code: 200, ms: 1, waitMs: 0, tenantId: 't1', ...more }, request);

describe('a request', () => {
  test.each<[Edge, string[]]>([
    ['kubernetes', ['c1']],
    ['websocket', ['c1']],
    ['exec', ['c1']],
    ['graphql', ['c1']],
    ['subscription', ['c1']],
    ['rest', []],
    ['open', []],
  ])('of %s touches %j', (edge, expected) => {
    finish(start(edge, 'c1'));
    expect(touched).toEqual(expected);
  });

  test.each([401, 403, 404, 429])('that was refused with %d uses nothing', (code) => {
    finish(start('kubernetes', 'c1'), { code });
    expect(touched).toEqual([]);
  });

  test('of no tenant or cluster uses nothing', () => {
    finish(start('kubernetes', 'c1'), { tenantId: undefined });
    finish(start('graphql'));
    expect(touched).toEqual([]);
  });
});

test('a cluster is in use while a request is open, from when it is known', () => {
  const request: { -readonly [K in keyof StartedRequest]: StartedRequest[K] } = {
    edge: 'subscription',
    arrivalEdge: 'subscription',
    verb: 'subscription',
    requestId: '1',
  };
  observer.started(request);
  start('rest', 'c2');
  expect([...listInUse()]).toEqual([]);
  request.clusterId = 'c1';
  expect([...listInUse()]).toEqual(['c1']);
  finish(request);
  expect([...listInUse()]).toEqual([]);
});
