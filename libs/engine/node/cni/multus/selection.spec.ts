import { expect, test } from '@jest/globals';
import { parseSelections } from './selection.js';

test.each<[string, unknown]>([
  ['macvlan', [{ name: 'macvlan', namespace: 'shop' }]],
  [
    'macvlan, other/bridge@br0',
    [
      { name: 'macvlan', namespace: 'shop' },
      { name: 'bridge', namespace: 'other', interface: 'br0' },
    ],
  ],
  [
    '[{"name": "a", "ips": ["10.1.1.5/24"], "mac": "c2:b0:57:49:47:f1", "interface": "x", "default-route": ["10.1.1.1"]}]',
    [
      {
        ...{ name: 'a', namespace: 'shop', interface: 'x', mac: 'c2:b0:57:49:47:f1' },
        ...{ ips: ['10.1.1.5/24'], defaultRoute: ['10.1.1.1'] },
      },
    ],
  ],
])('a pod asks by %s', (text, networks) => {
  expect(parseSelections(text, 'shop')).toEqual({ networks });
});

test.each([
  ['a/b/c', "parsePodNetworkAnnotation: parsePodNetworkObjectName: Invalid network object (failed at '/')"],
  ['a@b@c', "parsePodNetworkAnnotation: parsePodNetworkObjectName: Invalid network object (failed at '@')"],
  [
    'Big',
    'parsePodNetworkAnnotation: parsePodNetworkObjectName: Failed to parse: one or more items did not match ' +
      'comma-delimited format (must consist of lower case alphanumeric characters). Must start and end with an ' +
      "alphanumeric character), mismatch @ 'Big'",
  ],
  [
    'a@aninterfacenamethatistoolong',
    'parsePodNetworkAnnotation: parsePodNetworkObjectName: Failed to parse interface name: must be less than 15 chars ' +
      "and not contain '/' or spaces. interface name 'aninterfacenamethatistoolong'",
  ],
  ['[{"name": "a", "mac": "zz"}]', 'parsePodNetworkAnnotation: failed to mac: address zz: invalid MAC address'],
  ['[{"name": "a", "ips": ["10.1"]}]', 'failed to parse IP address "10.1"'],
  [
    '{"name": "a"}',
    'parsePodNetworkAnnotation: failed to parse pod Network Attachment Selection Annotation JSON format: ' +
      'json: cannot unmarshal object into Go value of type []*types.NetworkSelectionElement',
  ],
])('%s is refused', (text, error) => {
  expect(parseSelections(text, 'shop')).toEqual({ error });
});
