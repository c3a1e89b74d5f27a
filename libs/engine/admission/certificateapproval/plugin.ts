import type { CertificateSigningRequest } from '../../api/certificates_v1.js';
import { isAuthorizedForSignerName } from '../../auth/authorization/signers.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';
import { refuseNamed } from '../refuse.js';

/**
 * Lets a user approve a request only with the verb approve on its signer. Models
 * plugin/pkg/admission/certificates/approval.
 */
export const plugin: AdmissionPlugin = {
  name: 'CertificateApproval',
  resources: ['certificatesigningrequests.certificates.k8s.io'],
  validate(request) {
    const { operation, subresource, old, user, client, fromOutside } = request;
    if (operation !== 'UPDATE' || subresource !== 'approval' || !old || !fromOutside) return;
    const { signerName } = (old as CertificateSigningRequest).spec;
    if (!isAuthorizedForSignerName(user, 'approve', signerName, client))
      throw refuseNamed(
        request,
        `user not permitted to approve requests with signerName ${JSON.stringify(signerName)}`,
      );
  },
};
