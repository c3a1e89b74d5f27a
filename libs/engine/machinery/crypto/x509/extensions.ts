import { encodeUtf8 } from '../../text/utf8.js';
import {
  bits,
  context,
  der,
  expect,
  fields,
  octets,
  oid,
  readAll,
  readDer,
  readOid,
  readText,
  sequence,
  TAG,
  TRUE,
  type Der,
} from './der.js';

export const EXTENSION = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

/** What a subjectAltName extension says. */
export interface AlternativeNames {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
  /** 4 or 16 bytes each. */
  readonly addresses: readonly Uint8Array[];
  /** As it stood, to be passed on. */
  readonly raw?: Uint8Array;
}

/** Extensions by identifier: the contents of their octet strings. */
export function readExtensions(list: Der | undefined): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const extension of list ? fields(list) : []) {
    const parts = fields(extension);
    found.set(readOid(parts[0]), expect(parts.at(-1), TAG.octets));
  }
  return found;
}

/** GeneralNames: [1] is an e-mail address, [2] a DNS name, [6] a URI, [7] an address. */
export function readAlternativeNames(raw: Uint8Array | undefined): AlternativeNames {
  const names = raw ? readAll(expect(readDer(raw), TAG.sequence)) : [];
  const of = (n: number): Der[] => names.filter((name) => name.tag === context(n, false));
  return {
    emails: of(1).map(readText),
    dns: of(2).map(readText),
    uris: of(6).map(readText),
    addresses: of(7).map((name) => name.body),
    raw,
  };
}

/** An extension, DER; `value` is the DER that its octet string holds. */
export const writeExtension = (id: string, critical: boolean, value: Uint8Array): Uint8Array =>
  sequence(oid(id), ...(critical ? [TRUE] : []), octets(value));

/** A keyUsage extension of usages by their bit, the first one 0. */
export function writeKeyUsage(usages: ReadonlySet<number>): Uint8Array {
  const last = Math.max(...usages);
  const body = new Uint8Array(last > 7 ? 2 : 1);
  for (const bit of usages) body[bit >> 3]! |= 0x80 >> (bit & 7);
  return writeExtension(EXTENSION.keyUsage, true, bits(body, 7 - (last & 7)));
}

/** A subjectAltName extension of DNS names and addresses of 4 or 16 bytes. */
export const writeAlternativeNames = (names: Pick<AlternativeNames, 'dns' | 'addresses'>): Uint8Array =>
  writeExtension(
    EXTENSION.alternativeNames,
    false,
    sequence(
      ...names.dns.map((name) => der(context(2, false), encodeUtf8(name))),
      ...names.addresses.map((address) => der(context(7, false), address)),
    ),
  );
