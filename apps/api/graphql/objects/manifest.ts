import { isObject, type KubeObject } from '@terrarium/engine';
import { Refusal } from '@terrarium/platform';
import { parseAllDocuments } from 'yaml';

const MAX_DOCUMENTS = 200;
const MAX_MANIFEST_CHARACTERS = 1_000_000;
const MAX_YAML_ALIASES = 100;

/**
 * The objects of a manifest: YAML or JSON text of one or more documents, an object, or an array of objects. The items
 * of a `List` stand for it. Throws Refusal 400.
 */
export function parseManifest(manifest: unknown): KubeObject[] {
  const documents =
    typeof manifest === 'string' ? parseText(manifest) : Array.isArray(manifest) ? manifest : [manifest];
  const objects = documents.flatMap((d: unknown) =>
    isObject(d) && Array.isArray(d['items']) && String(d['kind']).endsWith('List') ? (d['items'] as unknown[]) : [d],
  );
  if (objects.length > MAX_DOCUMENTS) throw new Refusal(400, `a manifest may have at most ${MAX_DOCUMENTS} objects`);
  if (objects.length === 0) throw new Refusal(400, 'the manifest has no objects');
  return objects.map((o) => {
    if (
      !isObject(o) ||
      typeof o['apiVersion'] !== 'string' ||
      typeof o['kind'] !== 'string' ||
      !isObject(o['metadata'])
    )
      throw new Refusal(400, 'every object of the manifest needs apiVersion, kind and metadata');
    return o as unknown as KubeObject;
  });
}

function parseText(text: string): unknown[] {
  if (text.length > MAX_MANIFEST_CHARACTERS)
    throw new Refusal(400, `a manifest may have at most ${MAX_MANIFEST_CHARACTERS} characters`);
  try {
    const documents = parseAllDocuments(text);
    if (!Array.isArray(documents)) return [];
    for (const d of documents) if (d.errors[0]) throw d.errors[0];
    return documents
      .map((d) => d.toJS({ maxAliasCount: MAX_YAML_ALIASES }) as unknown)
      .filter((d) => d !== null && d !== undefined);
  } catch (error) {
    throw new Refusal(400, `the manifest cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
}
