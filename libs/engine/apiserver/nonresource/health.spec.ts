import { describe, expect, test } from '@jest/globals';
import { Query } from '../../machinery/requests/query.js';
import { HEALTH_CHECKS, healthResponse, type HealthPath } from './health.js';

const bodyOf = (path: HealthPath, check = '', query = ''): unknown =>
  healthResponse(path, check, new Query(query), true)?.body;

test.each<[HealthPath, string]>([
  ['healthz', ''],
  ['livez', ''],
  ['readyz', ''],
  ['readyz', 'ping'],
  ['readyz', 'shutdown'],
  ['livez', 'poststarthook/rbac/bootstrap-roles'],
])('/%s/%s', (path, check) => {
  expect(bodyOf(path, check)).toBe('ok');
});

test.each<[HealthPath, string]>([
  ['livez', 'moon'],
  ['livez', 'shutdown'],
  ['healthz', 'informer-sync'],
])('/%s/%s is no check', (path, check) => expect(healthResponse(path, check, new Query(''), true)).toBeUndefined());

describe('verbosely', () => {
  test('every check has a line', () => {
    const lines = String(bodyOf('readyz', '', 'verbose')).split('\n');
    expect(lines.slice(0, 3)).toEqual(['[+]ping ok', '[+]log ok', '[+]etcd ok']);
    expect(lines.slice(-3)).toEqual(['[+]shutdown ok', 'readyz check passed', '']);
    expect(lines).toHaveLength(HEALTH_CHECKS.readyz.length + 2);
  });

  test('those left out are said, and those that there are not', () =>
    expect(bodyOf('livez', '', 'verbose&exclude=etcd&exclude=moon')).toMatch(
      /\n\[\+\]etcd excluded: ok\n(.*\n)+warn: some health checks cannot be excluded: no matches for "moon"\nlivez check passed\n$/,
    ));
});

test.each<[HealthPath, string, string, number, string]>([
  ['livez', '', '', 500, '[-]etcd failed: reason withheld'],
  ['readyz', '', '', 500, '[-]etcd-readiness failed: reason withheld'],
  ['readyz', 'etcd', '', 500, 'internal server error: etcd failed'],
  ['readyz', 'ping', '', 200, 'ok'],
  ['livez', '', 'exclude=etcd', 200, 'ok'],
])('without etcd, /%s/%s?%s answers %d', (path, check, query, status, text) => {
  const response = healthResponse(path, check, new Query(query), false);
  expect(response?.status).toBe(status);
  expect(response?.body).toContain(text);
});
