import type { Resource } from './types.js';

/** apidiscovery.k8s.io/v2 APIGroupDiscoveryList, as far as it is read here. */
export interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind: string };
        readonly scope: string;
        readonly singularResource?: string;
        readonly verbs: readonly string[];
        readonly shortNames?: readonly string[];
        readonly categories?: readonly string[];
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

export const DISCOVERY_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** All resources of a discovery, in its order. Of a group the first version that has a resource is preferred. */
export function resourcesOf({ items }: Discovery): Resource[] {
  return items.flatMap(({ metadata: { name: group = '' }, versions }) => {
    const seen = new Set<string>();
    return versions.flatMap(({ version, resources = [] }) =>
      resources.map((found): Resource => {
        const preferred = !seen.has(found.resource);
        seen.add(found.resource);
        return {
          group,
          version,
          apiVersion: group === '' ? version : `${group}/${version}`,
          kind: found.responseKind?.kind ?? '',
          resource: found.resource,
          singular: found.singularResource ?? '',
          namespaced: found.scope === 'Namespaced',
          verbs: found.verbs,
          shortNames: found.shortNames ?? [],
          categories: found.categories ?? [],
          subresources: (found.subresources ?? []).map(({ subresource }) => subresource),
          preferred,
        };
      }),
    );
  });
}
