import { at, type KubeObject } from '../../../../kube/object.js';

/** One key of a ConfigMap or a Secret. */
export interface DataEntry {
  readonly key: string;
  /** What it holds, as text; undefined for bytes that are none. */
  readonly text: string | undefined;
  readonly bytes: number;
}

const isSecret = ({ kind, apiVersion }: KubeObject): boolean => kind === 'Secret' && apiVersion === 'v1';

/** What somebody may see only who wants to. */
export const isHidden = isSecret;

/** Its values may be changed, one by one. */
export const isEditable = (object: KubeObject): boolean => object['immutable'] !== true;

/** What a ConfigMap or a Secret holds, decoded, by its keys; nothing of other kinds. */
export function dataOf(object: KubeObject): DataEntry[] {
  if (object.apiVersion !== 'v1' || (object.kind !== 'Secret' && object.kind !== 'ConfigMap')) return [];
  const texts = fieldsOf(object, 'data').map(([key, value]) =>
    isSecret(object) ? ofBytes(key, value) : { key, text: value, bytes: new TextEncoder().encode(value).length },
  );
  const others = fieldsOf(object, 'binaryData').map(([key, value]) => ({ ...ofBytes(key, value), text: undefined }));
  return [...texts, ...others].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const fieldsOf = (object: KubeObject, field: string): [string, string][] =>
  Object.entries((at(object, field) as Readonly<Record<string, string>> | undefined) ?? {});

function ofBytes(key: string, base64: string): DataEntry {
  const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  try {
    return { key, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), bytes: bytes.length };
  } catch {
    // No text: a key store, a compressed release.
    return { key, text: undefined, bytes: bytes.length };
  }
}

/** The merge patch that gives a key another text. */
export const dataPatch = (object: KubeObject, key: string, text: string): object => ({
  data: { [key]: isSecret(object) ? encode(text) : text },
});

const encode = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
