import { beforeEach, expect, test } from '@jest/globals';
import type { FinishedRequest, StartedRequest } from '../gate/observer.js';
import { RequestTraces } from './request-traces.js';

let log: unknown[];
let traces: RequestTraces;
beforeEach(() => {
  log = [];
  const span = { setAttributes: (attributes: object) => void log.push(attributes), end: () => void log.push('end') };
  traces = new RequestTraces({
    enter: (...start) => {
      log.push(start);
      return span as never;
    },
    fail: (_span, error) => void log.push(['fail', error]),
  });
});

const START: StartedRequest = {
  edge: 'kubernetes',
  arrivalEdge: 'kubernetes',
  verb: 'create',
  requestId: 'r1',
  traceparent: 'tp',
};
const finish = (request: Partial<FinishedRequest> = {}, started: StartedRequest = START): void =>
  traces.finished({ ...START, code: 201, ms: 5, waitMs: 2.4, tenantId: 't1', clusterId: 'c1', ...request }, started);

test("a request is a child of the client's span, and says at its end what came of it", () => {
  traces.started(START);
  finish({ resource: 'pods' });
  expect(log).toEqual([
    [
      'kubernetes create',
      'tp',
      { 'terrarium.edge': 'kubernetes', 'terrarium.verb': 'create', 'terrarium.request_id': 'r1' },
    ],
    {
      'http.response.status_code': 201,
      'terrarium.wait_ms': 2,
      'terrarium.tenant': 't1',
      'terrarium.cluster': 'c1',
      'terrarium.resource': 'pods',
    },
    'end',
  ]);
});

test('a failure of the service is the status of its span', () => {
  const error = new Error('broken');
  traces.started(START);
  finish({ code: 500, error });
  expect(log.slice(2)).toEqual([['fail', error], 'end']);
});

test('probes and scrapes have no span', () => {
  const probe: StartedRequest = { ...START, edge: 'open' };
  traces.started(probe);
  finish({ edge: 'open' }, probe);
  expect(log).toEqual([]);
});

test('two requests of one id are told apart', () => {
  const [first, second] = [{ ...START }, { ...START }];
  traces.started(first);
  finish({}, second);
  expect(log).toHaveLength(1);
  finish({}, first);
  expect(log.at(-1)).toBe('end');
});
