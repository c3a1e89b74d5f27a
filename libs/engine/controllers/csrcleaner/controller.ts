import type { CertificateSigningRequest } from '../../api/certificates_v1.js';
import { CertificateSigningRequests } from '../../kinds/index.js';
import { decodeBase64Text } from '../../machinery/text/base64.js';
import { DAY, HOUR, type Millis } from '../../machinery/time/time.js';
import { parseCertificate } from '../../machinery/crypto/x509/certificate.js';
import { decodePem } from '../../machinery/crypto/x509/pem.js';
import { defineController } from '../../runtime/controller.js';

/**
 * Removes requests that have been served or denied, and those that wait for too long. Models
 * pkg/controller/certificates/cleaner. Left out: its hourly rounds, each request goes at its time.
 */
export const controller = defineController({
  name: 'csrcleaner',
  actor: 'system:serviceaccount:kube-system:certificate-controller',
  for: CertificateSigningRequests,
  reconcile({ client, now }, key) {
    const csr = client.get(CertificateSigningRequests, key);
    if (!csr) return;
    const due = Math.min(...deadlines(csr));
    if (now <= due) return Number.isFinite(due) ? { requeueAfter: due - now + 1 } : undefined;
    client.delete(CertificateSigningRequests, key);
  },
});

/** The times after which the request is removed; the first one counts. */
function* deadlines({ metadata, status }: CertificateSigningRequest): Iterable<Millis> {
  const { conditions = [], certificate } = status;
  if (conditions.length === 0) yield Date.parse(metadata.creationTimestamp ?? '') + DAY;
  for (const { type, lastUpdateTime } of conditions) {
    const at = Date.parse(lastUpdateTime ?? '');
    if (type === 'Denied' || type === 'Failed') yield at + HOUR;
    if (type !== 'Approved') continue;
    yield at + (certificate ? HOUR : DAY);
    if (certificate) yield expirationOf(certificate);
  }
}

/** When the certificate expires; never, when another signer has written something else. */
function expirationOf(certificate: string): Millis {
  const [block] = decodePem(decodeBase64Text(certificate));
  return block ? parseCertificate(block.bytes).notAfter : Number.POSITIVE_INFINITY;
}
