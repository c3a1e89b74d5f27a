import { expect, test } from '@jest/globals';
import type { NodeNetwork } from '../../kinds/terrarium/noderuntime/kind.js';
import { readNetwork } from './network-config.js';

const BINARIES = 'bridge host-local loopback portmap ptp dhcp odd'.split(' ');
const CIDR = '10.244.1.0/24';
const ranges = [{ first: '10.244.1.1', last: '10.244.1.254', gateway: '10.244.1.1' }];
const ipam = { type: 'host-local', ranges: [[{ subnet: CIDR }]] };
const ptp = { type: 'ptp', ipam };
const portmap = { type: 'portmap', capabilities: { portMappings: true } };
const list = (...plugins: object[]): string => JSON.stringify({ cniVersion: '0.3.1', name: 'kindnet', plugins });
const kindnet = { '10-kindnet.conflist': list(ptp, portmap) };
const read = (files: Readonly<Record<string, string>>, binaries = BINARIES): NodeNetwork | undefined =>
  readNetwork(
    {
      read: (path) => files[path.slice('/etc/cni/net.d/'.length)],
      has: (path) => binaries.some((name) => path === `/opt/cni/bin/${name}`),
      list: (path) => (path === '/etc/cni/net.d' ? Object.keys(files) : []),
    },
    CIDR,
  );
const notInitialized = { error: 'cni plugin not initialized' };

test.each<[string, Record<string, string>, unknown]>([
  ["kindnet's", kindnet, undefined],
  ['none', {}, notInitialized],
  ['a file of another name', { 'notes.txt': kindnet['10-kindnet.conflist'] }, notInitialized],
  ['one that is no JSON', { '10-kindnet.conflist': '{"name": ' }, notInitialized],
  ['one without a name', { '10-kindnet.conflist': JSON.stringify({ plugins: [ptp] }) }, notInitialized],
  ['one without plug-ins', { '10-kindnet.conflist': list() }, notInitialized],
  ['one without a type', { '10-kindnet.conflist': list({ ipam }) }, notInitialized],
  ['the first of several, which is broken', { '00-x.conf': '{', ...kindnet }, notInitialized],
  ['the first of several', { '20-x.conf': '{', ...kindnet }, undefined],
  [
    'a single plug-in',
    { '10-x.conf': JSON.stringify({ name: 'x', ...ptp }) },
    { plugin: 'ptp', ranges, hasNoPortMap: true },
  ],
  [
    'another main plug-in',
    { '10-x.conflist': list({ ...ptp, type: 'bridge' }, portmap) },
    { plugin: 'bridge', ranges },
  ],
  [
    'a plug-in that is not there',
    { '10-x.conflist': list({ ...ptp, type: 'ptpp' }) },
    {
      failure: 'plugin type="ptpp" failed (add): failed to find plugin "ptpp" in path [/opt/cni/bin]',
    },
  ],
  [
    'a chained one that is not there',
    { '10-x.conflist': list(ptp, { type: 'tuning' }) },
    {
      failure: 'plugin type="tuning" failed (add): failed to find plugin "tuning" in path [/opt/cni/bin]',
    },
  ],
  [
    'addresses from a plug-in that is not there',
    { '10-x.conflist': list({ type: 'ptp', ipam: { type: 'whereabouts' } }) },
    {
      failure: 'plugin type="ptp" failed (add): failed to find plugin "whereabouts" in path [/opt/cni/bin]',
    },
  ],
  [
    'no addresses',
    { '10-x.conflist': list({ type: 'ptp' }) },
    {
      failure: 'plugin type="ptp" failed (add): no plugin name provided',
    },
  ],
  [
    'addresses that make no sense',
    { '10-x.conflist': list({ type: 'ptp', ipam: { type: 'host-local' } }) },
    {
      failure: 'plugin type="ptp" failed (add): no IP ranges specified',
    },
  ],
  [
    'addresses from a daemon',
    { '10-x.conflist': list({ type: 'ptp', ipam: { type: 'dhcp' } }) },
    {
      failure:
        'plugin type="ptp" failed (add): error dialing DHCP daemon: dial unix /run/cni/dhcp.sock: connect: no such file or directory',
    },
  ],
  [
    'a chained plug-in at the beginning',
    { '10-x.conflist': list(portmap) },
    {
      failure: 'plugin type="portmap" failed (add): must be called as chained plugin',
    },
  ],
  [
    'a file that is no program',
    { '10-x.conflist': list({ type: 'odd' }) },
    {
      failure:
        'plugin type="odd" failed (add): netplugin failed with no error message: fork/exec /opt/cni/bin/odd: exec format error',
    },
  ],
])('a configuration: %s', (_name, files, expected) => {
  expect(read(files)).toEqual(expected);
});

