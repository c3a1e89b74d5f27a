import { makeAccess } from '../../machinery/requests/auth.js';
import type { CertificateSigningRequest } from '../../api/certificates_v1.js';
import { CertificateSigningRequests } from '../../kinds/index.js';
import { authorize } from '../../auth/authorization/authorizer.js';
import { KUBELET_CLIENT, kubeletClientFault } from '../../kinds/certificates/signers.js';
import type { Reader } from '../../machinery/client.js';
import { decodeBase64Text } from '../../machinery/text/base64.js';
import { parseRequest } from '../../machinery/crypto/x509/request.js';
import { defineController } from '../../runtime/controller.js';
import { isDecided } from '../csrsigning/conditions.js';

/** A kubelet's request is approved when its user may create this subresource of CertificateSigningRequests. */
const RECOGNIZERS = [
  {
    subresource: 'selfnodeclient',
    self: true,
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
  },
  {
    subresource: 'nodeclient',
    self: false,
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
  },
];

/** Approves kubelets' requests for client certificates. Models pkg/controller/certificates/approver/sarapprove.go. */
export const controller = defineController({
  name: 'csrapproving',
  actor: 'system:serviceaccount:kube-system:certificate-controller',
  for: {
    kind: CertificateSigningRequests,
    when: (csr: CertificateSigningRequest) => csr.spec.signerName === KUBELET_CLIENT && !isDecided(csr),
  },
  reconcile({ client }, key) {
    const csr = client.get(CertificateSigningRequests, key);
    if (!csr || csr.status.certificate || isDecided(csr)) return;
    const message = approvalMessage(csr, client);
    if (!message) return;
    const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
    client.subresource(CertificateSigningRequests, key, 'approval', {
      ...csr,
      status: { ...csr.status, conditions: [...(csr.status.conditions ?? []), condition] },
    });
  },
});

/** The message of the approval; undefined when an administrator has to decide. */
function approvalMessage({ spec }: CertificateSigningRequest, read: Reader): string | undefined {
  const request = parseRequest(decodeBase64Text(spec.request));
  if (kubeletClientFault(request, spec.usages ?? [])) return undefined;
  const user = { name: spec.username ?? '', groups: spec.groups ?? [], uid: spec.uid, extra: spec.extra };
  return RECOGNIZERS.find(
    ({ self, subresource }) =>
      (!self || spec.username === request.subject.commonName) &&
      authorize(
        user,
        makeAccess('create', { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', subresource }),
        read,
      ).allowed,
  )?.message;
}
