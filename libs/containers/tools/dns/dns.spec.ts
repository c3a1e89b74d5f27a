import { describe, expect, test } from '@jest/globals';
import { NO_NETWORK, type Network } from '../../../engine/kernel/network.js';
import type { NameAnswer, NameRecord } from '../../../engine/kernel/process/syscalls.js';
import { busyboxLayer, oldBusyboxLayer } from '../../layers/index.js';
import { runLine } from '../testing/run-line.js';
import { programs } from '../network/index.js';

const record = (name: string, type: string, data: string): NameRecord => ({ name: `${name}.`, type, ttl: 30, data });
const SOA = record('cluster.local', 'SOA', 'ns.dns.cluster.local. hostmaster.cluster.local. 1 7200 1800 86400 30');
const WEB = 'web.default.svc.cluster.local';
const ZONE: readonly NameRecord[] = [
  record(WEB, 'A', '10.96.0.8'),
  record(`_http._tcp.${WEB}`, 'SRV', `0 100 80 ${WEB}.`),
  record('8.0.96.10.in-addr.arpa', 'PTR', `${WEB}.`),
  record('10.0.96.10.in-addr.arpa', 'PTR', 'kube-dns.kube-system.svc.cluster.local.'),
];
const ALIAS = 'ext.default.svc.cluster.local';

/** 10.96.0.10 answers, at 10.96.0.11 nobody listens, what goes to 10.96.0.12 is lost. */
function resolve(name: string, type: string, _now: number, server: string): NameAnswer {
  const failed = { code: 'SERVFAIL', records: [], delay: 0 } as const;
  if (server === '10.96.0.11') return { ...failed, failure: 'refused' };
  if (server !== '10.96.0.10') return { ...failed, failure: 'lost' };
  if (name.endsWith('example.com')) return { ...failed, isAuthoritative: false, canRecurse: true };
  if (name === ALIAS)
    return {
      code: 'NOERROR',
      records: [record(name, 'CNAME', `${WEB}.`), ...ZONE.slice(0, type === 'A' ? 1 : 0)],
      delay: 1,
    };
  const known = ZONE.filter((one) => one.name === `${name}.`);
  const records = known.filter((one) => one.type === type);
  const authority = records.length > 0 ? [] : [SOA];
  return { code: known.length > 0 ? 'NOERROR' : 'NXDOMAIN', records, authority, delay: 1 };
}

const network: Network = { ...NO_NETWORK, resolve };
const ETC = { '/etc/hosts': '127.0.0.1\tlocalhost\n10.244.1.7\tme\n' };
const resolvConf = (server: string): string =>
  `search default.svc.cluster.local svc.cluster.local cluster.local\nnameserver ${server}\noptions ndots:5\n`;
const pick = (prefix: string) =>
  Object.fromEntries(
    Object.entries(programs).flatMap(([name, program]) =>
      name.startsWith(`${prefix}:`) ? [[name.slice(prefix.length + 1), program] as const] : [],
    ),
  );
const TOOLS = {
  bind: { ...pick('bind'), ...pick('libc'), ...pick('curl'), ...pick('iputils') },
  busybox: pick('busybox'),
  old: pick('busybox-1.28'),
};
const run = (tools: keyof typeof TOOLS, line: string, server = '10.96.0.10', more = {}) =>
  runLine(TOOLS[tools], line, { ...ETC, '/etc/resolv.conf': resolvConf(server), ...more }, {}, { network });

const SERVER = 'Server:\t\t10.96.0.10\nAddress:\t10.96.0.10#53\n\n';
const BUSYBOX_SERVER = 'Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n';
const FOUND = `Name:\t${WEB}\nAddress: 10.96.0.8\n`;

