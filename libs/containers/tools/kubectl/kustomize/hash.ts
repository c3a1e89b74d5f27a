import { hex, sha256 } from '../../../../engine/machinery/crypto/sha256.js';
import type { KubeJson } from '../session/session.js';
import { isMap, textIn } from './resource.js';
import { sortKeys } from '../output/sort-keys.js';

/** Letters that could become words are others. */
const REPLACED: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

/** Ten letters that follow from what is in a ConfigMap or Secret. Models api/hasher. */
export function contentHash(object: KubeJson): string {
  const isSecret = object['kind'] === 'Secret';
  const other = isSecret ? 'stringData' : 'binaryData';
  const encoded = {
    ...(isMap(object[other]) ? { [other]: object[other] } : {}),
    ...{ data: isMap(object['data']) ? object['data'] : '', kind: object['kind'] },
    // Upstream looks for a field `metadata/name`, which nothing has.
    name: '',
    ...(isSecret ? { type: textIn(object, 'type') } : {}),
  };
  return hex(sha256(goJson(encoded)))
    .slice(0, 10)
    .replace(/[013ae]/g, (letter) => REPLACED[letter]!);
}

/** As Go's json.Marshal writes it: keys in order, and without what a page could read as HTML. */
const goJson = (value: unknown): string =>
  JSON.stringify(sortKeys(value)).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
