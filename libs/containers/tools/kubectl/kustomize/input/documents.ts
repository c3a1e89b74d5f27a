import { textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { parseYaml } from '../../../../../engine/schema/index.js';
import type { KubeJson } from '../../session/session.js';
import { KustomizeFailure } from '../failure.js';
import { isMap, textIn } from '../resource.js';

const MAX_DOCUMENTS = 1_000;

const hasContent = (part: string): boolean =>
  part.split('\n').some((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));

/** The objects of a file; the items of lists in their place. Throws KustomizeFailure. */
export function readObjects(bytes: Bytes, needsName = true): KubeJson[] {
  const parts = textOf(bytes)
    .split(/^---(?:[ \t].*)?$/m)
    .filter(hasContent);
  return parts.slice(0, MAX_DOCUMENTS).flatMap((part) => {
    const { value, error } = parseYaml(part, 'plain');
    if (error !== undefined) throw new KustomizeFailure(`MalformedYAMLError: ${error}`, true);
    if (value === null || value === undefined) return [];
    if (!isMap(value)) throw new KustomizeFailure('expected a mapping node', true);
    const items = value['items'];
    if (textIn(value, 'kind').endsWith('List') && Array.isArray(items))
      return items.flatMap((item) => (isMap(item) ? [item] : []));
    if (textIn(value, 'kind') === '') throw new KustomizeFailure(`missing Resource metadata`);
    if (needsName && textIn(value['metadata'], 'name') === '' && textIn(value['metadata'], 'generateName') === '')
      throw new KustomizeFailure('missing metadata.name in object ' + describe(value));
    return [value];
  });
}

const describe = (object: KubeJson): string =>
  `{{${textIn(object, 'apiVersion')} ${textIn(object, 'kind')}} {{ } map[] map[]}}`;
