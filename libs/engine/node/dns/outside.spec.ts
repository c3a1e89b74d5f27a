import { expect, test } from '@jest/globals';
import { answerOutside } from './outside.js';

test.each([
  ['example.com', 'A', 'SERVFAIL', 0],
  ['Example.COM.', 'A', 'SERVFAIL', 0],
  ['kubernetes.io', 'AAAA', 'SERVFAIL', 0],
  ['com', 'A', 'NOERROR', 1],
  ['com.', 'NS', 'NOERROR', 1],
  ['web.shop.svc.cluster.local', 'A', 'NXDOMAIN', 1],
  ['web', 'A', 'NXDOMAIN', 1],
  ['', 'A', 'NXDOMAIN', 1],
  ['..', 'A', 'NXDOMAIN', 1],
  ['x1', 'A', 'NXDOMAIN', 1],
  ['1.1.96.10.in-addr.arpa', 'PTR', 'NXDOMAIN', 1],
  ['host.in-addr.arpa', 'A', 'SERVFAIL', 0],
])('the world answers %j %s with %s', (name, type, code, authorities) => {
  const answer = answerOutside(name, type);
  expect([answer.code, answer.authority?.length ?? 0, answer.records]).toEqual([code, authorities, []]);
  expect([answer.isAuthoritative, answer.canRecurse, answer.failure]).toEqual([false, true, undefined]);
});
