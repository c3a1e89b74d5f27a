import { selectorText } from '../describe/parts/selector.js';
import { pathOf, type ServerResource } from '../discovery/resources.js';
import { listOf, resourceNamed } from '../discovery/targets.js';
import { ApiFailure, KubectlFailure } from '../session/failure.js';
import type { ApiObject, Session } from '../session/session.js';

/** Pods that one command works with. */
export const MAX_PODS = 20;

/** The pods that an object stands for: the first of them, or all with --all-pods. */
export function podsOfTarget(session: Session, resource: ServerResource, name: string): ApiObject[] {
  const { namespace, flags } = session;
  if (resource.plural === 'pods' && resource.group === '') return [findPod(session, name)];
  const object = session.get(pathOf(resource, namespace, name));
  const selector = selectorText(object);
  if (selector === undefined)
    throw new KubectlFailure(`cannot get the logs from ${resource.plural}.${resource.group}: selector is not set`);
  const pods = listOf(
    session,
    resourceNamed(session, 'pods'),
    namespace,
    `?labelSelector=${encodeURIComponent(selector)}`,
  );
  if (pods.length === 0) throw new KubectlFailure('timed out waiting for the condition');
  const sorted = [...pods].sort((a, b) => readiness(b) - readiness(a));
  if (flags.isOn('all-pods')) return sorted.slice(0, MAX_PODS);
  if (pods.length > 1 && session.path === 'kubectl logs')
    session.err(`Found ${pods.length} pods, using pod/${sorted[0]!.metadata?.name ?? ''}\n`);
  return sorted.slice(0, 1);
}

const readiness = (pod: ApiObject): number => {
  const status = (pod['status'] ?? {}) as { phase?: string; conditions?: readonly { type: string; status: string }[] };
  return (
    (status.phase === 'Running' ? 1 : 0) +
    (status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ? 1 : 0)
  );
};

function findPod(session: Session, name: string): ApiObject {
  const { namespace } = session;
  try {
    return session.get(pathOf(resourceNamed(session, 'pods'), namespace, name));
  } catch (error) {
    if (error instanceof ApiFailure && error.reason === 'NotFound' && session.path === 'kubectl logs')
      throw new KubectlFailure(`error from server (NotFound): ${error.message} in namespace "${namespace}"`);
    throw error;
  }
}

interface PodSpec {
  readonly containers?: readonly { readonly name: string }[];
  readonly initContainers?: readonly { readonly name: string }[];
  readonly ephemeralContainers?: readonly { readonly name: string }[];
}

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** Of a pod: those that are asked for, or the default one. Throws KubectlFailure. */
export function containersOf(session: Session, pod: ApiObject): string[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = (pod['spec'] ?? {}) as PodSpec;
  const all = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  if (session.flags.isOn('all-containers')) return all;
  const isLogs = session.path === 'kubectl logs';
  const wanted = session.flags.value('container') || (isLogs ? (session.args[1] ?? '') : '');
  const podName = pod.metadata?.name ?? '';
  if (wanted !== '') {
    if (!all.includes(wanted))
      throw new KubectlFailure(`container ${wanted} is not valid for pod ${podName} out of: ${describeAll()}`);
    return [wanted];
  }
  const annotated = pod.metadata?.annotations?.[DEFAULT_CONTAINER];
  if (annotated !== undefined && all.includes(annotated)) return [annotated];
  const [first] = containers;
  if (!first) throw new KubectlFailure(`Pod ${podName} has no containers`);
  if (all.length > 1) session.err(`Defaulted container "${first.name}" out of: ${describeAll()}\n`);
  return [first.name];

  function describeAll(): string {
    return [
      ...containers.map(({ name }) => name),
      ...initContainers.map(({ name }) => `${name} (init)`),
      ...ephemeralContainers.map(({ name }) => `${name} (ephem)`),
    ].join(', ');
  }
}

const SECOND = 1_000;

/**
 * ms until the second of a time stamp is over; 0: it is. A process may be looked at later than its own time is: the
 * server's answers are of then, what it asks of containers is of its own time.
 */
export const untilAfter = ({ now }: Session, stamp: string | undefined): number =>
  Math.max(0, (Date.parse(stamp ?? '') || 0) + SECOND - now);
