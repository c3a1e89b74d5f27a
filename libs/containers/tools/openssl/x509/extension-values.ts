import { sha1 } from '@noble/hashes/legacy.js';
import type { Bytes } from '../../../../engine/kernel/bytes.js';
import {
  context as tagOf,
  bits,
  der,
  fields,
  octets,
  oid,
  readDer,
  sequence,
  TRUE,
} from '../../../../engine/machinery/crypto/x509/der.js';
import {
  EXTENSION,
  writeAlternativeNames,
  writeExtension,
} from '../../../../engine/machinery/crypto/x509/extensions.js';

/** An extension of a certificate or a request, DER. */
export interface MadeExtension {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The keys that a certificate's identifiers are made of: SubjectPublicKeyInfo, DER. */
export interface Keys {
  readonly subject: Uint8Array;
  readonly issuer: Uint8Array;
}

const USAGES = [
  ...['digitalSignature', 'nonRepudiation', 'keyEncipherment', 'dataEncipherment', 'keyAgreement'],
  ...['keyCertSign', 'cRLSign', 'encipherOnly', 'decipherOnly'],
];
const PURPOSES: Readonly<Record<string, string>> = {
  ...{ serverAuth: '1.3.6.1.5.5.7.3.1', clientAuth: '1.3.6.1.5.5.7.3.2', codeSigning: '1.3.6.1.5.5.7.3.3' },
  ...{ emailProtection: '1.3.6.1.5.5.7.3.4', timeStamping: '1.3.6.1.5.5.7.3.8', OCSPSigning: '1.3.6.1.5.5.7.3.9' },
};

/** The identifier of a key that extensions name it by. */
export const keyIdentifier = (publicKey: Uint8Array): Uint8Array =>
  sha1(fields(readDer(publicKey))[1]!.body.subarray(1));

export const subjectKeyId = (key: Uint8Array): Uint8Array =>
  writeExtension(EXTENSION.subjectKeyId, false, octets(keyIdentifier(key)));
export const authorityKeyId = (key: Uint8Array): Uint8Array =>
  writeExtension(EXTENSION.authorityKeyId, false, sequence(der(tagOf(0, false), keyIdentifier(key))));

/**
 * What a line of a configuration or -addext says: `keyUsage = critical, digitalSignature`. Models
 * crypto/x509/v3_conf.c; of an authority's identifier its key alone. Undefined: it is none that is made here, or its
 * value is wrong.
 */
export function parseExtension(name: string, text: Bytes, keys?: Keys): MadeExtension | undefined {
  const words = text.split(',').map((value) => value.trim());
  const critical = words.includes('critical');
  const values = words.filter((value) => value !== 'critical' && value !== '');
  const made = (id: string, value: Uint8Array): MadeExtension => ({ id, bytes: writeExtension(id, critical, value) });
  switch (name) {
    case 'subjectAltName':
      return parseAlternativeNames(values);
    case 'basicConstraints':
      return made(
        EXTENSION.basicConstraints,
        values.some((one) => /^CA:true$/i.test(one)) ? sequence(TRUE) : sequence(),
      );
    case 'keyUsage': {
      const usages = values.map((value) => USAGES.indexOf(value));
      return usages.includes(-1) ? undefined : made(EXTENSION.keyUsage, usageBits(usages));
    }
    case 'extendedKeyUsage': {
      const purposes = values.flatMap((value) => (PURPOSES[value] === undefined ? [] : [oid(PURPOSES[value])]));
      return purposes.length < values.length ? undefined : made(EXTENSION.extendedKeyUsage, sequence(...purposes));
    }
    case 'subjectKeyIdentifier':
      return keys && { id: EXTENSION.subjectKeyId, bytes: subjectKeyId(keys.subject) };
    case 'authorityKeyIdentifier':
      return keys && { id: EXTENSION.authorityKeyId, bytes: authorityKeyId(keys.issuer) };
    default:
      return undefined;
  }
}

function usageBits(usages: readonly number[]): Uint8Array {
  const last = Math.max(...usages);
  const body = new Uint8Array(last > 7 ? 2 : 1);
  for (const bit of usages) body[bit >> 3]! |= 0x80 >> (bit & 7);
  return bits(body, 7 - (last & 7));
}

function parseAlternativeNames(values: readonly Bytes[]): MadeExtension | undefined {
  const dns: string[] = [];
  const addresses: Uint8Array[] = [];
  for (const value of values) {
    const [, kind, text = ''] = /^(DNS|IP):(.*)$/.exec(value) ?? [];
    const numbers = text.split('.').map(Number);
    if (kind === 'DNS' && text !== '') dns.push(text);
    else if (kind === 'IP' && numbers.length === 4 && numbers.every((n) => n >= 0 && n < 256))
      addresses.push(Uint8Array.from(numbers));
    else return undefined;
  }
  return { id: EXTENSION.alternativeNames, bytes: writeAlternativeNames({ dns, addresses }) };
}
