import { defineKind, type Kind } from '../../machinery/kind.js';
import { openApiV3 } from './v3.js';

const kind = (fields: Partial<Kind> & Pick<Kind, 'kind' | 'plural' | 'definition'>): Kind =>
  defineKind({ group: '', version: 'v1', singular: fields.kind.toLowerCase(), scope: 'Namespaced', ...fields });

const pods = kind({
  kind: 'Pod',
  plural: 'pods',
  definition: 'io.k8s.api.core.v1.Pod',
  subresources: {
    status: true,
    actions: {
      eviction: {
        verbs: ['create'],
        kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
        body: 'io.k8s.api.policy.v1.Eviction',
        handle: () => undefined,
      },
    },
  },
});
const namespaces = kind({
  kind: 'Namespace',
  plural: 'namespaces',
  definition: 'io.k8s.api.core.v1.Namespace',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
});
const reviews = kind({
  group: 'authentication.k8s.io',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  definition: 'io.k8s.api.authentication.v1.TokenReview',
  scope: 'Cluster',
  verbs: ['create'],
});
export const carts = kind({
  group: 'shop.example',
  kind: 'Cart',
  plural: 'carts',
  definition: '',
  schema: { type: 'object', properties: { spec: { type: 'object' } } },
});
const secret = kind({ kind: 'Faults', plural: 'faults', definition: 'x.Faults', internal: true });
/** Kinds of every sort. For specs. */
export const KINDS = [pods, namespaces, reviews, carts, secret];

export type Document = {
  paths: Record<string, Record<string, { parameters: { name: string }[]; [x: string]: unknown }>>;
  components: { schemas: Record<string, { properties: Record<string, Record<string, unknown>>; required?: string[] }> };
};
export const documentOf = (group: string): Document => openApiV3(group, 'v1', KINDS) as unknown as Document;

/** Every $ref within a document. */
export function references(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && typeof inner === 'string') found.add(inner);
    else references(inner, found);
  }
  return found;
}
