import type { Kind } from '../../machinery/kind.js';
import { definition } from '../facts/definitions.js';
import { customSchemas } from './custom.js';
import { sharedParameters } from './operations.js';
import { definitionsOf, pathsOf } from './paths.js';
import { closure, type Schema } from './schema.js';

/** The release whose surface this is. */
const RELEASE = '1.36';
const SECURITY = {
  BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'Bearer Token authentication' },
};
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
    groupVersions.map(({ group, version, hash }) => [
      gvPath(group, version),
      { serverRelativeURL: `/openapi/v3/${gvPath(group, version)}?hash=${encodeURIComponent(hash ?? RELEASE)}` },
    ]),
  ),
});

/** Body of /openapi/v3/api/v1 and its like: the kinds of one group version. Models kube-openapi's builder3. */
export function openApiV3(group: string, version: string, kinds: readonly Kind[]): Schema {
  const served = kinds.filter((k) => k.group === group && k.version === version && !k.internal);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: RELEASE },
    paths: Object.fromEntries(served.flatMap((k) => Object.entries(pathsOf(k, 'v3'))).sort(byName)),
    components: {
      schemas: { ...ofGroup(closure(served.flatMap(rootsOf), 'v3'), group, served), ...customSchemas(served, 'v3') },
      parameters: sharedParameters('v3'),
      securitySchemes: SECURITY,
    },
  };
}

const GVK = 'x-kubernetes-group-version-kind';

/** What every group has (DeleteOptions) names the document's own group and the core; with custom kinds, all of them. */
function ofGroup(schemas: Record<string, Schema>, group: string, kinds: readonly Kind[]): Record<string, Schema> {
  if (kinds.some((k) => !definition(k.definition))) return schemas;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const all = schema[GVK] as readonly { readonly group: string }[] | undefined;
      return [
        name,
        all && all.length > 2
          ? { ...schema, [GVK]: all.filter((gvk) => gvk.group === '' || gvk.group === group) }
          : schema,
      ];
    }),
  );
}

export const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** What a kind's document must hold; custom resources refer to the metadata. */
export const rootsOf = (kind: Kind): string[] => [
  ...definitionsOf(kind),
  ...(definition(kind.definition) ? [] : [`${META}.ObjectMeta`, `${META}.ListMeta`]),
];
