import { COREFILE } from '@terrarium/engine';
import { expect, test } from '@jest/globals';
import { askShop } from './testing.js';

const ask = (name: string, type = 'A', corefile = COREFILE): string => {
  const { code, records } = askShop(name, type, corefile);
  return [code, ...records.map((record) => `${record.type} ${record.data}`)].join(' ');
};

test.each([
  ['web.shop.svc.cluster.local', 'A', 'NOERROR A 10.96.1.1'],
  ['WEB.shop.svc.cluster.local.', 'A', 'NOERROR A 10.96.1.1'],
  ['web.shop.svc.cluster.local', 'AAAA', 'NOERROR AAAA fd00::1'],
  ['web.shop.svc.cluster.local', 'TXT', 'NOERROR'],
  ['web.shop.svc.cluster.local', 'ANY', 'NOERROR'],
  ['none.shop.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['late.shop.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['db.shop.svc.cluster.local', 'A', 'NOERROR A 10.244.1.5 A 10.244.1.6'],
  ['db-0.db.shop.svc.cluster.local', 'A', 'NOERROR A 10.244.1.5'],
  ['web-0.web.shop.svc.cluster.local', 'A', 'NOERROR A 10.244.1.8'],
  ['10-244-1-6.db.shop.svc.cluster.local', 'A', 'NOERROR A 10.244.1.6'],
  ['db-2.db.shop.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['a.b.db.shop.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['plain.shop.svc.cluster.local', 'A', 'NOERROR A 10.244.1.9'],
  ['plain.shop.svc.cluster.local', 'SRV', 'NOERROR'],
  ['nobody.shop.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['any.any.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['*.shop.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['outside.shop.svc.cluster.local', 'A', 'NOERROR CNAME db.example.com.'],
  ['alias.shop.svc.cluster.local', 'A', 'NOERROR CNAME web.shop.svc.cluster.local. A 10.96.1.1'],
  ['alias.shop.svc.cluster.local', 'CNAME', 'NOERROR CNAME web.shop.svc.cluster.local.'],
  ['_http._tcp.web.shop.svc.cluster.local', 'SRV', 'NOERROR SRV 0 50 80 web.shop.svc.cluster.local.'],
  [
    '_sql._tcp.db.shop.svc.cluster.local',
    'SRV',
    'NOERROR SRV 0 50 5432 db-0.db.shop.svc.cluster.local. SRV 0 50 5432 10-244-1-6.db.shop.svc.cluster.local.',
  ],
  ['_no._tcp.web.shop.svc.cluster.local', 'SRV', 'NXDOMAIN'],
  ['10-244-1-9.shop.pod.cluster.local', 'A', 'NOERROR A 10.244.1.9'],
  ['10-244-1-9.none.pod.cluster.local', 'A', 'NXDOMAIN'],
  ['web.shop.pod.cluster.local', 'A', 'NXDOMAIN'],
  ['shop.svc.cluster.local', 'A', 'NOERROR'],
  ['none.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['cluster.local', 'NS', 'NOERROR NS ns.dns.cluster.local.'],
  ['dns-version.cluster.local', 'TXT', 'NOERROR TXT "1.1.0"'],
  ['1.1.96.10.in-addr.arpa', 'PTR', 'NOERROR PTR web.shop.svc.cluster.local.'],
  ['5.1.244.10.in-addr.arpa', 'PTR', 'NOERROR PTR db-0.db.shop.svc.cluster.local.'],
  ['9.9.9.9.in-addr.arpa', 'PTR', 'NXDOMAIN'],
  ['up.test', 'A', 'NOERROR A 172.18.0.1'],
])('%s %s: %s', (name, type, expected) => expect(ask(name, type)).toBe(expected));

test('an alias of itself ends', () => {
  expect(askShop('self.shop.svc.cluster.local').records.length).toBeLessThan(10);
});

test('what is denied, or has no records of a type, names the authority', () => {
  for (const name of ['none.shop.svc.cluster.local', 'shop.svc.cluster.local'])
    expect(askShop(name).authority?.map(({ name: zone, type }) => `${zone} ${type}`)).toEqual(['cluster.local. SOA']);
});

test('a location comes with its address', () => {
  expect(askShop('_sql._tcp.db.shop.svc.cluster.local', 'SRV').additional?.map(({ data }) => data)).toEqual([
    '10.244.1.5',
    '10.244.1.6',
  ]);
});

const zone = (...lines: string[]): string => `.:53 {\n${lines.join('\n')}\n}\n`;
const kubernetes = (...lines: string[]): string => zone('kubernetes cluster.local {', ...lines, '}');

test.each([
  ['pods are not named', kubernetes(), '10-244-1-9.shop.pod.cluster.local', 'NXDOMAIN'],
  ['pods that are not there', kubernetes('pods verified'), '10-244-1-9.shop.pod.cluster.local', 'NXDOMAIN'],
  ['one namespace', kubernetes('namespaces empty'), 'web.shop.svc.cluster.local', 'NXDOMAIN'],
  ['no server', zone('errors'), 'up.test', 'REFUSED'],
  ['other names', 'cluster.local {\nkubernetes\n}', 'up.test', 'REFUSED'],
  ['hosts', zone('hosts {', '10.0.0.5 up.test', '}'), 'up.test', 'NOERROR A 10.0.0.5'],
  ['hosts alone', zone('hosts {', '10.0.0.5 a.test', '}', 'forward . 1.1.1.1'), 'up.test', 'NXDOMAIN'],
  [
    'hosts that fall through',
    zone('hosts {', '10.0.0.5 a.test', 'fallthrough', '}', 'forward . 1.1.1.1'),
    'up.test',
    'NOERROR A 1.1.1.1',
  ],
  ['except', zone('forward . 1.1.1.1 {', 'except test', '}'), 'up.test', 'REFUSED'],
  ['a stub domain', `${zone('forward . 1.1.1.1')}test:53 {\nforward . 10.0.0.9\n}\n`, 'up.test', 'NOERROR A 10.0.0.9'],
  ['a snippet', '(up) {\nforward . 8.8.8.8\n}\n.:53 {\nimport up\n}', 'up.test', 'NOERROR A 8.8.8.8'],
  ['a name', zone('rewrite name a.test up.test', 'forward . 1.1.1.1'), 'a.test', 'NOERROR A 1.1.1.1'],
  [
    'a suffix',
    zone('rewrite name suffix .my.test .shop.svc.cluster.local answer auto', 'kubernetes cluster.local'),
    'web.my.test',
    'NOERROR A 10.96.1.1',
  ],
  [
    'a pattern',
    zone('rewrite name regex (.*)\\.my\\.test {1}.shop.svc.cluster.local', 'kubernetes cluster.local'),
    'web.my.test',
    'NOERROR A 10.96.1.1',
  ],
])('by a Corefile with %s', (_case, corefile, name, expected) => expect(ask(name, 'A', corefile)).toBe(expected));

test('a name that was rewritten is answered under the name that was asked', () => {
  const corefile = zone('rewrite name a.test up.test', 'forward . 1.1.1.1');
  expect(askShop('a.test', 'A', corefile).records[0]?.name).toBe('a.test.');
});

const FILE = '/etc/coredns/Corefile';

test.each([
  ['. {\n  foo\n}', `${FILE}:2 - Error during parsing: Unknown directive 'foo'`],
  ['. {\n  errors\n', `${FILE}:2 - Error during parsing: Unexpected EOF`],
  [
    '. {\n  kubernetes cluster.local {\n    pods all\n  }\n}',
    `plugin/kubernetes: ${FILE}:3 - Error during parsing: wrong value for pods: all,  must be one of: disabled, verified, insecure`,
  ],
  [
    '. {\n  kubernetes cluster.local {\n    podz insecure\n  }\n}',
    `plugin/kubernetes: ${FILE}:3 - Error during parsing: unknown property 'podz'`,
  ],
  [
    '. {\n  forward .\n}',
    `plugin/forward: ${FILE}:2 - Error during parsing: Wrong argument count or unexpected line ending after '.'`,
  ],
  [
    '. {\n  forward . my.server\n}',
    `plugin/forward: ${FILE}:2 - Error during parsing: not an IP address or file: "my.server"`,
  ],
  [
    '. {\n  template IN A {\n  }\n}',
    `plugin/template: ${FILE}:2 - Error during parsing: the plug-in template is not simulated`,
  ],
  ['. {\n}\n. {\n}', 'cannot serve dns://.:53 - it is already defined'],
])('%j is refused', (corefile, expected) => expect(() => ask('a.test', 'A', corefile)).toThrow(expected));
