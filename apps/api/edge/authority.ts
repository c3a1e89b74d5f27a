/** PEM of the certificate that the API itself shows; undefined behind a proxy that speaks TLS. */
export const AUTHORITY = Symbol('authority');
