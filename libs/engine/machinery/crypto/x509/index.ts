/** X.509 certificates in DER and PEM (RFC 5280, X.690, RFC 7468). */
export { Authority } from './authority.js';
export { makeCertificate, parseCertificate, type Certificate, type CertificateBody } from './certificate.js';
export { oid, sequence, TRUE } from './der.js';
export { EXTENSION, writeAlternativeNames, writeExtension, writeKeyUsage } from './extensions.js';
export { commonName } from './name.js';
export { encodePem } from './pem.js';
