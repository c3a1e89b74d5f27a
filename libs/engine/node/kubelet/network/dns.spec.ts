import { expect, test } from '@jest/globals';
import type { PodSpec } from '../../../api/core_v1.js';
import { pod } from '../testing.js';
import { dnsConfigOf, resolvConf } from './dns.js';

const CLUSTER =
  'search shop.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n';
const NODE = 'nameserver 172.18.0.1\n';

test.each<[string, Partial<PodSpec>, string]>([
  ['nothing said', {}, CLUSTER],
  ['Default', { dnsPolicy: 'Default' }, NODE],
  ['the node’s network', { hostNetwork: true }, NODE],
  ['ClusterFirstWithHostNet', { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }, CLUSTER],
  [
    'None, with a configuration',
    {
      dnsPolicy: 'None',
      dnsConfig: {
        nameservers: ['1.1.1.1'],
        searches: ['my.dns'],
        options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
      },
    },
    'search my.dns\nnameserver 1.1.1.1\noptions ndots:2 edns0\n',
  ],
  [
    'ClusterFirst, with a configuration: options of the same name are replaced, no more than three servers are kept',
    {
      dnsConfig: {
        nameservers: ['10.96.0.10', '1.1.1.1', '2.2.2.2', '3.3.3.3'],
        searches: ['svc.cluster.local', 'mine'],
        options: [
          { name: 'timeout', value: '1' },
          { name: 'ndots', value: '1' },
        ],
      },
    },
    'search shop.svc.cluster.local svc.cluster.local cluster.local mine\nnameserver 10.96.0.10\nnameserver 1.1.1.1\nnameserver 2.2.2.2\noptions ndots:1 timeout:1\n',
  ],
])('resolv.conf with %s', (_case, spec, expected) => {
  expect(resolvConf(dnsConfigOf(pod(spec), '172.18.0.2'))).toBe(expected);
});
