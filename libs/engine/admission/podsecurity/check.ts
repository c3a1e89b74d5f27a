import type { Container, Pod, PodSpec } from '../../api/core_v1.js';

/** A pod, or the pod template of a workload. */
export type PodLike = Pick<Pod, 'metadata' | 'spec'>;

export interface Check {
  readonly level: 'baseline' | 'restricted';
  /** The first minor version of 1.x whose policy has the check. */
  readonly since: number;
  /** Upstream's ForbiddenReason: 'host namespaces'. */
  readonly reason: string;
  /** A baseline check that the restricted level replaces with a stricter one. */
  readonly overridden?: boolean;
  /** Upstream's ForbiddenDetail; undefined or '' when the pod passes. */
  detail(pod: PodLike, minor: number): string | undefined;
}

type Names = readonly string[];
export const quote = (list: Names): string => list.map((v) => JSON.stringify(v)).join(', ');
export const sorted = (list: Names): string[] => [...new Set(list)].sort();
export const plural = (one: string, many: string, list: Names): string => (list.length === 1 ? one : many);
export const listContainers = (containers: Names): string =>
  `${plural('container', 'containers', containers)} ${quote(containers)}`;

/** All containers of a pod, in upstream's order. */
export const containersOf = ({
  initContainers = [],
  containers = [],
  ephemeralContainers = [],
}: PodSpec): readonly Container[] => [...initContainers, ...containers, ...(ephemeralContainers as Container[])];
export const findContainers = (pod: PodLike, bad: (c: Container) => boolean): string[] =>
  containersOf(pod.spec)
    .filter(bad)
    .map((c) => c.name);

/** 'pod and container "a"': the parts of a pod that set a forbidden value. */
export function listSetters(inPod: boolean, containers: Names): string | undefined {
  const parts = [...(inPod ? ['pod'] : []), ...(containers.length ? [listContainers(containers)] : [])];
  return parts.length ? parts.join(' and ') : undefined;
}

/** The fields that the security contexts of pods and containers share. */
export type Context = NonNullable<PodSpec['securityContext']> & NonNullable<Container['securityContext']>;
/** The parts of the pod whose security context is bad, as listSetters() prints them. */
export function findSetters(pod: PodLike, bad: (context: Context) => boolean): string | undefined {
  const context = pod.spec.securityContext;
  return listSetters(
    context !== undefined && bad(context as Context),
    findContainers(pod, (c) => c.securityContext !== undefined && bad(c.securityContext as Context)),
  );
}

export const hasOwnUsers = ({ spec }: PodLike): boolean => spec.hostUsers === false;

export const withSubject = (who: string | undefined, what: string): string | undefined => who && `${who} ${what}`;
export const inContainers = (containers: Names, what: string): string | undefined =>
  containers.length ? `${listContainers(containers)} ${what}` : undefined;

export const checkAddedCapabilities = (pod: PodLike, allowed: (capability: string) => boolean): string | undefined => {
  const forbidden = (c: Container): string[] =>
    (c.securityContext?.capabilities?.add ?? []).filter((capability) => !allowed(capability));
  const containers = findContainers(pod, (c) => forbidden(c).length > 0);
  return containers.length
    ? `${listContainers(containers)} must not include ${quote(sorted(containersOf(pod.spec).flatMap(forbidden)))} in securityContext.capabilities.add`
    : undefined;
};

/**
 * The detail of a field that a pod, or else each container, must set: a bad value anywhere comes first, then the
 * containers without a value. Models check_runAsNonRoot and check_seccompProfile_restricted.
 */
export function checkRequired(
  pod: PodLike,
  isSet: (context: Context) => boolean,
  isBad: (context: Context) => boolean,
  wrong: (who: string) => string,
  missing: string,
): string | undefined {
  const who = findSetters(pod, isBad);
  if (who) return wrong(who);
  const context = pod.spec.securityContext as Context | undefined;
  if (context && isSet(context)) return undefined;
  const containers = findContainers(pod, (c) => !c.securityContext || !isSet(c.securityContext as Context));
  return containers.length ? `pod or ${listContainers(containers)} must set ${missing}` : undefined;
}
