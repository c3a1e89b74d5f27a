import type { CertificateSigningRequest } from '../../api/certificates_v1.js';
import { CertificateSigningRequests } from '../../kinds/index.js';
import { SIGNERS } from '../../kinds/certificates/signers.js';
import { decodeBase64Text, encodeBase64 } from '../../machinery/text/base64.js';
import { timestamp } from '../../machinery/time/time.js';
import { encodePem } from '../../machinery/crypto/x509/pem.js';
import { parseRequest } from '../../machinery/crypto/x509/request.js';
import { defineController } from '../../runtime/controller.js';
import { needsCertificate } from './conditions.js';
import { issueCertificate } from './issue.js';
import { own } from '../../machinery/meta/object.js';

/**
 * Issues certificates for approved requests to Kubernetes' own signers. Models
 * pkg/controller/certificates/signer/signer.go.
 */
export const controller = defineController({
  name: 'csrsigning',
  actor: 'system:serviceaccount:kube-system:certificate-controller',
  for: {
    kind: CertificateSigningRequests,
    when: (csr: CertificateSigningRequest) => csr.spec.signerName in SIGNERS && needsCertificate(csr),
  },
  reconcile({ client, keys, now, random }, key) {
    const csr = client.get(CertificateSigningRequests, key);
    const rule = csr && own(SIGNERS, csr.spec.signerName);
    if (!csr || !rule || !keys || !needsCertificate(csr)) return;
    const request = parseRequest(decodeBase64Text(csr.spec.request));
    const fault = rule(request, csr.spec.usages ?? []);
    if (fault) {
      const at = timestamp(now);
      const failed = {
        type: 'Failed',
        status: 'True',
        reason: 'SignerValidationFailure',
        message: fault,
        lastUpdateTime: at,
        lastTransitionTime: at,
      };
      client.updateStatus(CertificateSigningRequests, {
        ...csr,
        status: { ...csr.status, conditions: [...(csr.status.conditions ?? []), failed] },
      });
      return;
    }
    const certificate = issueCertificate(keys.authority, request, csr.spec, random, now);
    client.updateStatus(CertificateSigningRequests, {
      ...csr,
      status: { ...csr.status, certificate: encodeBase64(encodePem('CERTIFICATE', certificate)) },
    });
  },
});
