import type { CertificateSigningRequest } from '../../api/certificates_v1.js';
import { isAuthorizedForSignerName } from '../../auth/authorization/signers.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';
import { refuseNamed } from '../refuse.js';

/**
 * Lets a user issue a certificate only with the verb sign on its signer. Models
 * plugin/pkg/admission/certificates/signing.
 */
export const plugin: AdmissionPlugin = {
  name: 'CertificateSigning',
  resources: ['certificatesigningrequests.certificates.k8s.io'],
  validate(request) {
    const { operation, subresource, object, old, user, client, fromOutside } = request;
    if (operation !== 'UPDATE' || subresource !== 'status' || !old || !fromOutside) return;
    const {
      spec: { signerName },
      status,
    } = old as CertificateSigningRequest;
    const next = (object as CertificateSigningRequest).status;
    if (status.certificate === next.certificate && deepEqual(status.conditions ?? [], next.conditions ?? [])) return;
    if (!isAuthorizedForSignerName(user, 'sign', signerName, client))
      throw refuseNamed(request, `user not permitted to sign requests with signerName ${JSON.stringify(signerName)}`);
  },
};
