import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/client.js';
import { findDelegate, parseDelegate } from './definition.js';

test.each<[string, string, unknown]>([
  [
    'a plug-in, named as its definition',
    '{"type": "macvlan"}',
    { name: 'a', isList: false, plugins: [{ type: 'macvlan' }] },
  ],
  [
    'a list',
    '{"name": "n", "plugins": [{"type": "bridge"}, {"type": "tuning"}]}',
    { name: 'n', isList: true, plugins: [{ type: 'bridge' }, { type: 'tuning' }] },
  ],
  ['nothing', '', { error: 'GetCNIConfig: err in GetCNIConfigFromFile: No networks found in /etc/cni/multus/net.d' }],
  [
    'neither',
    '{"cniVersion": "0.3.1"}',
    {
      error:
        'LoadDelegateNetConf: failed with: LoadDelegateNetConfList: ' +
        `delegate must have the 'type' or 'plugin' field`,
    },
  ],
])('a definition says %s', (_case, text, expected) => {
  expect(parseDelegate(text, 'a')).toEqual(expected);
});

test('a definition that nobody has made is named', () => {
  const read = { get: () => undefined } as unknown as Reader;
  expect(findDelegate(read, { name: 'x', namespace: 'y' })).toEqual({
    isUnknown: true,
    error:
      'cannot find a network-attachment-definition (x) in namespace (y): ' +
      'network-attachment-definitions.k8s.cni.cncf.io "x" not found',
  });
});
