import type { Bytes } from '../../../engine/kernel/bytes.js';
import { compareBytes, DerError, fields, readDer, readOid } from '../../../engine/machinery/crypto/x509/der.js';
import { decodePem } from '../../../engine/machinery/crypto/x509/pem.js';
import { signatureFault } from '../../../engine/machinery/crypto/x509/signature.js';
import { loadCertificate, type OpensslContext, readInput } from './context.js';
import { showName } from './x509/names.js';
import type { OpensslOptions } from './options.js';
import { type CertificateParts, readCertificate } from './show.js';

export const VERIFY_OPTIONS = 'CAfile: untrusted: verbose';

/** `openssl verify`. */
export function runVerify(context: OpensslContext, options: OpensslOptions): number {
  const load = (name: string): CertificateParts[] =>
    options.all(name).flatMap((path) => certificatesOf(readInput(context, path, 'certificate')));
  const [trusted, others] = [load('CAfile'), load('untrusted')];
  let code = 0;
  for (const path of options.operands) {
    const certificate = loadCertificate(context, path);
    const fault = chainFault(certificate, trusted, others, context.tool.sys.clock);
    if (fault === undefined) context.tool.out(`${path}: OK\n`);
    else {
      context.tool.err(
        `${showName(fault.certificate.subject)}\nerror ${fault.number} at ${fault.depth} depth lookup: ${fault.message}\nerror ${path}: verification failed\n`,
      );
      code = 2;
    }
  }
  return code;
}

export function certificatesOf(text: Bytes): CertificateParts[] {
  try {
    return decodePem(text).flatMap(({ type, bytes }) => (type === 'CERTIFICATE' ? [readCertificate(bytes)] : []));
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}

export interface ChainFault {
  readonly certificate: CertificateParts;
  readonly number: number;
  readonly depth: number;
  readonly message: string;
}

/** Why a certificate is not trusted. Models crypto/x509/x509_vfy.c. */
export function chainFault(
  leaf: CertificateParts,
  trusted: readonly CertificateParts[],
  others: readonly CertificateParts[],
  now: number,
): ChainFault | undefined {
  let certificate = leaf;
  for (let depth = 0; depth < 10; depth++) {
    const fail = (number: number, message: string): ChainFault => ({ certificate, number, depth, message });
    const isTrusted = trusted.some(({ bytes }) => compareBytes(bytes, certificate.bytes) === 0);
    const isOwn = compareBytes(certificate.issuer.whole, certificate.subject.whole) === 0;
    if (now < certificate.notBefore) return fail(9, 'certificate is not yet valid');
    if (now > certificate.notAfter) return fail(10, 'certificate has expired');
    if (isTrusted) return undefined;
    if (isOwn)
      return depth === 0
        ? fail(18, 'self-signed certificate')
        : fail(19, 'self-signed certificate in certificate chain');
    const issuer = [...trusted, ...others].find(
      ({ subject }) => compareBytes(subject.whole, certificate.issuer.whole) === 0,
    );
    if (issuer === undefined) return fail(20, 'unable to get local issuer certificate');
    const [signed, algorithm] = fields(readDer(certificate.bytes));
    const fault = signatureFault(
      readOid(fields(algorithm)[0]),
      issuer.publicKey.whole,
      signed!.whole,
      certificate.signature,
    );
    if (fault !== undefined) return fail(7, 'certificate signature failure');
    certificate = issuer;
  }
  return { certificate, number: 22, depth: 10, message: 'certificate chain too long' };
}
