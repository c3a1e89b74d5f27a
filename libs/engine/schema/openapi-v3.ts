import type { Kind } from '../machinery/kind.js';
import { definition } from './definitions.js';
import { description } from './descriptions.js';
import { sharedParameters } from './openapi-operations.js';
import { definitionsOf, listName, pathsOf, schemaName } from './openapi-paths.js';
import { closure, reference, type Dialect, type Schema } from './openapi-schema.js';

/** The release whose surface this is. */
const RELEASE = '1.36';
const SECURITY = { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'Bearer Token authentication' } };
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

export interface OpenApiGroupVersion {
  readonly group: string;
  readonly version: string;
  /** Changes when the document does: clients cache by it. By default the release. */
  readonly hash?: string;
}

const gvPath = (group: string, version: string): string => (group ? `apis/${group}/${version}` : `api/${version}`);

/** Body of /openapi/v3. */
export const openApiV3Index = (groupVersions: readonly OpenApiGroupVersion[]): Schema => ({
  paths: Object.fromEntries(
    groupVersions.map(({ group, version, hash }) => [gvPath(group, version), { serverRelativeURL: `/openapi/v3/${gvPath(group, version)}?hash=${encodeURIComponent(hash ?? RELEASE)}` }]),
  ),
});

/** Body of /openapi/v3/api/v1 and its like: the kinds of one group version. Models kube-openapi's builder3. */
export function openApiV3(group: string, version: string, kinds: readonly Kind[]): Schema {
  const served = kinds.filter((k) => k.group === group && k.version === version && !k.internal);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: `v${RELEASE}` },
    paths: Object.fromEntries(served.flatMap((k) => Object.entries(pathsOf(k, 'v3'))).sort(byName)),
    components: { schemas: { ...closure(served.flatMap(rootsOf), 'v3'), ...customSchemas(served, 'v3') }, parameters: sharedParameters('v3'), securitySchemes: SECURITY },
  };
}

export const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);

/** What a kind's document must hold; custom resources refer to the metadata. */
export const rootsOf = (kind: Kind): string[] => [...definitionsOf(kind), ...(definition(kind.definition) ? [] : [`${META}.ObjectMeta`, `${META}.ListMeta`])];

/** Schemas of kinds that are not in the facts, each with its list. */
export function customSchemas(kinds: readonly Kind[], dialect: Dialect): Record<string, Schema> {
  const out: Record<string, Schema> = {};
  for (const kind of kinds) {
    if (definition(kind.definition)) continue;
    const { group, version } = kind;
    const own = kind.schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const properties = { ...typeMeta(), metadata: { description: 'Standard object\'s metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata', ...refTo('ObjectMeta', dialect) }, ...without(own['properties'] as Schema | undefined) };
    out[schemaName(kind)] = { ...own, properties, 'x-kubernetes-group-version-kind': [{ group, kind: kind.kind, version }] };
    out[listName(kind)] = {
      type: 'object',
      required: ['items'],
      properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: refTo('ListMeta', dialect), items: { type: 'array', items: reference(schemaName(kind), dialect) } },
      'x-kubernetes-group-version-kind': [{ group, kind: `${kind.kind}List`, version }],
    };
  }
  return out;
}

/** apiVersion and kind, described as on every built-in kind. */
const typeMeta = (): Schema => ({
  apiVersion: { type: 'string', description: description(`${META}.DeleteOptions`, 'apiVersion') },
  kind: { type: 'string', description: description(`${META}.DeleteOptions`, 'kind') },
});

/** The properties beside the three that every object has. */
const without = (properties: Schema = {}): Schema => Object.fromEntries(Object.entries(properties).filter(([name]) => !['apiVersion', 'kind', 'metadata'].includes(name)));

const refTo = (name: string, dialect: Dialect): Schema => {
  const ref = reference(`${META}.${name}`, dialect);
  return dialect === 'v3' ? { allOf: [ref] } : ref;
};