describe('what is found', () => {
  test.each<[keyof typeof TOOLS, string, string, number]>([
    ['bind', 'nslookup web', `${SERVER}${FOUND}\n`, 0],
    ['bind', 'nslookup ext', `${SERVER}${ALIAS}\tcanonical name = ${WEB}.\n${FOUND}\n`, 0],
    ['bind', 'nslookup 10.96.0.8', `8.0.96.10.in-addr.arpa\tname = ${WEB}.\n\n`, 0],
    ['bind', `nslookup -type=srv _http._tcp.${WEB}`, `${SERVER}_http._tcp.${WEB}\tservice = 0 100 80 ${WEB}.\n\n`, 0],
    ['bind', 'nslookup -type=txt web', `${SERVER}*** Can't find web: No answer\n\n`, 0],
    ['bind', 'nslookup nosuch', `${SERVER}** server can't find nosuch: NXDOMAIN\n\n`, 1],
    [
      'bind',
      'nslookup a.example.com',
      `;; Got SERVFAIL reply from 10.96.0.10\n${SERVER}** server can't find a.example.com: SERVFAIL\n\n`,
      1,
    ],
    ['busybox', `nslookup ${WEB}`, `${BUSYBOX_SERVER}${FOUND}\n\n`, 0],
    ['busybox', 'nslookup 10.96.0.8', `${BUSYBOX_SERVER}8.0.96.10.in-addr.arpa\tname = ${WEB}\n\n`, 0],
    [
      'busybox',
      'nslookup web.default',
      `${BUSYBOX_SERVER}** server can't find web.default: NXDOMAIN\n\n** server can't find web.default: NXDOMAIN\n\n`,
      1,
    ],
    [
      'old',
      'nslookup web',
      `Server:    10.96.0.10\nAddress 1: 10.96.0.10 kube-dns.kube-system.svc.cluster.local\n\nName:      web\nAddress 1: 10.96.0.8 ${WEB}\n`,
      0,
    ],
    ['bind', `dig +short ${WEB}`, '10.96.0.8\n', 0],
    ['bind', 'dig +search +short web', '10.96.0.8\n', 0],
    ['bind', 'dig +short web', '', 0],
    ['bind', 'dig +short -x 10.96.0.8', `${WEB}.\n`, 0],
    ['bind', `dig +notcp +noall +answer +search ${WEB} A`, `${WEB}. 30 IN\tA\t10.96.0.8\n`, 0],
    ['bind', 'host web', `${WEB} has address 10.96.0.8\n`, 0],
    ['bind', 'host ext', `${ALIAS} is an alias for ${WEB}.\n${WEB} has address 10.96.0.8\n`, 0],
    ['bind', 'host 10.96.0.8', `8.0.96.10.in-addr.arpa domain name pointer ${WEB}.\n`, 0],
    ['bind', 'host -t txt web', `${WEB} has no TXT record\n`, 0],
    ['bind', 'host no.svc.cluster.local.', 'Host no.svc.cluster.local. not found: 3(NXDOMAIN)\n', 1],
    ['bind', 'getent hosts web', `10.96.0.8       ${WEB}\n`, 0],
    ['bind', 'getent hosts me', '10.244.1.7      me\n', 0],
    ['bind', 'getent hosts 10.96.0.8', `10.96.0.8       ${WEB}\n`, 0],
    ['bind', 'getent hosts nosuch', '', 2],
    [
      'bind',
      'getent ahosts web',
      `10.96.0.8       STREAM ${WEB}\n10.96.0.8       DGRAM  \n10.96.0.8       RAW    \n`,
      0,
    ],
    ['bind', 'getent passwd root', 'root:x:0:0:root:/root:/bin/sh\n', 0],
  ])('in %s: %s', (tools, line, stdout, code) =>
    expect(run(tools, line)).toEqual({
      stdout,
      stderr: '',
      code,
    }),
  );

  test('busybox asks for both families with every domain', () => {
    expect(run('busybox', 'nslookup web').stdout.split('\n\n').slice(1, 4)).toEqual([
      `Name:\t${WEB}\nAddress: 10.96.0.8`,
      "** server can't find web.svc.cluster.local: NXDOMAIN",
      "** server can't find web.cluster.local: NXDOMAIN",
    ]);
  });

  test('an old busybox says on standard error what it cannot resolve', () => {
    expect(run('old', 'nslookup nosuch')).toMatchObject({ stderr: "nslookup: can't resolve 'nosuch'\n", code: 1 });
  });

  test('up to 1.28 it is in the image', () => {
    expect(oldBusyboxLayer['/bin/nslookup']).toMatchObject({ program: 'busybox-1.28:nslookup' });
    expect(busyboxLayer['/bin/nslookup']).toMatchObject({ program: 'busybox:nslookup' });
  });
});

