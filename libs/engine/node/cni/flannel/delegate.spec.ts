import { expect, test } from '@jest/globals';
import { delegateOf, SUBNET_FILE } from './delegate.js';

const LINES = [
  'FLANNEL_NETWORK=10.244.0.0/16',
  'FLANNEL_SUBNET=10.244.1.1/24',
  'FLANNEL_MTU=1450',
  'FLANNEL_IPMASQ=true',
];
const diskWith = (files: Readonly<Record<string, string>>) => ({
  read: (path: string) => files[path],
  has: (path: string) => path in files,
  list: () => [],
});

test('the bridge plug-in is called with the subnet of the node', () => {
  const disk = diskWith({ [SUBNET_FILE]: LINES.join('\n') });
  expect(delegateOf({ delegate: { hairpinMode: true } }, disk)).toEqual({
    subnet: { network: '10.244.0.0/16', subnet: '10.244.1.1/24', mtu: 1_450 },
    delegate: {
      ...{ type: 'bridge', hairpinMode: true },
      ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.1.0/24' }]] },
    },
  });
});

test.each([
  [
    {},
    "failed to load flannel 'subnet.env' file: open /run/flannel/subnet.env: no such file or directory. " +
      'Check the flannel pod log for this node.',
  ],
  [
    { [SUBNET_FILE]: LINES.slice(2).join('\n') },
    'loadFlannelSubnetEnv failed: /run/flannel/subnet.env is missing FLANNEL_NETWORK, FLANNEL_SUBNET',
  ],
])('with %j it fails', (files, error) => {
  expect(delegateOf({}, diskWith(files))).toEqual({ error });
});
