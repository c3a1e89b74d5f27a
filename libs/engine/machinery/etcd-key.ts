import { isBuiltIn, type Kind } from './kind.js';
import type { KubeObject } from './meta/object.js';

/** Folders that are not the plural of their kind. Models pkg/registry's storage prefixes. */
const FOLDERS: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  services: 'services/specs',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  ingresses: 'ingress',
};
/** Groups whose kinds stand in a folder of the group's name. */
const GROUPED = new Set(['apiregistration.k8s.io', 'apiextensions.k8s.io']);

/** The key that the API server keeps an object under. */
export function etcdKey(kind: Kind, { metadata: { namespace, name = '' } }: KubeObject): string {
  const folder = `/registry/${prefixOf(kind)}`;
  return namespace ? `${folder}/${namespace}/${name}` : `${folder}/${name}`;
}

/** Objects of definitions stand in a folder of their group, too. */
const prefixOf = (kind: Kind): string => {
  const { group, plural } = kind;
  if (GROUPED.has(group) || !isBuiltIn(kind)) return `${group}/${plural}`;
  return Object.hasOwn(FOLDERS, plural) ? FOLDERS[plural]! : plural;
};
