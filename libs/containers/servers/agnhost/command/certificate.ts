import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import type { ServerHello } from '../../../../engine/node/cni/tls.js';
import { readSmallFile } from '../../../tools/accounts.js';

/** What a server shows whose certificate is in a file. The image's own is for localhost. */
export function readCertificate(sys: Syscalls, path: Bytes): ServerHello {
  const pem = readSmallFile(sys, path);
  const chain = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  const names = ['127.0.0.1', '::1', 'example.com'];
  return { subject: 'O = Acme Co', issuer: 'O = Acme Co', names, chain };
}
