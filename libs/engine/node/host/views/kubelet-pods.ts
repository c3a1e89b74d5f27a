import type { ContainerStatus, Event, Pod } from '../../../api/core_v1.js';
import { Events, Pods } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import type { KubeletLine } from './kubelet-line.js';
import { MIRROR_ANNOTATION } from '../../../kinds/core/pod/mirror.js';

/** From an end until the kubelet's sync that finds it. */
const NOTICED: Millis = SECOND;
/** Pods of a node that are looked at. */
const MAX_PODS = 500;
/** Reasons of events that come with an error of a sync. */
const ERRORS = new Set(['Failed', 'BackOff']);
const PULL = /^Failed to pull image "([^"]*)": (.*)$/s;
/** What a container waits with that its kubelet could not start. */
const WAITING = new Set([
  ...['ErrImagePull', 'ImagePullBackOff', 'CrashLoopBackOff', 'CreateContainerConfigError', 'CreateContainerError'],
  ...['RunContainerError', 'InvalidImageName', 'ErrImageNeverPull'],
]);

/**
 * What a kubelet logs of pods that it cannot bring up, when it has last said so in an event. Models pod_workers.go,
 * kuberuntime_image.go and the CRI client's log.go. Left out: that it says so at each try.
 */
export function podLines(read: Reader, node: string): KubeletLine[] {
  const pods = read.byIndex(Pods, 'nodeName', node);
  return [...pods].slice(0, MAX_PODS).flatMap((pod) => {
    const failing = [...(pod.status.initContainerStatuses ?? []), ...(pod.status.containerStatuses ?? [])].filter(
      ({ state }) => WAITING.has(state?.waiting?.reason ?? ''),
    );
    if (failing.length === 0) return [];
    const events = read
      .list(Events, pod.metadata.namespace)
      .filter(({ involvedObject, reason = '' }) => involvedObject.name === pod.metadata.name && ERRORS.has(reason));
    return [...events.flatMap(pullLines), ...failing.flatMap((status) => syncLines(pod, status, events))];
  });
}

function pullLines({ message = '', ...event }: Event): KubeletLine[] {
  const [, image = '', why = ''] = PULL.exec(message) ?? [];
  if (image === '') return [];
  const details = `err=${JSON.stringify(why)} image="${image}"`;
  const at = lastOf(event);
  return [
    { at, level: 'E', text: `log.go:32] "PullImage from image service failed" ${details}` },
    { at, level: 'E', text: `kuberuntime_image.go:43] "Failed to pull image" ${details}` },
  ];
}

function syncLines({ metadata }: Pod, status: ContainerStatus, events: readonly Event[]): KubeletLine[] {
  const { name, state } = status;
  const at = toldAt(status, events);
  if (at === undefined) return [];
  const { reason = '', message = '' } = state?.waiting ?? {};
  const why = `failed to "StartContainer" for "${name}" with ${reason}: ${JSON.stringify(message)}`;
  const uid = metadata.annotations?.[MIRROR_ANNOTATION] ?? metadata.uid ?? '';
  const pod = `pod="${metadata.namespace ?? ''}/${metadata.name ?? ''}" podUID="${uid}"`;
  return [
    { at, level: 'E', text: `pod_workers.go:1324] "Error syncing pod, skipping" err=${JSON.stringify(why)} ${pod}` },
  ];
}

/** By its last event; of a container whose events no API server has taken, soon after its last end. */
function toldAt({ name, lastState }: ContainerStatus, events: readonly Event[]): Millis | undefined {
  const own = events.filter(({ involvedObject }) => involvedObject.fieldPath?.endsWith(`{${name}}`));
  if (own.length > 0) return Math.max(...own.map(lastOf));
  const end = lastState?.terminated?.finishedAt;
  return end === undefined ? undefined : parseTimestamp(end) + NOTICED;
}

const lastOf = ({ lastTimestamp, eventTime, metadata }: Pick<Event, 'lastTimestamp' | 'eventTime' | 'metadata'>) =>
  parseTimestamp(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
