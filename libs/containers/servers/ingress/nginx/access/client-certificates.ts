import type { Reader } from '@terrarium/engine';
import type { Ingress } from '../../../../../engine/api/networking_v1.js';
import { Secrets } from '../../../../../engine/kinds/index.js';
import { decodeBase64 } from '../../../../../engine/machinery/text/base64.js';
import { parseCertificate } from '../../../../../engine/machinery/crypto/x509/certificate.js';
import { compareBytes, DerError } from '../../../../../engine/machinery/crypto/x509/der.js';
import { decodePem, encodePem } from '../../../../../engine/machinery/crypto/x509/pem.js';
import { signatureFault } from '../../../../../engine/machinery/crypto/x509/signature.js';
import type { Millis } from '../../../../../engine/machinery/time/time.js';
import type { AnswerParts } from '../../../../../engine/node/cni/http-bytes.js';
import { showName } from '../../../../tools/openssl/x509/names.js';
import { readCertificate } from '../../../../tools/openssl/show.js';
import type { ProxyRequest } from '../../../proxy/proxy.js';
import { textOfSecret } from '../../secrets.js';
import { annotation } from '../config/annotations.js';
import { page } from '../pages.js';

const MAX_AUTHORITIES = 20;

/** $ssl_client_verify: whether the certificate is of an authority in `ca.crt` of auth-tls-secret. */
function verify(bundle: string, shown: string | undefined, now: Millis): 'NONE' | 'SUCCESS' | 'FAILED' {
  if (shown === undefined) return 'NONE';
  try {
    const bytes = decodeBase64(shown);
    const { issuer, notBefore, notAfter, algorithm, signed, signature } = parseCertificate(bytes);
    if (now < notBefore || now > notAfter) return 'FAILED';
    const authorities = decodePem(bundle).filter(({ type }) => type === 'CERTIFICATE');
    const isKnown = authorities.slice(0, MAX_AUTHORITIES).some((one) => {
      const authority = readCertificate(one.bytes);
      return (
        compareBytes(authority.subject.whole, issuer) === 0 &&
        signatureFault(algorithm, authority.publicKey.whole, signed, signature) === undefined
      );
    });
    return isKnown ? 'SUCCESS' : 'FAILED';
  } catch (error) {
    if (error instanceof DerError) return 'FAILED';
    throw error;
  }
}

/** `ca.crt` of auth-tls-secret; undefined: the annotation is not there, null: what it names is not. */
function bundleOf(read: Reader, ingress: Ingress): string | undefined | null {
  const [namespace = '', name] = (annotation(ingress, 'auth-tls-secret') ?? '').split('/');
  if (annotation(ingress, 'auth-tls-secret') === undefined) return undefined;
  if (name === undefined) return null;
  return textOfSecret(read.get(Secrets, { namespace, name })?.data?.['ca.crt']) ?? null;
}

/** Who may not come without a certificate of the right authority. Models auth-tls-* of nginx.tmpl. */
export function refuseCertificate(
  read: Reader,
  ingress: Ingress,
  request: ProxyRequest,
  now: Millis,
): AnswerParts | undefined {
  const bundle = bundleOf(read, ingress);
  if (bundle === undefined || request.scheme !== 'https') return undefined;
  if (bundle === null) return page(403);
  const mode = annotation(ingress, 'auth-tls-verify-client') ?? 'on';
  const verdict = verify(bundle, request.certificate, now);
  if (mode === 'off' || verdict === 'SUCCESS') return undefined;
  if (mode === 'optional_no_ca' || (mode === 'optional' && verdict === 'NONE')) return undefined;
  const target = annotation(ingress, 'auth-tls-error-page');
  if (target !== undefined) return page(302, { location: target });
  return fault(verdict === 'NONE' ? 'No required SSL certificate was sent' : 'The SSL certificate error');
}

const fault = (text: string): AnswerParts => ({
  ...{ status: 400, headers: { 'content-type': 'text/html' } },
  body:
    `<html>\r\n<head><title>400 ${text}</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n` +
    `<center>${text}</center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
});

/** What the backend hears of the client's certificate. */
export function certificateHeaders(
  read: Reader,
  ingress: Ingress,
  request: ProxyRequest,
  now: Millis,
): Record<string, string> {
  const bundle = bundleOf(read, ingress);
  if (!bundle || request.scheme !== 'https') return {};
  const verdict = verify(bundle, request.certificate, now);
  if (request.certificate === undefined) return { 'ssl-client-verify': verdict };
  const bytes = decodeBase64(request.certificate);
  const { subject, issuer } = readCertificate(bytes);
  const passes = annotation(ingress, 'auth-tls-pass-certificate-to-upstream') === 'true';
  // As RFC 2253 has it: the last part first.
  const name = (shown: string): string => shown.replaceAll(' = ', '=').split(', ').reverse().join(',');
  return {
    ...{ 'ssl-client-verify': verdict, 'ssl-client-subject-dn': name(showName(subject)) },
    'ssl-client-issuer-dn': name(showName(issuer)),
    ...(passes ? { 'ssl-client-cert': encodeURIComponent(encodePem('CERTIFICATE', bytes)) } : {}),
  };
}
