/** A resource of the server, as its discovery names it. */
export type ServerResource = {
  group: string;
  version: string;
  plural: string;
  singular: string;
  kind: string;
  shortNames: string[];
  isNamespaced: boolean;
  verbs: string[];
  categories: string[];
  /** Names of its subresources: 'scale'. */
  subresources: string[];
};

/** The media types of aggregated discovery. */
export const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

interface GroupDiscovery {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly resources?: readonly {
      readonly resource: string;
      readonly singularResource?: string;
      readonly shortNames?: readonly string[];
      readonly scope?: string;
      readonly verbs?: readonly string[];
      readonly categories?: readonly string[];
      readonly responseKind?: { readonly kind?: string };
      readonly subresources?: readonly { readonly subresource: string }[];
    }[];
  }[];
}

/** Reads an APIGroupDiscoveryList; each group's first version is its preferred one. */
export function readDiscovery(text: string): ServerResource[] {
  const { items = [] } = JSON.parse(text) as { items?: readonly GroupDiscovery[] };
  return items.flatMap(({ metadata, versions = [] }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.map((one) => ({
        ...{ group: metadata?.name ?? '', version, plural: one.resource, singular: one.singularResource ?? '' },
        ...{ kind: one.responseKind?.kind ?? '', shortNames: [...(one.shortNames ?? [])] },
        ...{ isNamespaced: one.scope === 'Namespaced', verbs: [...(one.verbs ?? [])] },
        ...{ categories: [...(one.categories ?? [])] },
        subresources: (one.subresources ?? []).map(({ subresource }) => subresource),
      })),
    ),
  );
}

/** A resource by plural, singular, short name or kind, also `deployments.apps` and `deployments.v1.apps`. */
export function findResource(all: readonly ServerResource[], word: string): ServerResource | undefined {
  const [name = '', ...rest] = word.toLowerCase().split('.');
  const group = rest.join('.');
  const isNamed = (one: ServerResource): boolean =>
    one.plural === name || one.singular === name || one.shortNames.includes(name) || one.kind.toLowerCase() === name;
  const fits = (one: ServerResource): boolean =>
    group === '' || one.group === group || (one.version === rest[0] && one.group === rest.slice(1).join('.'));
  return all.find((one) => isNamed(one) && fits(one));
}

/** `deployment.apps`, `pod`: how kubectl names an object's resource. */
export const shownResource = ({ singular, plural, group }: ServerResource): string =>
  (singular || plural) + (group === '' ? '' : `.${group}`);

/** `deployments.apps`, as the server names it in its messages. */
export const qualifiedPlural = ({ plural, group }: ServerResource): string =>
  plural + (group === '' ? '' : `.${group}`);

export const apiVersionOf = ({ group, version }: ServerResource): string =>
  group === '' ? version : `${group}/${version}`;

/** The path of a collection, or of one object. */
export function pathOf(resource: ServerResource, namespace: string, name = ''): string {
  const { plural, isNamespaced, group } = resource;
  const root = group === '' ? `/api/${apiVersionOf(resource)}` : `/apis/${apiVersionOf(resource)}`;
  const scope = isNamespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${plural}${name === '' ? '' : `/${encodeURIComponent(name)}`}`;
}
