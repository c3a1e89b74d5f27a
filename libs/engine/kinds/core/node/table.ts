import type { Node } from '../../../api/core_v1.js';
import { ageColumn, column, nameColumn, NONE, UNKNOWN, wide } from '../../../machinery/meta/columns.js';
import type { Column } from '../../../machinery/meta/table.js';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

function statusCell(node: Node): string {
  const ready = node.status.conditions?.find((c) => c.type === 'Ready');
  const status = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return node.spec.unschedulable ? `${status},SchedulingDisabled` : status;
}

function rolesCell(node: Node): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    if (key.startsWith(ROLE_PREFIX) && key.length > ROLE_PREFIX.length) roles.add(key.slice(ROLE_PREFIX.length));
    else if (key === ROLE_LABEL && value) roles.add(value);
  }
  return [...roles].sort().join(',') || NONE;
}

const address = (node: Node, type: string): string =>
  node.status.addresses?.find((a) => a.type === type)?.address ?? NONE;

export const columns: readonly Column<Node>[] = [
  nameColumn,
  column('Status', 'Ready or not, and whether pods may be placed on it.', statusCell),
  column('Roles', 'Roles that its labels give it.', rolesCell),
  ageColumn,
  column('Version', 'Version of its kubelet.', (n) => n.status.nodeInfo?.kubeletVersion ?? ''),
  wide('Internal-IP', 'Address within the cluster.', (n) => address(n, 'InternalIP')),
  wide('External-IP', 'Address for the outside.', (n) => address(n, 'ExternalIP')),
  wide('OS-Image', 'Operating system.', (n) => n.status.nodeInfo?.osImage || UNKNOWN),
  wide('Kernel-Version', 'Version of its kernel.', (n) => n.status.nodeInfo?.kernelVersion || UNKNOWN),
  wide('Container-Runtime', 'What runs its containers.', (n) => n.status.nodeInfo?.containerRuntimeVersion || UNKNOWN),
];
