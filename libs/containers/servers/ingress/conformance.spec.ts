/** The cases of upstream's ingress-controller-conformance (features/*.feature) that are about where a request goes. */
import { expect, test } from '@jest/globals';
import type { Start } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { takeRequest as takeByHaproxy } from '../haproxy/serve.js';
import { takeRequest as takeByNginx } from './nginx/take.js';
import { ingress, requestTo, shop, START, tell, type Rule } from './nginx/testing.js';

const rule = (host: string, path: string, type: string, to: string): Rule => ({ host, path, type, to });
const RULES: readonly Rule[] = [
  rule('exact-path-rules', '/foo', 'Exact', 'web'),
  rule('prefix-path-rules', '/foo', 'Prefix', 'web'),
  rule('prefix-path-rules', '/aaa/bbb', 'Prefix', 'web'),
  rule('prefix-path-rules', '/aaa', 'Prefix', 'api'),
  rule('mixed-path-rules', '/foo', 'Prefix', 'api'),
  rule('mixed-path-rules', '/foo', 'Exact', 'web'),
  rule('trailing-slash-path-rules', '/aaa/bbb/', 'Prefix', 'web'),
  rule('trailing-slash-path-rules', '/foo/', 'Exact', 'web'),
  rule('*.foo.com', '/', 'Prefix', 'web'),
  rule('foo.bar.com', '/', 'Prefix', 'api'),
];
const haproxyClass = {
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'haproxy' } },
  spec: { controller: 'haproxy.org/ingress-controller' },
} as never;
const controllers = [
  ['nginx', takeByNginx, START],
  ['haproxy', takeByHaproxy, { argv: ['/haproxy-ingress-controller'], seed: 's', at: 0 } as unknown as Start],
] as const;
const WHERE: Readonly<Record<string, string>> = { '10.244.1.1:8080': 'web', '10.244.1.2:8080': 'api' };

const CASES: readonly (readonly [url: string, expected: string])[] = [
  ['exact-path-rules/foo', 'web'],
  ['exact-path-rules/foo/', '404'],
  ['exact-path-rules/FOO', '404'],
  ['exact-path-rules/bar', '404'],
  ['prefix-path-rules/foo', 'web'],
  ['prefix-path-rules/foo/', 'web'],
  ['prefix-path-rules/FOO', '404'],
  ['prefix-path-rules/aaa/bbb', 'web'],
  ['prefix-path-rules/aaa/bbb/ccc', 'web'],
  ['prefix-path-rules/aaa/ccc', 'api'],
  ['prefix-path-rules/aaaccc', '404'],
  ['mixed-path-rules/foo', 'web'],
  ['trailing-slash-path-rules/aaa/bbb', 'web'],
  ['trailing-slash-path-rules/aaa/bbb/', 'web'],
  ['trailing-slash-path-rules/foo', '404'],
  ['foo.bar.com/', 'api'],
  ['subdomain.bar.com/', '404'],
  ['bar.foo.com/', 'web'],
  ['baz.bar.foo.com/', '404'],
  ['foo.com/', '404'],
];

const of = (name: string, className: string, rules: readonly Rule[], spec: object = {}): Ingress =>
  ingress(name, rules, {}, { ingressClassName: className, ...spec });

test.each(
  controllers.flatMap(([name, take, start]) => CASES.map(([url, to]) => [name, url, to, take, start] as const)),
)('%s: %s is served by %s', (name, url, expected, take, start) => {
  const told = tell(take(start, requestTo(`http://${url}`), shop(of('rules', name, RULES), haproxyClass)));
  expect(WHERE[told.split(' ', 1)[0]!] ?? told).toBe(expected);
});

test.each(controllers)(
  '%s: a default backend gets all that no rule is for, and another class nothing',
  (name, take, start) => {
    const defaultBackend = { service: { name: 'web', port: { number: 80 } } };
    const look = shop(of('default', name, [], { defaultBackend }), haproxyClass);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])
      expect(tell(take(start, requestTo('http://any-host/sub-path', { method }), look))).toBe(
        '10.244.1.1:8080 /sub-path',
      );
    const strange = shop(of('strange', 'some-invalid-class-name', [{ host: 'ingress-class' }]), haproxyClass);
    expect(tell(take(start, requestTo('http://ingress-class/'), strange))).toBe('404');
  },
);
