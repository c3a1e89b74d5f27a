import { sortKeys } from '../../output/sort-keys.js';
import type { ApiObject } from '../../session/session.js';

export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The object with what is applied in an annotation of it. */
export function withAnnotation(object: ApiObject): ApiObject {
  const { metadata = {} } = object;
  const { [LAST_APPLIED]: _own, ...annotations } = metadata.annotations ?? {};
  const plain = { ...object, metadata: { ...metadata, annotations } };
  const text = `${JSON.stringify(sortKeys(plain))}\n`;
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: text } } };
}

/** Undefined when the object was not applied. */
export function readLastApplied(object: ApiObject): ApiObject | undefined {
  const text = object.metadata?.annotations?.[LAST_APPLIED];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as ApiObject;
  } catch {
    return undefined;
  }
}
