import { describe, expect, test } from '@jest/globals';
import { CertificateBed } from '../../../testkit/beds/certificate-bed.js';
import type { CertificateSigningRequestSpec } from '../../api/certificates_v1.js';
import { CertificateSigningRequests, ClusterRoleBindings, ClusterRoles } from '../../kinds/index.js';
import type { REQUESTS } from '../../machinery/crypto/x509/testing.js';
import { controller as csrsigning } from '../csrsigning/controller.js';
import { controller } from './controller.js';

const RBAC = 'rbac.authorization.k8s.io';
const KUBELET_CLIENT = {
  signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
  usages: ['client auth', 'digital signature'],
};

/** Lets kubernetes-admin create a subresource of CertificateSigningRequests. */
function allow(bed: CertificateBed, subresource: string): void {
  const resources = [`certificatesigningrequests/${subresource}`];
  bed.create(ClusterRoles, 'r', { rules: [{ apiGroups: ['certificates.k8s.io'], resources, verbs: ['create'] }] });
  bed.create(ClusterRoleBindings, 'b', {
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'r' },
    subjects: [{ apiGroup: RBAC, kind: 'User', name: 'kubernetes-admin' }],
  });
}

const approvals = (bed: CertificateBed, name: string): (string | undefined)[][] =>
  (bed.get(CertificateSigningRequests, name).status.conditions ?? []).map((c) => [c.type, c.reason, c.message]);

test('a kubelet that may ask for its certificate gets it without being approved', () => {
  expect(new CertificateBed([controller, csrsigning], 'kubelet', KUBELET_CLIENT).conditions).toEqual([]);
  const bed = new CertificateBed([controller, csrsigning], 'p256');
  allow(bed, 'nodeclient');
  bed.request('node', 'kubelet', KUBELET_CLIENT);
  const { status } = bed.settle().get(CertificateSigningRequests, 'node');
  expect([status.conditions?.[0]?.reason, status.conditions?.[0]?.message, status.certificate !== undefined]).toEqual([
    'AutoApproved',
    'Auto approving kubelet client certificate after SubjectAccessReview.',
    true,
  ]);
});

describe('a request is left to an administrator', () => {
  test.each<[string, keyof typeof REQUESTS, Partial<CertificateSigningRequestSpec>, string]>([
    ['of another signer', 'kubelet', { ...KUBELET_CLIENT, signerName: 'example.com/signer' }, 'nodeclient'],
    ['whose subject is no node', 'p256', KUBELET_CLIENT, 'nodeclient'],
    ['with names of a server', 'serving', KUBELET_CLIENT, 'nodeclient'],
    ['for other usages', 'kubelet', { ...KUBELET_CLIENT, usages: ['client auth'] }, 'nodeclient'],
    ["for another node, of a user who may renew its own node's", 'kubelet', KUBELET_CLIENT, 'selfnodeclient'],
    ['of a user without the right', 'kubelet', KUBELET_CLIENT, 'approval'],
  ])('%s', (_, request, spec, subresource) => {
    const bed = new CertificateBed([controller], 'p256');
    allow(bed, subresource);
    bed.request('node', request, spec);
    bed.settle();
    expect(approvals(bed, 'node')).toEqual([]);
    expect(bed.errors).toEqual([]);
  });
});
