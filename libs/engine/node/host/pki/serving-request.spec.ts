import { expect, test } from '@jest/globals';
import type { CertificateSigningRequest } from '../../../api/certificates_v1.js';
import type { Node } from '../../../api/core_v1.js';
import type { ServingCertificate } from '../../../kinds/terrarium/noderuntime/kind.js';
import { SigningKey } from '../../../machinery/crypto/signing-key.js';
import { makeCertificate } from '../../../machinery/crypto/x509/certificate.js';
import { commonName } from '../../../machinery/crypto/x509/name.js';
import { encodePem } from '../../../machinery/crypto/x509/pem.js';
import type { Reader } from '../../../machinery/reader.js';
import { encodeBase64 } from '../../../machinery/text/base64.js';
import { encodeUtf8 } from '../../../machinery/text/utf8.js';
import { timestamp } from '../../../machinery/time/time.js';
import type { Context } from '../../../runtime/controller.js';
import { followServing, nodeOfServingRequest, renewalOf, servingPair } from './serving-request.js';

test.each([
  ['kubernetes.io/kubelet-serving', 'system:node:worker-1', 'worker-1'],
  ['kubernetes.io/kubelet-serving', 'jane', undefined],
  ['kubernetes.io/kube-apiserver-client', 'system:node:worker-1', undefined],
])('%s of %s is of the node %s', (signerName, username, node) =>
  expect(nodeOfServingRequest({ spec: { signerName, username } } as CertificateSigningRequest)).toBe(node),
);

test.each([
  [undefined, undefined],
  [{ request: 'csr-a', run: '1', key: 'AQ==' }, undefined],
  [
    { request: 'csr-a', run: '1', key: `${'AQEB'.repeat(10)}AQE=`, certificate: 'CERTIFICATE\n' },
    /^CERTIFICATE\n-----BEGIN EC PRIVATE KEY-----\n/,
  ],
])('the file of %j', (serving, content) => {
  const pair = servingPair({ get: () => ({ serving }) } as unknown as Reader, 'n');
  if (content === undefined) expect(pair).toBeUndefined();
  else expect(pair).toMatch(content);
});

const DAY = 86_400_000;
const BEGIN = Date.parse('2026-01-01T00:00:00Z');
const YEAR = 365 * DAY;
const NODE = { metadata: { name: 'worker-1' }, status: { addresses: [] } } as unknown as Node;
const TOLD = { kubelet: { state: 'running', run: '1' }, configuration: { serverTLSBootstrap: true } } as never;

function certificateOf(from: number): string {
  const key = new SigningKey(new Uint8Array(32).fill(7));
  const name = commonName('kubernetes');
  const validity = { notBefore: from, notAfter: from + YEAR };
  const body = { subject: name, issuer: name, serial: Uint8Array.of(1), ...validity, publicKey: key.publicKey };
  return encodePem(
    'CERTIFICATE',
    makeCertificate({ ...body, extensions: [] }, (text) => key.sign(text, 'der')),
  );
}

/** A kubelet that is looked at at a time; `requests`: what is stored, and what is issued. */
function look(
  now: number,
  before: ServingCertificate | undefined,
  requests: Readonly<Record<string, { readonly at: number; readonly certificate?: string }>> = {},
) {
  let count = 0;
  const created: string[] = [];
  const client = {
    get: (_kind: unknown, { name }: { name: string }) => {
      const found = requests[name];
      const certificate = found?.certificate && encodeBase64(encodeUtf8(found.certificate));
      return found && { metadata: { creationTimestamp: timestamp(found.at) }, status: { certificate } };
    },
    create: () => {
      created.push('csr-new');
      return { metadata: { name: 'csr-new' } };
    },
  };
  const random = { uuid: () => `${count++}` };
  const found = followServing({ client, random, now } as unknown as Context, NODE, before, TOLD);
  return { ...found, asks: created.length };
}

const OLD = certificateOf(BEGIN);
const asked = { request: 'csr-a', run: '1', key: 'AQ==' };
const served = { ...asked, certificate: OLD };
const due = renewalOf(NODE, OLD);

test('a certificate is renewed after seven to nine tenths of its life', () => {
  expect((due - BEGIN) / YEAR).toBeGreaterThanOrEqual(0.7);
  expect((due - BEGIN) / YEAR).toBeLessThanOrEqual(0.9);
  expect(renewalOf(NODE, 'none')).toBe(Infinity);
});

const MINUTES = 60_000;

test.each<[string, ReturnType<typeof look>, { asks: number; wakeAt: number; serving: object }]>([
  [
    'at its start',
    look(BEGIN, undefined),
    { asks: 1, wakeAt: BEGIN + 15 * MINUTES, serving: { request: 'csr-new', run: '1' } },
  ],
  [
    'while it waits',
    look(BEGIN + MINUTES, asked, { 'csr-a': { at: BEGIN } }),
    { asks: 0, wakeAt: BEGIN + 15 * MINUTES, serving: asked },
  ],
  [
    'after 15 minutes without an answer',
    look(BEGIN + 15 * MINUTES, asked, { 'csr-a': { at: BEGIN } }),
    { asks: 1, wakeAt: BEGIN + 30 * MINUTES, serving: { request: 'csr-new', run: '1', asks: 2 } },
  ],
  [
    'when it has asked often',
    look(BEGIN + DAY, { ...asked, asks: 8 }, { 'csr-a': { at: BEGIN } }),
    { asks: 0, wakeAt: Infinity, serving: { ...asked, asks: 8 } },
  ],
  [
    'when it is issued',
    look(BEGIN + MINUTES, asked, { 'csr-a': { at: BEGIN, certificate: OLD } }),
    { asks: 0, wakeAt: due, serving: served },
  ],
  ['with a certificate', look(BEGIN + DAY, served), { asks: 0, wakeAt: due, serving: served }],
  [
    'when that is to be renewed',
    look(due, served),
    { asks: 1, wakeAt: due + 15 * MINUTES, serving: { ...served, next: { request: 'csr-new' }, asks: 1 } },
  ],
  [
    'when the next one is issued',
    look(
      due + DAY,
      { ...served, next: { request: 'csr-b', key: 'Ag==' }, asks: 3 },
      {
        'csr-b': { at: due, certificate: certificateOf(due) },
      },
    ),
    {
      asks: 0,
      wakeAt: renewalOf(NODE, certificateOf(due)),
      serving: { request: 'csr-b', run: '1', key: 'Ag==', certificate: certificateOf(due) },
    },
  ],
])('a kubelet %s', (_what, found, { serving, ...expected }) => {
  expect({ asks: found.asks, wakeAt: found.wakeAt }).toEqual(expected);
  expect(found.serving).toMatchObject(serving);
});
