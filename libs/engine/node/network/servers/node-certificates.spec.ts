import { expect, test } from '@jest/globals';
import type { Node } from '../../../api/core_v1.js';
import { decodePem } from '../../../machinery/crypto/x509/pem.js';
import type { Reader } from '../../../machinery/reader.js';
import type { NodeIssuer } from '../../host/pki/issuer.js';
import { helloOfComponent, helloOfEtcd, helloOfKubelet, type Hello } from './node-certificates.js';

const node = {
  metadata: { name: 'cp', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
  status: { addresses: [{ type: 'InternalIP', address: '172.18.0.2' }] },
} as unknown as Node;
const AT = Date.parse('2026-01-01T00:00:00Z') / 1_000;
const reader = (serving?: object): Reader => ({ get: () => serving && { serving } }) as unknown as Reader;
/** Each certificate is a word in PEM: who has signed what. */
const pem = (text: string): string => `-----BEGIN CERTIFICATE-----\n${btoa(text)}\n-----END CERTIFICATE-----\n`;
const issuer: NodeIssuer = {
  authority: (name) => ({ certificate: pem(name), key: '' }),
  issue: (by, { commonName: name }) => ({ certificate: pem(`${name} by ${by}`), key: '' }),
};
const wordsOf = (chain: readonly string[]): string[] =>
  chain.flatMap((text) => decodePem(text)).map(({ bytes }) => new TextDecoder().decode(bytes));

const SIGNED = { certificate: pem('system:node:cp by kubernetes'), key: btoa('k'.repeat(32)) };

test.each<[string, Hello, object | undefined, string, string, string[]]>([
  [
    ...(['a component', helloOfComponent, undefined, `CN = localhost@${AT}`, `CN = localhost-ca@${AT}`] as const),
    [`localhost@${AT} by localhost-ca@${AT}`, `localhost-ca@${AT}`],
  ],
  [
    ...(['a kubelet', helloOfKubelet, undefined, `CN = cp@${AT}`, `CN = cp-ca@${AT}`] as const),
    [`cp@${AT} by cp-ca@${AT}`, `cp-ca@${AT}`],
  ],
  [
    ...(['one with a signed one', helloOfKubelet, SIGNED] as const),
    ...(['O = system:nodes, CN = system:node:cp', 'CN = kubernetes'] as const),
    ['system:node:cp by kubernetes'],
  ],
  ['etcd', helloOfEtcd('server'), undefined, 'CN = cp', 'CN = etcd-ca', ['cp by etcd-ca']],
  ['etcd’s peers', helloOfEtcd('peer'), undefined, 'CN = cp', 'CN = etcd-ca', ['cp by etcd-ca']],
])('%s shows who it is and who has signed it', (_, hello, serving, subject, by, chain) => {
  const shown = hello(node, reader(serving), issuer);
  expect(shown).toMatchObject({ subject, issuer: by });
  expect(wordsOf(shown.chain)).toEqual(chain);
  expect(hello(node, reader(), undefined).chain).toEqual([]);
});
