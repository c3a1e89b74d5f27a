import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { CertificateBed } from '../../../testkit/beds/certificate-bed.js';
import type { CertificateSigningRequestSpec } from '../../api/certificates_v1.js';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { type REQUESTS } from '../../machinery/crypto/x509/testing.js';
import { controller } from './controller.js';

const bedOf = (request: keyof typeof REQUESTS, spec: Partial<CertificateSigningRequestSpec> = {}): CertificateBed =>
  new CertificateBed([controller], request, spec);

describe('a certificate', () => {
  const ca = new X509Certificate(new ClusterKeys('bed').authority.pem);

  test('is issued when the request is approved, and not before', () => {
    const bed = bedOf('rsa');
    expect(bed.certificate).toBeUndefined();
    const certificate = bed.decide('Approved').certificate!;
    expect(certificate).toMatchObject({
      subject: 'O=dev + O=ops\nCN=jane',
      issuer: 'CN=kubernetes',
      keyUsage: ['1.3.6.1.5.5.7.3.2'],
      ca: false,
    });
    expect(certificate.verify(ca.publicKey)).toBe(true);
    expect([certificate.validFrom, certificate.validTo]).toEqual([
      'Dec 31 23:55:00 2025 GMT',
      'Dec 31 23:55:00 2026 GMT',
    ]);
    expect(bed.restart()).toBe(0);
  });

  test('lives as long as was asked for', () =>
    expect(bedOf('p256', { expirationSeconds: 7200 }).decide('Approved').certificate!.validTo).toBe(
      'Jan  1 02:00:00 2026 GMT',
    ));

  test("keeps a server's names", () =>
    expect(
      bedOf('serving', {
        signerName: 'kubernetes.io/kubelet-serving',
        usages: ['digital signature', 'server auth'],
      }).decide('Approved').certificate!.subjectAltName,
    ).toBe('DNS:worker-9, IP Address:172.18.0.12'));

  test.each<[string, keyof typeof REQUESTS, Partial<CertificateSigningRequestSpec>, string]>([
    [
      'a server',
      'p256',
      { usages: ['client auth', 'server auth'] },
      'invalid usage for client certificate: server auth',
    ],
    ['nobody', 'p256', { usages: ['digital signature'] }, 'missing required usage for client certificate: client auth'],
    [
      'a kubelet that is none',
      'p256',
      { signerName: 'kubernetes.io/kubelet-serving' },
      'subject organization is not system:nodes',
    ],
    [
      'a kubelet without a name',
      'kubelet',
      { signerName: 'kubernetes.io/kubelet-serving' },
      'DNS or IP subjectAltName is required',
    ],
    [
      'a kubelet as a client',
      'serving',
      { signerName: 'kubernetes.io/kube-apiserver-client-kubelet' },
      'DNS subjectAltNames are not allowed',
    ],
    [
      'a kubelet for other uses',
      'kubelet',
      { signerName: 'kubernetes.io/kube-apiserver-client-kubelet' },
      'usages did not match [client auth digital signature key encipherment]',
    ],
  ])('is refused to %s', (_, request, spec, message) =>
    expect(bedOf(request, spec).decide('Approved').conditions).toEqual([
      ['Approved', undefined],
      ['Failed', message],
    ]),
  );

  test('of another signer is not ours to issue', () =>
    expect(bedOf('p256', { signerName: 'example.com/x' }).decide('Approved').certificate).toBeUndefined());
});
