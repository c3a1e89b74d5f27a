import { expect, test } from '@jest/globals';
import type { Start } from '@terrarium/engine';
import { findFault, readFile } from './fault.js';

const FILE = '/etc/kube-flannel/net-conf.json';
const startWith = (conf: string | undefined, own: Partial<Start> = {}): Start => ({
  ...{ argv: ['/opt/bin/flanneld'], container: { name: 'kube-flannel' }, at: 0, seed: 'x', ends: false },
  env: { POD_NAME: 'a', POD_NAMESPACE: 'kube-flannel' },
  pod: { name: 'a', namespace: 'kube-flannel', ip: '172.18.0.3', node: 'worker-1', podCIDR: '10.244.1.0/24' },
  files: (): Record<string, string> => (conf === undefined ? {} : { [FILE]: conf }),
  resolves: () => true,
  connects: () => true,
  ...own,
});
const conf = (network: string, type: string): string => JSON.stringify({ Network: network, Backend: { Type: type } });

test.each([
  ['as published', startWith(conf('10.244.0.0/16', 'vxlan')), undefined],
  ['host-gw', startWith(conf('10.244.0.0/16', 'host-gw')), undefined],
  ['what it read first counts', startWith('{', { kept: conf('10.244.0.0/16', 'vxlan') }), undefined],
  [
    'another range',
    startWith(conf('172.17.0.0/16', 'vxlan')),
    'Error registering network: failed to acquire lease: subnet "172.17.0.0/16" specified in the flannel net config ' +
      `doesn't contain "10.244.1.0/24" PodCIDR of the "worker-1" node`,
  ],
  ['a type that is none', startWith(conf('10.244.0.0/16', 'x')), 'Error fetching backend: unknown backend type: x'],
  ['not here', startWith(conf('10.244.0.0/16', 'udp')), 'Error fetching backend: udp is not simulated here'],
  [
    'no file',
    startWith(undefined),
    `Failed to create SubnetManager: failed to read net conf: open ${FILE}: no such file or directory`,
  ],
  [
    'no name',
    startWith('{}', { env: {} }),
    'Failed to create SubnetManager: env variables POD_NAME and POD_NAMESPACE must be set',
  ],
])('%s', (_case, start, fault) => {
  expect(findFault(start)).toBe(fault);
});

test('the file is that of its volume', () => {
  expect(readFile(startWith('{}'))).toBe('{}');
});
