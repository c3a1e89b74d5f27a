import { kubernetes } from '../api/rest.js';
import type { KubeObject } from './object.js';

export interface Place {
  readonly clusterId: string;
  readonly at?: string;
}

export const MERGE_PATCH = 'application/merge-patch+json';
export const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';
/** Who is said to have written what is written here. */
export const FIELD_MANAGER = 'terrarium-console';

/** One object, or a list. Rejects with Failure. */
export const read = async <T = KubeObject>(place: Place, path: string, signal?: AbortSignal): Promise<T> =>
  (await (await kubernetes(place, path, { signal })).json()) as T;

/** Writes, and gives what the API server answers. Rejects with Failure: its words. */
export async function write<T = KubeObject>(
  place: Place,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { body, type = 'application/json' }: { readonly body?: unknown; readonly type?: string } = {},
): Promise<T> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await kubernetes(place, path, {
    method,
    ...(text === undefined ? {} : { body: text, headers: { 'content-type': type } }),
  });
  return (await response.json()) as T;
}