test('the loopback of a pod needs its plug-in, too', () => {
  expect(read(kindnet, ['ptp', 'host-local', 'portmap'])).toEqual({
    failure: 'plugin type="loopback" failed (add): failed to find plugin "loopback" in path [/opt/cni/bin]',
  });
});

const ADDED = [...BINARIES, 'flannel', 'static', 'multus', 'calico', 'vlan'];

test.each<[string, Record<string, string>, unknown]>([
  [
    'an address of its own',
    {
      '10-x.conflist': list(
        { type: 'bridge', ipam: { type: 'static', addresses: [{ address: '10.9.0.5/24' }] } },
        portmap,
      ),
    },
    { plugin: 'bridge', address: '10.9.0.5' },
  ],
  [
    'an address without a length',
    { '10-x.conflist': list({ type: 'bridge', ipam: { type: 'static', addresses: [{ address: '10.9.0.5' }] } }) },
    {
      failure: `plugin type="bridge" failed (add): the 'address' field is expected to be in CIDR notation, got: '10.9.0.5'`,
    },
  ],
  [
    'a plug-in that has not been told enough',
    { '10-x.conflist': list({ type: 'vlan', vlanId: 5, ipam }) },
    {
      failure:
        'plugin type="vlan" failed (add): "master" field is required. ' +
        'It specifies the host interface name to create the VLAN for',
    },
  ],
  [
    'flannel, whose agent does not run',
    { '10-flannel.conflist': list({ type: 'flannel' }, portmap), ...kindnet },
    {
      failure:
        `plugin type="flannel" failed (add): failed to load flannel 'subnet.env' file: ` +
        'open /run/flannel/subnet.env: no such file or directory. Check the flannel pod log for this node.',
    },
  ],
  [
    'calico, whose agent does not run',
    { '10-calico.conflist': list({ type: 'calico', ipam: { type: 'calico-ipam' } }, portmap) },
    {
      failure:
        'plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory: ' +
        'check that the calico/node container is running and has mounted /var/lib/calico/',
    },
  ],
  [
    'multus, which calls the next file',
    { '00-multus.conf': JSON.stringify({ name: 'multus-cni-network', type: 'multus' }), ...kindnet },
    undefined,
  ],
  [
    'multus with a way to the API, which adds networks',
    {
      '00-multus.conf': JSON.stringify({
        ...{ name: 'multus-cni-network', type: 'multus', kubeconfig: '/opt/cni/bin/multus' },
        delegates: [JSON.parse(kindnet['10-kindnet.conflist'] ?? '') as object],
      }),
    },
    { plugin: 'ptp', ranges, multus: { name: 'multus-cni-network', network: 'kindnet', type: 'multus' } },
  ],
  [
    'multus, whose credentials are not there',
    { '00-multus.conf': JSON.stringify({ name: 'm', type: 'multus', kubeconfig: '/no' }), ...kindnet },
    {
      failure:
        'plugin type="multus" failed (add): Multus: error getting k8s client: GetK8sClient: failed to get context for ' +
        'the kubeconfig /no: stat /no: no such file or directory',
    },
  ],
  [
    'multus alone',
    { '00-multus.conf': JSON.stringify({ name: 'multus-cni-network', type: 'multus' }) },
    {
      failure:
        'plugin type="multus" failed (add): Multus: failed to find the primary network: ' +
        'no valid CNI configuration in /etc/cni/net.d',
    },
  ],
])('%s', (_case, files, expected) => {
  const found = read(files, ADDED);
  if (found?.multus) expect([...found.multus.binaries]).toEqual([...found.multus.binaries].sort());
  const shown = found?.multus && { ...found, multus: { ...found.multus, binaries: undefined } };
  expect(shown ?? found).toEqual(expected);
});
