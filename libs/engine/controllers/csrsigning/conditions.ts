import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '../../api/certificates_v1.js';

export const conditionOf = (
  { status }: CertificateSigningRequest,
  type: string,
): CertificateSigningRequestCondition | undefined => status.conditions?.find((c) => c.type === type);

export const isDecided = (csr: CertificateSigningRequest): boolean =>
  conditionOf(csr, 'Approved') !== undefined || conditionOf(csr, 'Denied') !== undefined;

/** What a signer is to work on. */
export const needsCertificate = (csr: CertificateSigningRequest): boolean =>
  !csr.status.certificate &&
  conditionOf(csr, 'Approved') !== undefined &&
  conditionOf(csr, 'Denied') === undefined &&
  conditionOf(csr, 'Failed')?.status !== 'True';
