import { expect, test } from '@jest/globals';
import { wire } from './attach.js';
import { attach } from './attach.js';
import { judgeListeners } from './listeners.js';
import { routeFaults } from './references.js';
import type { Gateway, Listener, Route } from './resources.js';
import { gateway, grant, route, shop, to } from './testing.js';

const attachments = (main: Gateway, given: Route, kind: 'HTTPRoute' | 'TLSRoute' = 'HTTPRoute') => {
  const { read } = shop(main, given);
  const { listeners, refusal } = attach(
    read,
    main,
    judgeListeners(read, main),
    kind,
    given,
    given.spec.parentRefs![0]!,
  );
  return refusal ? refusal.reason : listeners.map(({ index, hosts }) => `${index}:${hosts.join()}`).join(' ');
};
const from = (value: string, selector?: object): Partial<Listener> => ({
  allowedRoutes: { namespaces: { from: value, ...(selector && { selector }) } },
});
const elsewhere = route([], { parentRefs: [{ name: 'main', namespace: 'shop' }] }, { namespace: 'other' });

test.each<[string, Gateway, Route, string]>([
  ['all listeners', gateway({}, { hostname: 'a.test' }), route([]), '0: 1:a.test'],
  ['one section', gateway({}, {}), route([], { parentRefs: [{ name: 'main', sectionName: 'l1' }] }), 'InvalidListener'],
  ['no section', gateway({}), route([], { parentRefs: [{ name: 'main', sectionName: 'x' }] }), 'NoMatchingParent'],
  ['another port', gateway({}), route([], { parentRefs: [{ name: 'main', port: 81 }] }), 'NoMatchingParent'],
  ['its own namespace alone', gateway({}), elsewhere, 'NotAllowedByListeners'],
  ['all namespaces', gateway(from('All')), elsewhere, '0:'],
  ['chosen namespaces', gateway(from('Selector', { matchLabels: { team: 'other' } })), elsewhere, '0:'],
  ['others than those', gateway(from('Selector', { matchLabels: { team: 'x' } })), elsewhere, 'NotAllowedByListeners'],
  ['hosts in common', gateway({ hostname: '*.test' }), route([], { hostnames: ['a.test', 'b.com'] }), '0:a.test'],
  ['the narrower host', gateway({ hostname: 'a.test' }), route([], { hostnames: ['*.test'] }), '0:a.test'],
  [
    'no host in common',
    gateway({ hostname: 'a.test' }),
    route([], { hostnames: ['b.test'] }),
    'NoMatchingListenerHostname',
  ],
])('%s', (_case, main, given, expected) => {
  expect(attachments(main, given)).toBe(expected);
});

test('a route of another kind is not allowed', () => {
  expect(attachments(gateway({}), route([]), 'TLSRoute')).toBe('NotAllowedByListeners');
});

test.each<[string, Partial<Listener>[], string[]]>([
  ['one that is fine', [{}], ['Programmed Accepted ResolvedRefs']],
  ['an unknown protocol', [{ protocol: 'X' }], ['!Accepted=UnsupportedProtocol']],
  ['HTTPS without TLS', [{ protocol: 'HTTPS' }], ['!Accepted=UnsupportedValue']],
  ['TLS without a Secret', [{ protocol: 'HTTPS', tls: { certificateRefs: [] } }], ['!Accepted=InvalidCertificateRef']],
  [
    'a Secret that is not there',
    [{ protocol: 'HTTPS', tls: { certificateRefs: [{ name: 'x' }] } }],
    ['!Accepted=InvalidCertificateRef'],
  ],
  [
    'a Secret of another namespace',
    [{ protocol: 'HTTPS', tls: { certificateRefs: [{ name: 'x', namespace: 'other' }] } }],
    ['!Accepted=RefNotPermitted'],
  ],
  [
    'kinds that it cannot have',
    [{ allowedRoutes: { kinds: [{ kind: 'TCPRoute' }] } }],
    ['!ResolvedRefs=InvalidRouteKinds'],
  ],
  ['two of a port and a host', [{}, {}], ['Programmed Accepted ResolvedRefs', '!Accepted=HostnameConflict']],
  [
    'two protocols of a port',
    [{}, { protocol: 'TLS', tls: { mode: 'Passthrough' } }],
    ['!Accepted=ProtocolConflict', '!Accepted=ProtocolConflict'],
  ],
])('%s', (_case, listeners, expected) => {
  const main = gateway(...listeners);
  const told = judgeListeners(shop(main).read, main).map(({ isValid, said }) => {
    const bad = said.find(({ type, status }) => status === 'False' && (type === 'Accepted' || type === 'ResolvedRefs'));
    if (bad) return `${isValid ? '' : '!'}${bad.type}=${bad.reason}`;
    return said.flatMap(({ type, status }) => (status === 'True' ? [type] : [])).join(' ');
  });
  expect(told).toEqual(expected);
});

test('a route is counted once at a listener, however often it names it', () => {
  const main = gateway({});
  const given = route([], { parentRefs: [{ name: 'main' }, { name: 'main', sectionName: 'l0' }] });
  expect(wire(shop(main, given).read, main).listeners[0]!.attached).toHaveLength(1);
});

test.each<[string, object, string[]]>([
  ['a Service', to('web'), []],
  ['none', to('none'), ['BackendNotFound: spec.rules[0].backendRefs[0].name: Not found: "none"']],
  ['another port', to('web', { port: 1 }), ['BackendNotFound: no matching port for Service web and port 1']],
  [
    'another kind',
    to('web', { kind: 'Pod' }),
    ['InvalidKind: spec.rules[0].backendRefs[0].kind: Unsupported value: "Pod": supported values: "Service"'],
  ],
  [
    'another namespace',
    to('far', { namespace: 'other' }),
    [
      'RefNotPermitted: spec.rules[0].backendRefs[0].namespace: Forbidden: ' +
        'Backend ref to Service other/far not permitted by any ReferenceGrant',
    ],
  ],
])('a backend that is %s', (_case, ref, expected) => {
  const given = route([{ backendRefs: [ref as never] }]);
  const told = routeFaults(shop(given).read, 'HTTPRoute', given).map(({ reason, message }) => `${reason}: ${message}`);
  expect(told).toEqual(expected);
  expect(routeFaults(shop(given, grant('HTTPRoute', 'Service')).read, 'HTTPRoute', given)).toHaveLength(
    expected.length === 0 || (ref as { namespace?: string }).namespace ? 0 : 1,
  );
});
