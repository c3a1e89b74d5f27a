import { EXTENDED_USAGES } from '../../../kinds/certificates/usages.js';
import { oid, sequence } from '../../../machinery/crypto/x509/der.js';
import {
  EXTENSION,
  writeAlternativeNames,
  writeExtension,
  writeKeyUsage,
} from '../../../machinery/crypto/x509/extensions.js';
import type { Holder } from './issuer.js';

/** digitalSignature and keyEncipherment. */
const USAGE = new Set([0, 2]);

/** What a certificate that kubeadm makes says of its holder, each as DER. */
export function extensionsOf({ usages, dns = [], addresses = [] }: Holder): Uint8Array[] {
  return [
    writeKeyUsage(USAGE),
    writeExtension(EXTENSION.extendedKeyUsage, false, sequence(...usages.map((usage) => oid(EXTENDED_USAGES[usage]!)))),
    writeExtension(EXTENSION.basicConstraints, true, sequence()),
    ...(dns.length + addresses.length === 0
      ? []
      : [writeAlternativeNames({ dns, addresses: addresses.map(bytesOfAddress) })]),
  ];
}

/** 4 bytes, or 16 of the loopback. */
const bytesOfAddress = (text: string): Uint8Array =>
  text === '::1' ? Uint8Array.of(...new Array<number>(15).fill(0), 1) : Uint8Array.from(text.split('.').map(Number));
