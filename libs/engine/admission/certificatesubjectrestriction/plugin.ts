import type { CertificateSigningRequest } from '../../api/certificates_v1.js';
import { API_CLIENT } from '../../kinds/certificates/signers.js';
import { decodeBase64Text } from '../../machinery/text/base64.js';
import { DerError } from '../../machinery/crypto/x509/der.js';
import { parseRequest } from '../../machinery/crypto/x509/request.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';
import { refuseNamed } from '../refuse.js';

const SUPERUSERS = 'system:masters';

/**
 * Refuses client certificates for the group system:masters. Models
 * plugin/pkg/admission/certificates/subjectrestriction.
 */
export const plugin: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  resources: ['certificatesigningrequests.certificates.k8s.io'],
  validate(request) {
    const { operation, subresource, object } = request;
    if (operation !== 'CREATE' || subresource !== '' || !object) return;
    const { spec } = object as CertificateSigningRequest;
    if (spec.signerName !== API_CLIENT) return;
    try {
      if (!parseRequest(decodeBase64Text(spec.request ?? '')).subject.organizations.includes(SUPERUSERS)) return;
    } catch (error) {
      if (error instanceof DerError) throw refuseNamed(request, `failed to parse CSR: ${error.message}`);
      throw error;
    }
    throw refuseNamed(request, `use of ${API_CLIENT} signer with ${SUPERUSERS} group is not allowed`);
  },
};
