import type { KubeObject } from '../../../machinery/meta/object.js';
import type { Reader } from '../../../machinery/client.js';
import type { Resource } from '../../../machinery/resource.js';
import type { Selection } from './selection.js';

interface Definition extends KubeObject {
  readonly spec?: { readonly config?: string };
}

/** k8s.cni.cncf.io/v1, of a CRD that Multus' manifest brings. */
export const Definitions: Resource<Definition> = {
  ...{ group: 'k8s.cni.cncf.io', version: 'v1', kind: 'NetworkAttachmentDefinition' },
  ...{ plural: 'network-attachment-definitions', scope: 'Namespaced' },
};

type Fields = Readonly<Record<string, unknown>>;

/** What a definition tells plug-ins: the first makes the interface, the others change it. */
export interface Delegate {
  /** The network's, which IPAM keeps its addresses by. */
  readonly name: string;
  readonly isList: boolean;
  readonly plugins: readonly Fields[];
}

/** Plug-ins of one list. */
const MAX_PLUGINS = 16;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The configuration that a network stands for. `isUnknown`: nobody has defined it. Models multus-cni's pkg/k8sclient
 * getKubernetesDelegate and pkg/types LoadDelegateNetConf.
 */
export function findDelegate(
  read: Reader,
  { name, namespace }: Selection,
): Delegate | { readonly error: string; readonly isUnknown?: boolean } {
  const found = read.get(Definitions, { namespace, name });
  if (!found)
    return {
      isUnknown: true,
      error:
        `cannot find a network-attachment-definition (${name}) in namespace (${namespace}): ` +
        `network-attachment-definitions.k8s.cni.cncf.io "${name}" not found`,
    };
  return parseDelegate(found.spec?.config ?? '', name);
}

export function parseDelegate(text: string, name: string): Delegate | { readonly error: string } {
  if (text === '')
    return { error: 'GetCNIConfig: err in GetCNIConfigFromFile: No networks found in /etc/cni/multus/net.d' };
  let config: Fields;
  try {
    config = fieldsOf(JSON.parse(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { error: `GetCNIConfig: err in getCNIConfigFromSpec: failed to unmarshal Spec.Config: ${why}` };
  }
  const own = textOf(config['name']) || name;
  if (textOf(config['type']) !== '') return { name: own, isList: false, plugins: [config] };
  const failed = 'LoadDelegateNetConf: failed with: LoadDelegateNetConfList: ';
  const { plugins } = config;
  if (!Array.isArray(plugins)) return { error: `${failed}delegate must have the 'type' or 'plugin' field` };
  const list = (plugins as unknown[]).slice(0, MAX_PLUGINS).map(fieldsOf);
  if (list.length === 0 || textOf(list[0]?.['type']) === '')
    return { error: `${failed}a plugin delegate must have the 'type' field` };
  return { name: own, isList: true, plugins: list };
}
