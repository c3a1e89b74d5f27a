import { expect, test } from '@jest/globals';
import type { Node, Pod } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { NETWORKS } from './attachment.js';
import { plugNetworks } from './plug-networks.js';

const node: Node = { ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } }, spec: {}, status: {} };
const CONFIG = '{"type": "macvlan", "ipam": {"type": "host-local", "subnet": "10.1.0.0/24"}}';
const read = {
  byIndex: () => [],
  get: (_kind: unknown, { name }: { readonly name: string }) =>
    name === 'a' ? { metadata: { name }, spec: { config: CONFIG } } : undefined,
} as unknown as Reader;

function plug(annotations: Record<string, string>) {
  return plugNetworks({
    ...{ read, node },
    pod: { metadata: { name: 'p', namespace: 'n', uid: 'u', annotations }, spec: {}, status: {} } as unknown as Pod,
    network: {
      multus: { type: 'multus', name: 'multus-cni-network', network: 'net', binaries: ['host-local', 'macvlan'] },
    },
    first: { addresses: ['10.244.1.5/24'], mac: '', mtu: 1500, plugin: 'ptp' },
  });
}
const ADDED = 'Add eth0 [10.244.1.5/24] from net';

test.each<[string, string, string[]]>([
  ['nothing', '', [ADDED]],
  ['one', 'a', [ADDED, 'Add net1 [10.1.0.2/24] from n/a']],
  ['the same twice', 'a, a@x', [ADDED, 'Add net1 [10.1.0.2/24] from n/a', 'Add x [10.1.0.3/24] from n/a']],
])('a pod that asks for %s', (_case, networks, messages) => {
  const made = plug({ [NETWORKS]: networks });
  expect('failure' in made).toBe(false);
  expect(made.events.map(({ message }) => message)).toEqual(messages);
});

const BEGIN = 'plugin type="multus" name="multus-cni-network" failed (add): ';
const LOADING = `${BEGIN}Multus: [n/p/u]: error loading k8s delegates k8s args: TryLoadPodDelegates: `;

test.each<[string, Record<string, string>, string]>([
  [
    'a network that nobody has defined',
    { [NETWORKS]: 'b' },
    `${LOADING}error in getting k8s network for pod: GetNetworkDelegates: failed getting the delegate: ` +
      'getKubernetesDelegate: cannot find a network-attachment-definition (b) in namespace (n): ' +
      'network-attachment-definitions.k8s.cni.cncf.io "b" not found',
  ],
  [
    'an interface that is there',
    { [NETWORKS]: 'a@eth0' },
    `${BEGIN}[n/p/u:a]: error adding container to network "a": DelegateAdd: cannot set "macvlan" interface name to ` +
      '"eth0": validateIfName: interface name eth0 already exists',
  ],
  [
    'two default routes',
    { [NETWORKS]: '[{"name": "a", "default-route": ["10.1.0.1"]}, {"name": "a", "default-route": ["10.1.0.9"]}]' },
    `${LOADING}multus does not support ECMP for default-route`,
  ],
  [
    'another first network',
    { 'v1.multus-cni.io/default-network': 'a' },
    `${LOADING}error in loading K8s cluster default network from pod annotation: ` +
      'tryLoadK8sPodDefaultNetwork: the annotation v1.multus-cni.io/default-network is not simulated',
  ],
])('%s fails', (_case, annotations, failure) => {
  expect(plug(annotations)).toMatchObject({ failure });
});

test('what is missing is an event as well', () => {
  expect(plug({ [NETWORKS]: 'b' }).events.map(({ reason }) => reason)).toEqual(['NoNetworkFound']);
});
