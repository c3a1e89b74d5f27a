/**
 * Injection token: PEM of the certificate that the API itself shows, which kubeconfig files carry as their authority;
 * undefined behind a proxy that ends TLS.
 */
export const CERTIFICATE_AUTHORITY = Symbol('certificate authority');
