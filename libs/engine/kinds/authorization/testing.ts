import type { Client } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { context, make } from '../testing.js';

const client = { list: () => [] } as unknown as Client;

/** The answer to a review that ann, an administrator, asks for. */
export const evaluate = <T extends KubeObject>(kind: Kind<T>, fields: Record<string, unknown>): T =>
  kind.evaluate!({ ...make(kind, fields), metadata: (fields['metadata'] ?? {}) as T['metadata'] }, client, context);

export const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'default' };
