/** A resource of the server, as its discovery names it. */
export type ServerResource = {
  group: string;
  version: string;
  plural: string;
  singular: string;
  kind: string;
  shortNames: string[];
  isNamespaced: boolean;
};

interface GroupDiscovery {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly resources?: readonly {
      readonly resource: string;
      readonly singularResource?: string;
      readonly shortNames?: readonly string[];
      readonly scope?: string;
      readonly responseKind?: { readonly kind?: string };
    }[];
  }[];
}

/** Reads an APIGroupDiscoveryList; each group's first version is its preferred one. */
export function readDiscovery(text: string): ServerResource[] {
  const { items = [] } = JSON.parse(text) as { items?: readonly GroupDiscovery[] };
  return items.flatMap(({ metadata, versions = [] }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.map(({ resource, singularResource, shortNames, scope, responseKind }) => ({
        ...{ group: metadata?.name ?? '', version, plural: resource, singular: singularResource ?? '' },
        ...{
          kind: responseKind?.kind ?? '',
          shortNames: [...(shortNames ?? [])],
          isNamespaced: scope === 'Namespaced',
        },
      })),
    ),
  );
}

/** A resource by plural, singular, short name or kind, also `deployments.apps`. */
export function findResource(all: readonly ServerResource[], word: string): ServerResource | undefined {
  const [name = '', group] = word.toLowerCase().split(/\.(.*)/s);
  return all.find(
    (one) =>
      (one.plural === name ||
        one.singular === name ||
        one.shortNames.includes(name) ||
        one.kind.toLowerCase() === name) &&
      (group === undefined || one.group === group),
  );
}

/** `deployment.apps`, `pod`: how kubectl names an object's resource. */
export const shownResource = ({ singular, plural, group }: ServerResource): string =>
  (singular || plural) + (group === '' ? '' : `.${group}`);

/** The path of a collection, or of one object. */
export function pathOf(resource: ServerResource, namespace: string, name = ''): string {
  const { group, version, plural, isNamespaced } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = isNamespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${plural}${name === '' ? '' : `/${encodeURIComponent(name)}`}`;
}
