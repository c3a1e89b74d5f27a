import { at, listAt, textAt, type Condition, type KubeObject } from '../../../kube/object.js';
import { memoryText, readQuantity } from '../usage/usage.js';

/** A line of an object's summary; `label` is a key of the texts. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

const FIELDS: Readonly<Record<string, readonly (readonly [label: string, ...path: string[]])[]>> = {
  Pod: [
    ['phase', 'status', 'phase'],
    ['reason', 'status', 'reason'],
    ['message', 'status', 'message'],
    ['node', 'spec', 'nodeName'],
    ['ip', 'status', 'podIP'],
    ['qos', 'status', 'qosClass'],
    ['account', 'spec', 'serviceAccountName'],
    ['priority', 'spec', 'priorityClassName'],
  ],
  Deployment: [
    ['replicas', 'spec', 'replicas'],
    ['ready', 'status', 'readyReplicas'],
    ['updated', 'status', 'updatedReplicas'],
    ['strategy', 'spec', 'strategy', 'type'],
  ],
  ReplicaSet: [
    ['replicas', 'spec', 'replicas'],
    ['ready', 'status', 'readyReplicas'],
  ],
  StatefulSet: [
    ['replicas', 'spec', 'replicas'],
    ['ready', 'status', 'readyReplicas'],
    ['service', 'spec', 'serviceName'],
  ],
  DaemonSet: [
    ['replicas', 'status', 'desiredNumberScheduled'],
    ['ready', 'status', 'numberReady'],
  ],
  Service: [
    ['type', 'spec', 'type'],
    ['ip', 'spec', 'clusterIP'],
    ['externalName', 'spec', 'externalName'],
  ],
  Ingress: [['ingressClass', 'spec', 'ingressClassName']],
  Node: [
    ['version', 'status', 'nodeInfo', 'kubeletVersion'],
    ['os', 'status', 'nodeInfo', 'osImage'],
    ['cpu', 'status', 'allocatable', 'cpu'],
    ['memory', 'status', 'allocatable', 'memory'],
    ['podCidr', 'spec', 'podCIDR'],
  ],
  PersistentVolumeClaim: [
    ['phase', 'status', 'phase'],
    ['size', 'spec', 'resources', 'requests', 'storage'],
    ['class', 'spec', 'storageClassName'],
  ],
  PersistentVolume: [
    ['phase', 'status', 'phase'],
    ['size', 'spec', 'capacity', 'storage'],
    ['class', 'spec', 'storageClassName'],
  ],
  Namespace: [['phase', 'status', 'phase']],
  Job: [
    ['completions', 'spec', 'completions'],
    ['succeeded', 'status', 'succeeded'],
    ['failed', 'status', 'failed'],
  ],
  CronJob: [
    ['schedule', 'spec', 'schedule'],
    ['lastRun', 'status', 'lastScheduleTime'],
  ],
};

/** What is looked for first in an object of its kind. */
export const factsOf = (object: KubeObject): Fact[] =>
  (FIELDS[object.kind] ?? [['phase', 'status', 'phase']]).flatMap(([label, ...path]) => {
    const value = textAt(object, ...path);
    if (value === '') return [];
    return [{ label, value: label === 'memory' ? memoryText(readQuantity(value)) : value }];
  });

export interface ContainerFacts {
  readonly name: string;
  readonly image: string;
  readonly state: string;
  readonly detail: string;
  readonly restarts: number;
  readonly isReady: boolean;
  readonly isInit: boolean;
  /** As they stand in the pod. */
  readonly spec: unknown;
  readonly status: unknown;
}

/** A pod's containers, with what is told of them. */
export function containersOf(pod: KubeObject): ContainerFacts[] {
  if (pod.kind !== 'Pod') return [];
  const statuses = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'].flatMap((key) =>
    listAt(pod, 'status', key),
  );
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((key) =>
    listAt(pod, 'spec', key).map((container) => {
      const name = textAt(container, 'name');
      const status = statuses.find((one) => textAt(one, 'name') === name);
      const [state = ''] = Object.keys((at(status, 'state') as object | undefined) ?? {});
      const reason = textAt(status, 'state', state, 'reason');
      return {
        name,
        image: textAt(container, 'image'),
        state: reason || state || 'waiting',
        detail: textAt(status, 'state', state, 'message') || textAt(status, 'lastState', 'terminated', 'reason'),
        restarts: Number(textAt(status, 'restartCount') || 0),
        isReady: at(status, 'ready') === true,
        isInit: key === 'initContainers',
        spec: container,
        status,
      };
    }),
  );
}

/** Conditions that are well when they are False. */
const NEGATIVE =
  /Pressure$|Unavailable$|Fail(?:ed|ure|ureTarget)$|Suspended$|Pending$|DisruptionTarget$|Stalled$|^NamesConflict$/;

/** As people read it: well, not well, or not known. */
export function toneOfCondition({ type, status }: Condition): 'good' | 'bad' | 'wait' {
  if (status !== 'True' && status !== 'False') return 'wait';
  return (status === 'True') === NEGATIVE.test(type) ? 'bad' : 'good';
}

/** "2026-01-01 10:20:30" of an RFC 3339 time. */
export const timeText = (time: string): string => time.replace('T', ' ').replace(/(?:\.\d+)?Z$/, '');

export const conditionsOf = (object: KubeObject): readonly Condition[] =>
  listAt<Condition>(object, 'status', 'conditions');
