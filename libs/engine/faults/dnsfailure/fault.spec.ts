import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test.each([
  ['servfail', /SERVFAIL/],
  ['nxdomain', /NXDOMAIN/],
  ['lost', /no servers could be reached|timed out/],
  ['random', /203\.0\.11/],
])('%s', (error, expected) => {
  const bed = new FaultBed();
  bed.pod('client', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  bed.at(30);
  const ask = (): string => bed.exec('client', 'nslookup kubernetes.default.svc.cluster.local');
  expect(ask()).toContain('10.96.0.1');
  bed.fault('DNSFailure', { target: { pods: ['client'] }, parameters: { error }, duration: '1m' });
  expect(bed.at(31).exec('client', 'nslookup kubernetes.default.svc.cluster.local')).toMatch(expected);
  expect(bed.at(100) && ask()).toContain('10.96.0.1');
});

test.each([
  ['*.example.com', false],
  ['kubernetes.default.svc.cluster.local', true],
  ['kubernetes.default.svc', false],
  ['k?bernetes.*', true],
  ['k?ubernetes.*', false],
  ['*.def?ult.*.loca?', true],
  ['*.def?ult.*.local?', false],
])('of names like %s: %s', (pattern, fails) => {
  const bed = new FaultBed();
  bed.pod('client', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  bed.at(30).fault('DNSFailure', { target: { pods: ['client'], names: [pattern] } });
  const answer = bed.at(31).exec('client', 'nslookup kubernetes.default.svc.cluster.local');
  expect(answer.includes('SERVFAIL')).toBe(fails);
});
