import { encodeUtf8 } from '../../../../engine/machinery/text/utf8.js';
import {
  type Der,
  der,
  fields,
  oid,
  readOid,
  readText,
  sequence,
  set,
  TAG,
} from '../../../../engine/machinery/crypto/x509/der.js';

const SHORT: Readonly<Record<string, string>> = {
  ...{ '2.5.4.3': 'CN', '2.5.4.5': 'serialNumber', '2.5.4.6': 'C', '2.5.4.7': 'L', '2.5.4.8': 'ST', '2.5.4.10': 'O' },
  ...{ '2.5.4.11': 'OU', '1.2.840.113549.1.9.1': 'emailAddress', '0.9.2342.19200300.100.1.25': 'DC' },
};
const IDS = new Map(Object.entries(SHORT).map(([id, name]) => [name, id]));

/** A distinguished name as OpenSSL 3.0 prints it: `CN = jane, O = dev`. */
export function showName(name: Der | undefined): string {
  return fields(name)
    .map((rdn) =>
      fields(rdn, TAG.set)
        .map((attribute) => {
          const [type, value] = fields(attribute);
          const id = readOid(type);
          return `${SHORT[id] ?? id} = ${value === undefined ? '' : readText(value)}`;
        })
        .join(' + '),
    )
    .join(', ');
}

/** A name as -subj gives it, `/CN=jane/O=dev`, DER; or what is wrong with it. */
export function parseSubject(text: string): Uint8Array | string {
  if (!text.startsWith('/'))
    return `name is expected to be in the format /type0=value0/type1=value1/type2=... where characters may be escaped by \\. This name is not in that format: '${text}'`;
  const parts: Uint8Array[] = [];
  for (const word of text
    .slice(1)
    .split(/(?<!\\)\//)
    .slice(0, 100)) {
    if (word === '') continue;
    const at = word.indexOf('=');
    if (at < 0) return `Hit end of string before finding the equals.`;
    const [type, value] = [word.slice(0, at), word.slice(at + 1).replaceAll('\\', '')];
    const id = IDS.get(type);
    if (id === undefined || value === '') continue;
    const tag = type === 'C' || type === 'serialNumber' ? TAG.printable : type === 'emailAddress' ? TAG.ia5 : TAG.utf8;
    parts.push(set(sequence(oid(id), der(tag, encodeUtf8(value)))));
  }
  return sequence(...parts);
}
