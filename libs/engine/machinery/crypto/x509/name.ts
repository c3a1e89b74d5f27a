import { encodeUtf8 } from '../../text/utf8.js';
import { der, fields, oid, readOid, readText, sequence, set, TAG, type Der } from './der.js';

/**
 * The parts of a distinguished name that Kubernetes looks at, and those it passes on; lists are in the order of the
 * name.
 */
export interface Name {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Every attribute, by identifier. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
/**
 * Country, organization, unit, locality, province, street, postal code, common name, serial number: the order in which
 * Go writes a name.
 */
const ORDER = [
  '2.5.4.6',
  ORGANIZATION,
  '2.5.4.11',
  '2.5.4.7',
  '2.5.4.8',
  '2.5.4.9',
  '2.5.4.17',
  COMMON_NAME,
  '2.5.4.5',
];
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

export function readName(value: Der | undefined): Name {
  const attributes = new Map<string, string[]>();
  for (const rdn of fields(value)) {
    for (const attribute of fields(rdn, TAG.set)) {
      const [type, content] = fields(attribute);
      const key = readOid(type);
      attributes.set(key, [...(attributes.get(key) ?? []), content ? readText(content) : '']);
    }
  }
  return {
    commonName: attributes.get(COMMON_NAME)?.at(-1) ?? '',
    organizations: attributes.get(ORGANIZATION) ?? [],
    attributes,
  };
}

/** A name of a common name, and of organizations: to Kubernetes a user and its groups. */
export const commonName = (text: string, organizations: readonly string[] = []): Uint8Array =>
  writeName({
    attributes: new Map<string, readonly string[]>([
      [COMMON_NAME, [text]],
      ...(organizations.length > 0 ? ([[ORGANIZATION, organizations]] as const) : []),
    ]),
  });

/** Values of one type stand in one set. Models crypto/x509/pkix Name.ToRDNSequence. */
export const writeName = ({ attributes }: Pick<Name, 'attributes'>): Uint8Array =>
  sequence(
    ...ORDER.filter((type) => attributes.has(type)).map((type) =>
      set(...valuesOf(type, attributes).map((text) => sequence(oid(type), textOf(text)))),
    ),
  );

/** Of a common name and a serial number the last one counts. */
function valuesOf(type: string, attributes: Name['attributes']): readonly string[] {
  const values = attributes.get(type)!;
  return type === COMMON_NAME || type === '2.5.4.5' ? values.slice(-1) : values;
}

const textOf = (text: string): Uint8Array => der(PRINTABLE.test(text) ? TAG.printable : TAG.utf8, encodeUtf8(text));
