import { expect, test } from '@jest/globals';
import type { Node } from '../../api/core_v1.js';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { SigningKey } from '../../machinery/crypto/signing-key.js';
import { commonName } from '../../machinery/crypto/x509/name.js';
import type { Reader } from '../../machinery/client.js';
import { serveKubeletPort } from './kubelet-port.js';

const { authority } = new ClusterKeys('secret');
const NOW = Date.parse('2026-06-01T00:00:00Z');
const node = { metadata: { name: 'n1' } } as Node;
const reader = (configuration: object): Reader =>
  ({ get: () => ({ configuration }), list: () => [], byIndex: () => [] }) as unknown as Reader;

function certificateOf(name: string, ...groups: string[]): Uint8Array {
  const key = new SigningKey(new Uint8Array(32).fill(7));
  const validity = { notBefore: NOW - 1_000, notAfter: NOW + 1_000 };
  const subject = commonName(name, groups);
  return authority.issue({ subject, serial: Uint8Array.of(1), ...validity, publicKey: key.publicKey, extensions: [] });
}

const OPEN = { authentication: { anonymous: { enabled: true } } };
const ADMIN = certificateOf('kube-apiserver-kubelet-client', 'system:masters');

test.each<[string, Uint8Array | undefined, object, string, number, string]>([
  ['nobody', undefined, {}, '/pods', 401, 'Unauthorized'],
  ['the API server', ADMIN, {}, '/pods', 200, 'served'],
  [
    ...(['another user', certificateOf('jane'), {}, '/metrics', 403] as const),
    'Forbidden (user=jane, verb=get, resource=nodes, subresource(s)=[metrics])',
  ],
  [
    ...(['nobody, where anonymous is on', undefined, OPEN, '/pods', 403] as const),
    'Forbidden (user=system:anonymous, verb=get, resource=nodes, subresource(s)=[pods proxy])',
  ],
  ['nobody, where all is on', undefined, { ...OPEN, authorization: { mode: 'AlwaysAllow' } }, '/pods', 200, 'served'],
  ['a stranger’s certificate', new Uint8Array([1, 2]), OPEN, '/pods', 401, 'Unauthorized'],
])('%s', (_, clientCertificate, configuration, path, status, body) => {
  const port = { read: reader(configuration), authority, serve: () => ({ status: 200, body: 'served' }) };
  const request = { scheme: 'https' as const, port: 10_250, method: 'GET', path, headers: {}, body: '' };
  const shown = clientCertificate ? { clientCertificate } : {};
  expect(serveKubeletPort(port, node, { ...request, ...shown }, NOW)).toMatchObject({ status, body });
});
