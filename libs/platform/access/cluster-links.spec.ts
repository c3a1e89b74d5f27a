import { expect, test } from '@jest/globals';
import { Refusal } from '../refusal.js';
import { ClusterLinks, originOf } from './cluster-links.js';

const local = { publicUrl: 'http://localhost:8080' };
const hosted = { publicUrl: 'https://terrarium.example', baseDomain: 'base.example' };
const caller = { kind: 'key' } as never;
const tokens = {
  create: async (_caller: unknown, _id: string, { scope, ttl }: { scope: string; ttl: number }, door: string) => ({
    ...{ token: `tc_${scope}-${door}`, expiresAt: `in ${ttl}` },
  }),
} as never;

test.each([
  ['80.web.shop.svc', local, 'http://80.web.shop.svc.c1.clusters.localhost:8080'],
  ['30080', { publicUrl: 'http://127.0.0.1:80' }, 'http://30080.c1.clusters.localhost'],
  ['172.18.255.200', hosted, 'https://172-18-255-200.c1.base.example'],
  ['Shop.Test', hosted, 'https://shop.test.c1.base.example'],
])('%s with %j is at %s', (where, settings, origin) => expect(originOf(where, 'c1', settings)).toBe(origin));

test.each([
  ['80.web.shop.svc', { publicUrl: 'https://terrarium.example' }, /BASE_DOMAIN is not set/],
  ['a_b', local, /has no host name/],
  ['172.18.0.3:30080', local, /has no host name/],
  ['*.shop.test', local, /has no host name/],
  [`${'a'.repeat(64)}.test`, local, /has no host name/],
])('%s with %j has none', (where, settings, words) => expect(() => originOf(where, 'c1', settings)).toThrow(words));

test('a link has a token of that one place, and leads nowhere else', async () => {
  const links = new ClusterLinks(local, tokens);
  expect(await links.create(caller, 'c1', { where: '80.Web.shop.svc', path: '/a?b=c', ttl: 10 })).toEqual({
    url: 'http://80.web.shop.svc.c1.clusters.localhost:8080/a?b=c&terrarium_token=tc_use-80.web.shop.svc',
    expiresAt: 'in 10',
  });
  const { url } = await links.create(caller, 'c1', { where: '172.18.255.200', path: '/', ttl: 10 });
  expect(new URL(url).searchParams.get('terrarium_token')).toBe('tc_use-172.18.255.200');
  for (const path of ['//evil.test/', '/\\evil.test/'])
    await expect(links.create(caller, 'c1', { where: '30080', path, ttl: 10 })).rejects.toThrow(Refusal);
});
