import { growingCache } from '../../cache.js';
import { sha256 } from '../sha256.js';
import type { SigningKey } from '../signing-key.js';
import type { Millis } from '../../time/time.js';
import { compareBytes, context, der, octets, sequence, TRUE } from './der.js';
import { makeCertificate, parseCertificate, type Certificate, type CertificateBody } from './certificate.js';
import { EXTENSION, writeAlternativeNames, writeExtension, writeKeyUsage } from './extensions.js';
import { commonName as writeCommonName } from './name.js';
import { encodePem } from './pem.js';
import { signatureFault } from './signature.js';

/** As kubeadm names a cluster's. */
const NAME = 'kubernetes';
const SINCE: Millis = Date.UTC(2020, 0, 1);
const UNTIL: Millis = Date.UTC(2120, 0, 1);
const MAX_CACHED_CERTIFICATES = 500;
const KEY_ID_BYTES = 20;
const USAGE = { digitalSignature: 0, keyEncipherment: 2, certSign: 5 } as const;

/** A certificate authority, by default a cluster's: all of it follows from its key, so that nothing is stored. */
export class Authority {
  readonly notAfter = UNTIL;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  private made: string | undefined;
  private readonly name: Uint8Array;
  private readonly keyId: Uint8Array;
  /** Certificates by hash, or what is wrong with them. */
  private readonly checked = growingCache<Certificate | string>(MAX_CACHED_CERTIFICATES);

  constructor(
    private readonly key: SigningKey,
    private readonly commonName = NAME,
  ) {
    this.name = writeCommonName(commonName);
    this.publicKey = key.publicKey;
    this.keyId = sha256(key.point).subarray(0, KEY_ID_BYTES);
  }

  /** Its own certificate. */
  get pem(): string {
    return (this.made ??= encodePem(
      'CERTIFICATE',
      this.sign({
        subject: this.name,
        serial: Uint8Array.of(0),
        notBefore: SINCE,
        notAfter: UNTIL,
        publicKey: this.publicKey,
        extensions: [
          writeKeyUsage(new Set(Object.values(USAGE))),
          writeExtension(EXTENSION.basicConstraints, true, sequence(TRUE)),
          writeExtension(EXTENSION.subjectKeyId, false, octets(this.keyId)),
          writeAlternativeNames({ dns: [this.commonName], addresses: [] }),
        ],
      }),
    ));
  }

  /** A certificate of this authority, DER. */
  issue(body: Omit<CertificateBody, 'issuer'>): Uint8Array {
    const authorityKeyId = writeExtension(
      EXTENSION.authorityKeyId,
      false,
      sequence(der(context(0, false), this.keyId)),
    );
    return this.sign({ ...body, extensions: [...body.extensions, authorityKeyId] });
  }

  private sign(body: Omit<CertificateBody, 'issuer'>): Uint8Array {
    return makeCertificate({ ...body, issuer: this.name }, (message) => this.key.sign(message, 'der'));
  }

  /** The certificate, if this authority has issued it; else why not. `id` names these very bytes. Throws DerError. */
  verify(bytes: Uint8Array, id: string): Certificate | string {
    const known = this.checked.get(id);
    if (known !== undefined) return known;
    const certificate = parseCertificate(bytes);
    const own = compareBytes(certificate.issuer, this.name) === 0;
    const fault = own
      ? signatureFault(certificate.algorithm, this.publicKey, certificate.signed, certificate.signature)
      : 'x509: certificate signed by unknown authority';
    this.checked.set(id, fault ?? certificate);
    return fault ?? certificate;
  }
}