test('dig prints the whole message', () => {
  const text = run('bind', `dig @10.96.0.10 ${WEB} AAAA`).stdout;
  expect(text.replace(/id: \d+|COOKIE: \w+|WHEN: .*/g, '')).toBe(
    `
; <<>> DiG 9.18.41-1~deb12u1-Debian <<>> @10.96.0.10 ${WEB} AAAA
; (1 server found)
;; global options: +cmd
;; Got answer:
;; WARNING: .local is reserved for Multicast DNS
;; You are currently testing what happens when an mDNS query is leaked to DNS
;; ->>HEADER<<- opcode: QUERY, status: NOERROR,${' '}
;; flags: qr aa rd; QUERY: 1, ANSWER: 0, AUTHORITY: 1, ADDITIONAL: 1
;; WARNING: recursion requested but not available

;; OPT PSEUDOSECTION:
; EDNS: version: 0, flags:; udp: 1232
;  (echoed)
;; QUESTION SECTION:
;${WEB}.\tIN\tAAAA

;; AUTHORITY SECTION:
cluster.local.\t\t30\tIN\tSOA\tns.dns.cluster.local. hostmaster.cluster.local. 1 7200 1800 86400 30

;; Query time: 1 msec
;; SERVER: 10.96.0.10#53(10.96.0.10) (UDP)
;;${' '}
;; MSG SIZE  rcvd: 163

`,
  );
});

describe('when no server answers', () => {
  const times = (count: number, line: string): string => line.repeat(count);
  const refused = ';; communications error to 10.96.0.11#53: connection refused\n';
  const lost = ';; communications error to 10.96.0.12#53: timed out\n';
  test.each<[keyof typeof TOOLS, string, string, string, string, number]>([
    ['bind', 'nslookup web', '10.96.0.11', `${times(3, refused)};; no servers could be reached\n\n`, '', 1],
    ['bind', 'nslookup web', '10.96.0.12', `${times(3, lost)};; no servers could be reached\n\n`, '', 1],
    ['bind', 'host web', '10.96.0.12', `${times(2, lost)};; no servers could be reached\n`, '', 1],
    ['busybox', 'nslookup web', '10.96.0.12', ';; connection timed out; no servers could be reached\n\n', '', 1],
    [
      'busybox',
      'nslookup web',
      '10.96.0.11',
      ';; connection timed out; no servers could be reached\n\n',
      "nslookup: write to '10.96.0.11:53': Connection refused\n",
      1,
    ],
    ['bind', 'curl -sS web', '10.96.0.12', '', 'curl: (6) Could not resolve host: web\n', 6],
    ['bind', 'ping -c 1 web', '10.96.0.12', '', 'ping: web: Temporary failure in name resolution\n', 2],
    ['bind', 'ping -c 1 nosuch', '10.96.0.10', '', 'ping: nosuch: Name or service not known\n', 2],
  ])('in %s: %s at %s', (tools, line, server, stdout, stderr, code) =>
    expect(run(tools, line, server)).toEqual({ stdout, stderr, code }),
  );

  test('dig says so before it says what it does', () => {
    expect(run('bind', 'dig web', '10.96.0.12')).toEqual({
      stdout: `${times(3, lost)}\n; <<>> DiG 9.18.41-1~deb12u1-Debian <<>> web\n;; global options: +cmd\n;; no servers could be reached\n`,
      stderr: '',
      code: 9,
    });
  });
});

test.each([
  ['glibc goes on with the search list', {}, `10.96.0.8       ${WEB}\n`],
  ['musl does not search names with enough dots', { '/etc/alpine-release': '3.22.2\n' }, ''],
])('with few dots asked for, %s', (_case, more, stdout) => {
  const files = { ...more, '/etc/resolv.conf': 'search cluster.local\nnameserver 10.96.0.10\n' };
  expect(run('bind', 'getent hosts web.default.svc', '10.96.0.10', files).stdout).toBe(stdout);
});
