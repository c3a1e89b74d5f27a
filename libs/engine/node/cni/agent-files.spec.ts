import { expect, test } from '@jest/globals';
import type { Node } from '../../api/core_v1.js';
import type { Reader } from '../../machinery/client.js';
import { agentFiles, flannelMtu, flannelNetwork } from './agent-files.js';

const FLANNEL = { 'flannel.alpha.coreos.com/kube-subnet-manager': 'true' };
const nodeWith = (annotations: Record<string, string>): Node => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1', annotations } },
  spec: { podCIDR: '10.244.1.0/24' },
  status: {},
});
/** A cluster with these ConfigMaps, by 'namespace/name'. */
const readerOf = (maps: Readonly<Record<string, Record<string, string>>>): Reader =>
  ({
    get: (_kind: unknown, { namespace, name }: { namespace: string; name: string }) => {
      const data = maps[`${namespace}/${name}`];
      return data && { data };
    },
  }) as unknown as Reader;
const flannelOf = (network: string): Reader =>
  readerOf({ 'kube-flannel/kube-flannel-cfg': { 'net-conf.json': JSON.stringify({ Network: network }) } });

test.each<[string, Record<string, string>, Reader, Record<string, string | undefined>]>([
  ['no network', {}, readerOf({}), {}],
  ['flanneld has not come up', {}, flannelOf('10.244.0.0/16'), { '/run/flannel': undefined }],
  [
    'flanneld has a lease',
    { ...FLANNEL, 'flannel.alpha.coreos.com/backend-type': 'host-gw' },
    flannelOf('10.244.0.0/16'),
    {
      '/run/flannel': undefined,
      '/run/flannel/subnet.env':
        'FLANNEL_NETWORK=10.244.0.0/16\nFLANNEL_SUBNET=10.244.1.1/24\nFLANNEL_MTU=1500\nFLANNEL_IPMASQ=true\n',
    },
  ],
  ['another range', FLANNEL, flannelOf('172.17.0.0/16'), { '/run/flannel': undefined }],
  [
    'calico',
    { 'projectcalico.org/IPv4Address': '172.18.0.3/16' },
    readerOf({ 'kube-system/calico-config': {} }),
    { '/var/lib/calico': undefined, '/var/lib/calico/nodename': 'worker-1' },
  ],
])('%s', (_case, annotations, read, files) => {
  expect(agentFiles(nodeWith(annotations), read)).toEqual(files);
});

test('without a configuration that can be read the network is what the published one says', () => {
  expect(flannelNetwork(readerOf({}))).toBe('10.244.0.0/16');
});

test.each([
  ['vxlan', 1_450],
  ['host-gw', 1_500],
  ['wireguard', 1_420],
])('by %s a packet has %d bytes', (backend, mtu) => {
  expect(flannelMtu({ 'flannel.alpha.coreos.com/backend-type': backend })).toBe(mtu);
});
