import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ControllerBed, seconds } from '../../../testkit/controller-bed.js';
import type { CertificateSigningRequest, CertificateSigningRequestSpec } from '../../api/certificates_v1.js';
import { CertificateSigningRequests, ClusterRoleBindings, ClusterRoles } from '../../kinds/index.js';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { REQUESTS } from '../../machinery/crypto/x509/testing.js';
import { controller as csrapproving } from '../csrapproving/controller.js';
import { controller as csrcleaner } from '../csrcleaner/controller.js';
import { controller as csrsigning } from './controller.js';

const NAME = 'a';
const HOUR = seconds(3600);
const KUBELET = ['client auth', 'digital signature'];

class RequestBed extends ControllerBed {
  constructor(request: keyof typeof REQUESTS, spec: Partial<CertificateSigningRequestSpec> = {}) {
    super({ controllers: [csrapproving, csrsigning, csrcleaner] });
    this.client.create(CertificateSigningRequests, {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: NAME },
      spec: {
        request: Buffer.from(REQUESTS[request]).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
        ...spec,
      },
      status: {},
    });
    this.settle();
  }

  get csr(): CertificateSigningRequest | undefined {
    return this.client.get(CertificateSigningRequests, { namespace: '', name: NAME });
  }

  decide(type: 'Approved' | 'Denied'): this {
    this.client.subresource(CertificateSigningRequests, { namespace: '', name: NAME }, 'approval', {
      ...this.csr!,
      status: { conditions: [{ type, status: 'True' }] },
    });
    return this.settle();
  }

  get conditions(): (readonly [string, string | undefined])[] {
    return (this.csr?.status.conditions ?? []).map((c) => [c.type, c.message] as const);
  }

  get certificate(): X509Certificate | undefined {
    const { certificate } = this.csr!.status;
    return certificate ? new X509Certificate(Buffer.from(certificate, 'base64')) : undefined;
  }
}

describe('a certificate', () => {
  const ca = new X509Certificate(new ClusterKeys('bed').authority.pem);

  test('is issued when the request is approved, and not before', () => {
    const bed = new RequestBed('rsa');
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
    expect(new RequestBed('p256', { expirationSeconds: 7200 }).decide('Approved').certificate!.validTo).toBe(
      'Jan  1 02:00:00 2026 GMT',
    ));

  test("keeps a server's names", () =>
    expect(
      new RequestBed('serving', {
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
    expect(new RequestBed(request, spec).decide('Approved').conditions).toEqual([
      ['Approved', undefined],
      ['Failed', message],
    ]),
  );

  test('of another signer is not ours to issue', () =>
    expect(new RequestBed('p256', { signerName: 'example.com/x' }).decide('Approved').certificate).toBeUndefined());
});

test('a kubelet that may ask for its certificate gets it without being approved', () => {
  const spec = { signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: KUBELET };
  expect(new RequestBed('kubelet', spec).conditions).toEqual([]);
  const bed = new RequestBed('p256');
  bed.client.create(ClusterRoles, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'r' },
    rules: [
      { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests/nodeclient'], verbs: ['create'] },
    ],
  });
  bed.client.create(ClusterRoleBindings, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'b' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'kubernetes-admin' }],
  });
  bed.client.create(CertificateSigningRequests, {
    ...bed.csr!,
    metadata: { name: 'node' },
    spec: { ...spec, request: Buffer.from(REQUESTS.kubelet).toString('base64') },
  });
  const { status } = bed.settle().get(CertificateSigningRequests, 'node');
  expect([status.conditions?.[0]?.reason, status.conditions?.[0]?.message, status.certificate !== undefined]).toEqual([
    'AutoApproved',
    'Auto approving kubelet client certificate after SubjectAccessReview.',
    true,
  ]);
});

test.each<[string, (bed: RequestBed) => unknown, number]>([
  ['nobody has decided on', () => undefined, 24],
  ['was denied', (bed) => bed.decide('Denied'), 1],
  ['has its certificate', (bed) => bed.decide('Approved'), 1],
])('a request that %s is gone in time', (_, act, hours) => {
  const bed = new RequestBed('p256');
  act(bed);
  expect(bed.settle(hours * HOUR).csr).toBeDefined();
  expect(bed.settle(seconds(1)).csr).toBeUndefined();
  expect(bed.errors).toEqual([]);
});
