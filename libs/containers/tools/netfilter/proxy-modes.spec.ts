import { expect, test } from '@jest/globals';
import type { Ruleset } from '../../../engine/kernel/netfilter/index.js';
import { NO_NETWORK } from '../../../engine/kernel/network.js';
import { nodeRuleset, parseSettings } from '../../../engine/node/proxy/index.js';
import { service, slice, tableOf } from '../../../engine/node/proxy/testing.js';
import { runLine } from '../testing/run-line.js';
import type { Outcome } from '../testing/run-tool.js';
import { ipset } from './ipset.js';
import { ipvsadm } from './ipvsadm.js';
import { nft } from './nft.js';

const services = tableOf(
  service('shop/web', { clusterIP: '10.96.0.9', sessionAffinity: 'ClientIP' }),
  slice('shop/web', ['10.244.1.2', '10.244.1.3']),
);
const rulesOf = (mode: string): Ruleset =>
  nodeRuleset({
    ...{ services, node: { name: 'n', ip: '172.18.0.2', zone: '' }, at: Infinity, serviceCIDRs: ['10.96.0.0/16'] },
    settings: parseSettings(`mode: ${mode}\nclusterCIDR: 10.244.0.0/16`),
  });
const tools = { ipvsadm, ipset, nft };
const run = (line: string, mode: string, capabilities = ['NET_ADMIN']): Outcome => {
  const network = {
    ...NO_NETWORK,
    netfilter: (_now: number, isSixth?: boolean) => (isSixth ? undefined : rulesOf(mode)),
  };
  return runLine(tools, line, {}, { capabilities }, { network });
};

test('virtual servers as ipvsadm prints them', () => {
  expect(run('ipvsadm -Ln', 'ipvs')).toEqual({
    stdout: [
      'IP Virtual Server version 1.2.1 (size=4096)',
      'Prot LocalAddress:Port Scheduler Flags',
      '  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn',
      'TCP  10.96.0.9:80 rr persistent 10800',
      '  -> 10.244.1.2:80                Masq    1      0          0         ',
      '  -> 10.244.1.3:80                Masq    1      0          0         ',
      '',
    ].join('\n'),
    stderr: '',
    code: 0,
  });
});

test('a chain of nftables', () => {
  expect(run('nft list chain ip kube-proxy services', 'nftables').stdout).toBe(
    [
      'table ip kube-proxy {',
      '\tchain services {',
      '\t\tip daddr . meta l4proto . th dport vmap @service-ips',
      '\t\tip daddr @nodeport-ips meta l4proto . th dport vmap @service-nodeports',
      '\t}',
      '}',
      '',
    ].join('\n'),
  );
});

const WARNINGS = ['mangle', 'filter', 'nat']
  .map(
    (table) =>
      `# Warning: table ip ${table} is managed by iptables-nft: iptables-save shows it, this simulation of nft does not\n`,
  )
  .join('');

test.each<[string, string, string, string, number]>([
  [
    'ipvsadm -Sn',
    'ipvs',
    '-A -t 10.96.0.9:80 -s rr -p 10800\n-a -t 10.96.0.9:80 -r 10.244.1.2:80 -m -w 1\n-a -t 10.96.0.9:80 -r 10.244.1.3:80 -m -w 1\n',
    '',
    0,
  ],
  ['ipvsadm -Ln -t 10.96.0.8:80 | wc -l', 'ipvs', '3\n', '', 0],
  ['ipvsadm -Ln | wc -l', 'iptables', '3\n', '', 0],
  ['ipvsadm -C', 'ipvs', '', 'ipvsadm: -C: changing virtual servers is not simulated\n', 2],
  ['ipset list -n | head -n 2', 'ipvs', 'KUBE-LOOP-BACK\nKUBE-CLUSTER-IP\n', '', 0],
  ['ipset save KUBE-IPVS-IPS | head -n 2 | wc -l', 'ipvs', '2\n', '', 0],
  ['ipset list NONE', 'ipvs', '', 'ipset v7.17: The set with the given name does not exist\n', 1],
  [
    'ipset test KUBE-CLUSTER-IP 10.96.0.9,tcp:80',
    'ipvs',
    '',
    'Warning: 10.96.0.9,tcp:80 is in set KUBE-CLUSTER-IP.\n',
    0,
  ],
  ['ipset test KUBE-CLUSTER-IP 10.96.0.9,tcp:81', 'ipvs', '', '10.96.0.9,tcp:81 is NOT in set KUBE-CLUSTER-IP.\n', 1],
  ['ipset list', 'iptables', '', '', 0],
  ['ipset flush', 'ipvs', '', 'ipset: flush: changing sets is not simulated\n', 1],
  ['nft list tables', 'nftables', 'table ip kube-proxy\n', WARNINGS, 0],
  ['nft list tables', 'iptables', '', WARNINGS, 0],
  [
    'nft list chain ip kube-proxy none',
    'nftables',
    '',
    'Error: No such file or directory\nlist chain ip kube-proxy none\n                         ^^^^\n',
    1,
  ],
  ['nft lst ruleset', 'nftables', '', 'Error: syntax error, unexpected string\nlst ruleset\n^^^\n', 1],
  ['nft flush ruleset', 'nftables', '', 'nft: changing rules is not simulated\n', 1],
])('%s in mode %s', (line, mode, stdout, stderr, code) => {
  expect(run(line, mode)).toEqual({ stdout, stderr, code });
});

test('a set says which rules match it', () => {
  expect(run('ipset list KUBE-CLUSTER-IP', 'ipvs').stdout).toMatch(
    /^Name: KUBE-CLUSTER-IP\nType: hash:ip,port\nRevision: \d\nHeader: family inet [^\n]*\nSize in memory: \d+\nReferences: 3\nNumber of entries: 1\nMembers:\n10\.96\.0\.9,tcp:80\n$/,
  );
});

test.each([
  ['ipvsadm -Ln', "Can't initialize ipvs: Permission denied (you must be root)\n"],
  ['ipset list', 'ipset v7.17: Kernel error received: Operation not permitted\n'],
  ['nft list ruleset', 'Operation not permitted (you must be root)\n'],
])('%s without the capability', (line, message) => {
  const { stdout, stderr, code } = run(line, 'ipvs', []);
  expect([stdout, stderr.slice(0, message.length), code > 0]).toEqual(['', message, true]);
});
