import { kubernetes } from '../../api/rest.js';
import type { Place } from '../client.js';
import type { KubeObject } from '../object.js';
import { areaOf, pathOf, resourceName, type Resource } from '../resource.js';

/** An object by its name, of whatever kind. */
export interface Found {
  readonly kind: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** What people look for by a name. */
const SOUGHT: ReadonlySet<string> = new Set([
  ...['pods', 'services', 'configmaps', 'secrets', 'nodes', 'namespaces', 'serviceaccounts'],
  ...[
    'persistentvolumeclaims',
    'persistentvolumes',
    'ingresses.networking.k8s.io',
    'networkpolicies.networking.k8s.io',
  ],
  ...['deployments.apps', 'statefulsets.apps', 'daemonsets.apps', 'jobs.batch', 'cronjobs.batch'],
]);
const MAX_CUSTOM = 12;
/** Of each kind; of more, the table of the kind finds what is looked for. */
const LIMIT = 500;
/** Requests that are under way at once. */
const AT_ONCE = 6;
const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** The kinds that are looked through: those of every cluster, and the cluster's own. */
export function soughtKinds(resources: readonly Resource[]): Resource[] {
  const listed = resources.filter(({ preferred, verbs }) => preferred && verbs.includes('list'));
  const custom = listed.filter((one) => areaOf(one) === 'custom').slice(0, MAX_CUSTOM);
  return [...listed.filter((one) => SOUGHT.has(resourceName(one))), ...custom];
}

/** Names of what a cluster has. A kind that may not be listed has none. */
export async function readNames(place: Place, kinds: readonly Resource[], signal: AbortSignal): Promise<Found[]> {
  const left = [...kinds];
  const found: Found[] = [];
  const next = async (): Promise<void> => {
    for (let kind = left.shift(); kind; kind = left.shift()) {
      const headers = { accept: METADATA_ONLY };
      // Who may not list them, or closes the palette, finds none of them.
      const answer = await kubernetes(place, `${pathOf(kind)}?limit=${LIMIT}`, { signal, headers }).catch(
        () => undefined,
      );
      const { items } = ((await answer?.json()) ?? { items: [] }) as { readonly items: readonly KubeObject[] };
      for (const { metadata } of items)
        found.push({
          kind: kind.kind,
          resource: resourceName(kind),
          namespace: metadata.namespace ?? '',
          name: metadata.name,
        });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return found;
}

/** Those whose name, namespace and kind have all the words; names that begin with the first are first. */
export function findNames(names: readonly Found[], text: string, most: number): Found[] {
  const words = text
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(Boolean);
  const [first = ''] = words;
  const has = ({ kind, namespace, name }: Found): boolean => {
    const all = `${kind} ${namespace} ${name}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const rank = ({ name }: Found): number => (name === first ? 0 : name.startsWith(first) ? 1 : 2);
  if (first === '') return [];
  return names
    .filter(has)
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
    .slice(0, most);
}
