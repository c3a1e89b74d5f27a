import { expect, test } from '@jest/globals';
import type { Authorization, Order, Solver } from '../resources.js';
import { adler32 } from './http-solver.js';
import { refusalOf } from './server.js';
import { pickSolver } from './solvers.js';

const http = (name: string, selector?: Solver['selector']): Solver => ({
  ...(selector ? { selector } : {}),
  http01: { ingress: { class: name } },
});
const order = (labels: Record<string, string>, annotations: Record<string, string> = {}): Order =>
  ({ metadata: { labels, annotations } }) as never;
const authorization = (identifier: string, wildcard = false): Authorization => ({
  ...{ identifier, wildcard, url: '', initialState: 'pending' },
  challenges: (wildcard ? ['dns-01'] : ['http-01', 'dns-01']).map((type) => ({ type, url: '', token: '' })),
});
const solvers = [
  http('all'),
  http('zone', { dnsZones: ['shop.test'] }),
  http('name', { dnsNames: ['a.shop.test'] }),
  http('team', { matchLabels: { team: 'x' } }),
];

test.each([
  ['other.test', {}, 'all'],
  ['b.shop.test', {}, 'zone'],
  ['a.shop.test', {}, 'name'],
  ['other.test', { team: 'x' }, 'team'],
])('the solver of %s with labels %j is %s', (name, labels, expected) => {
  const picked = pickSolver(solvers, order(labels as Record<string, string>), authorization(name));
  expect(picked?.solver.http01?.ingress?.class).toBe(expected);
});

test('no solver of HTTP is for a wildcard, and a Certificate says another class', () => {
  expect(pickSolver(solvers, order({}), authorization('shop.test', true))).toBeUndefined();
  const annotations = { 'acme.cert-manager.io/http01-override-ingress-ingressclassname': 'traefik' };
  const picked = pickSolver([http('all')], order({}, annotations), authorization('a.test'));
  expect(picked?.solver.http01?.ingress).toEqual({ ingressClassName: 'traefik' });
});

test('names that the authority does not certify, and a checksum', () => {
  expect([refusalOf('shop.test'), refusalOf('*.shop.test')]).toEqual([undefined, undefined]);
  expect(refusalOf('shop')).toContain('Domain name needs at least one dot');
  expect(adler32('Wikipedia')).toBe(0x11e60398);
});
