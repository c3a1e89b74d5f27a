import { expect, test } from '@jest/globals';
import type { KubeObject, Start } from '@terrarium/engine';
import { hstsOf } from './config-map.js';
import { takeRequest } from '../take.js';
import { ingress, requestTo, shop, START, tell } from '../testing.js';

const start = { ...START, argv: [...START.argv, '--configmap=ingress-nginx/settings'] } as Start;
const settings = (data: Record<string, string>): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'ingress-nginx', name: 'settings' }, data }) as never;

test.each<[string, Record<string, string>, Record<string, string>, string]>([
  ['says nothing', {}, {}, '10.244.1.1:8080 /'],
  ['redirects', { 'force-ssl-redirect': 'true' }, {}, '308 https://a.test'],
  ['is overruled', { 'force-ssl-redirect': 'true' }, { 'force-ssl-redirect': 'false' }, '10.244.1.1:8080 /'],
  ['lets nobody in', { 'whitelist-source-range': '10.9.0.0/16' }, {}, '403'],
])('a ConfigMap that %s', (_case, data, annotations, expected) => {
  const look = shop(ingress('one', [{ host: 'a.test' }], annotations), settings(data));
  expect(tell(takeRequest(start, requestTo('http://a.test/'), look))).toBe(expected);
});

test.each([
  [{}, 'max-age=31536000; includeSubDomains'],
  [{ 'hsts-max-age': '60', 'hsts-include-subdomains': 'false', 'hsts-preload': 'true' }, 'max-age=60; preload'],
  [{ hsts: 'false' }, undefined],
])('HSTS of %j', (config, expected) => {
  expect(hstsOf(config)).toBe(expected);
});
