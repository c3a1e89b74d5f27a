import type { ApiObject, Session } from '../../session/session.js';

interface PodParts {
  readonly volumes?: readonly { readonly emptyDir?: object }[];
}

export interface Drained {
  readonly evicted: readonly ApiObject[];
  /** Without `Warning: `; '' for none. */
  readonly warning: string;
  /** Why the node cannot be drained; '' when it can. */
  readonly failure: string;
}

const nameOf = ({ metadata = {} }: ApiObject): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
const phaseOf = (pod: ApiObject): string => ((pod['status'] ?? {}) as { phase?: string }).phase ?? '';
const isOver = (pod: ApiObject): boolean => phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed';

/** Which pods of a node drain evicts. Models k8s.io/kubectl/pkg/drain/filters.go. */
export function sortDrained({ flags }: Session, pods: readonly ApiObject[]): Drained {
  const evicted: ApiObject[] = [];
  const groups: Record<'daemons' | 'local' | 'bare', string[]> = { daemons: [], local: [], bare: [] };
  for (const pod of pods) {
    if (pod.metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined) continue;
    if (pod.metadata?.deletionTimestamp !== undefined && flags.has('skip-wait-for-delete-timeout')) continue;
    const owner = pod.metadata?.ownerReferences?.find(({ controller }) => controller === true);
    if (owner?.kind === 'DaemonSet' && !isOver(pod)) {
      groups.daemons.push(nameOf(pod));
      continue;
    }
    const hasLocal = ((pod['spec'] ?? {}) as PodParts).volumes?.some(({ emptyDir }) => emptyDir !== undefined) === true;
    if (hasLocal && !isOver(pod)) groups.local.push(nameOf(pod));
    if (owner === undefined && !isOver(pod)) groups.bare.push(nameOf(pod));
    evicted.push(pod);
  }
  return {
    evicted,
    ...sayings(flags.isOn('ignore-daemonsets'), flags.isOn('delete-emptydir-data'), flags.isOn('force'), groups),
  };
}

function sayings(
  ignoresDaemons: boolean,
  deletesLocal: boolean,
  forces: boolean,
  { daemons, local, bare }: Readonly<Record<'daemons' | 'local' | 'bare', readonly string[]>>,
): Pick<Drained, 'warning' | 'failure'> {
  const failures = [
    ...(daemons.length > 0 && !ignoresDaemons
      ? [`cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): ${daemons.join(', ')}`]
      : []),
    ...(local.length > 0 && !deletesLocal
      ? [`cannot delete Pods with local storage (use --delete-emptydir-data to override): ${local.join(', ')}`]
      : []),
    ...(bare.length > 0 && !forces
      ? [`cannot delete Pods that declare no controller (use --force to override): ${bare.join(', ')}`]
      : []),
  ];
  const warnings = [
    ...(daemons.length > 0 && ignoresDaemons ? [`ignoring DaemonSet-managed Pods: ${daemons.join(', ')}`] : []),
    ...(bare.length > 0 && forces ? [`deleting Pods that declare no controller: ${bare.join(', ')}`] : []),
  ];
  const failure = failures.length > 1 ? `[${failures.join(', ')}]` : (failures[0] ?? '');
  return { warning: warnings.join('; '), failure };
}
