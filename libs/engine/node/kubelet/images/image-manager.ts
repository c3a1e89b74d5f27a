import type { Container, ContainerImage } from '../../../api/core_v1.js';
import { MINUTE, SECOND, type Millis } from '../../../machinery/time/time.js';
import type { ImageCatalog, Pullable } from '../../cri/image.js';
import { parseReference, type Reference } from '../../cri/images/reference.js';
import { aggregateErrors, findRefusal, type Credentials } from '../../cri/images/registry-access.js';
import type { Decision, TrackedContainer } from '../container/decision.js';
import type { Delays } from '../delays.js';
import { formatDuration } from '../duration.js';
import { normalEvent, warningEvent, type PodEvent } from '../events/event.js';
import { formatTime, omit, parseTime } from '../pod/pod-runtime.js';
import { forgetPull, isTurnOf, lastPlace, NO_QUEUE, type PullQueue } from './pull-queue.js';
import type { RegistryFault } from './registry-faults.js';
import { retryContainer, tellOfBackOff, withoutTelling } from '../retry.js';
import { waitingStatus } from '../status/container-status.js';

const FIRST_BACKOFF = 10 * SECOND;
const MAX_BACKOFF = 5 * MINUTE;
/** Pulling an image that is on the node already only asks the registry for the manifest. */
const MANIFEST_BYTES = 4_000_000;

export interface ImageRequest extends TrackedContainer {
  readonly container: Container;
  /** The images on the node: its status.images. */
  readonly nodeImages: readonly ContainerImage[];
  readonly images: ImageCatalog;
  /** What the pod's pull secrets have for a repository; asked for private ones only. */
  credentialsFor(repository: string): readonly Credentials[];
  /** What is wrong with its registry. */
  faultOf?(reference: Reference): RegistryFault | undefined;
  /** The other pulls of its node; absent: nothing is waited for. */
  queue?(): PullQueue;
  readonly delays: Delays;
  readonly now: Millis;
}

export interface ImageDecision extends Decision {
  /** The image is on the node: the container can be created. */
  readonly present: boolean;
  /** The image that a pull has just brought to the node. */
  readonly pulled?: ContainerImage;
}

/**
 * Sees to it that a container's image is on its node: by its pull policy, with the back-off of failed pulls.
 * A private image that is on the node is only for pods that could pull it (KubeletEnsureSecretPulledImages).
 * Models pkg/kubelet/images/image_manager.go EnsureImageExists. Left out: records of which secret has pulled an image,
 * so that another valid one does not pull it again, nor one that has become invalid use it; registryPullQPS.
 */
export function ensureImageExists(request: ImageRequest): ImageDecision {
  const { container, record, nodeImages, images } = request;
  const image = container.image ?? '';
  const reference = parseReference(image);
  if (!reference) {
    const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`;
    return refuseImage(request, 'InvalidImageName', message, 'InspectFailed');
  }
  if (record.step === 'pullFailed') return backOffPull(request);
  if (record.step === 'pulling') return continuePull(request, reference);
  const isOnNode = hasImage(nodeImages, reference);
  const policy = container.imagePullPolicy ?? 'IfNotPresent';
  const present = isOnNode && (policy === 'Always' || mayUse(request, reference));
  if (present && policy !== 'Always') {
    const message = `Container image "${image}" already present on machine and can be accessed by the pod`;
    return {
      present: true,
      record,
      events: [normalEvent('Pulled', message), ...simulated(image, images.resolve(reference))],
    };
  }
  if (policy === 'Never') {
    const message = `Container image "${image}" is not present with pull policy of Never`;
    return refuseImage(request, 'ErrImageNeverPull', message, 'ErrImageNeverPull');
  }
  return startPull(request, reference);
}

const hasImage = (images: readonly ContainerImage[], { full }: Reference): boolean =>
  images.some(({ names }) => names?.includes(full));

/** An image that has become unknown to its registry stays on the node. */
function mayUse(request: ImageRequest, reference: Reference): boolean {
  const found = request.images.resolve(reference);
  return 'error' in found || !found.access || !('error' in pullImage(request, reference));
}

type Found = Exclude<Pullable, { error: string }>;

/** The registry's answer to this pod. Models kuberuntime_image.go PullImage. */
function pullImage({ images, credentialsFor, faultOf }: ImageRequest, reference: Reference): Pullable {
  const error = faultOf?.(reference)?.error;
  if (error !== undefined) return { error };
  const found = images.resolve(reference);
  if ('error' in found || !found.access) return found;
  const { access } = found;
  const shown = credentialsFor(reference.repository);
  const tries: readonly (Credentials | undefined)[] = shown.length === 0 ? [undefined] : shown;
  const errors: string[] = [];
  for (const credentials of tries) {
    const refusal = findRefusal(reference, access, credentials);
    if (refusal === undefined) return found;
    errors.push(refusal);
  }
  return { error: aggregateErrors(errors) };
}

/** The next try says the same again: first the event with its own reason, then the one with the status's. */
function refuseImage(
  { status, record, now }: ImageRequest,
  reason: string,
  message: string,
  eventReason: string,
): ImageDecision {
  return {
    present: false,
    ...retryContainer(record, now),
    status: waitingStatus(status, { message, reason }),
    events: [warningEvent(eventReason, message), warningEvent('Failed', `Error: ${reason}`)],
  };
}

/** It takes its place behind the pulls that its kubelet was asked for before. */
function startPull(request: ImageRequest, reference: Reference): ImageDecision {
  const { container, now } = request;
  const queue = request.queue?.() ?? NO_QUEUE;
  const { node, parallel } = queue;
  const pull = parallel === Infinity ? {} : { pull: { node, place: lastPlace(queue) } };
  const kept = omit(request.record, 'due');
  const record = { ...kept, step: 'pulling' as const, since: formatTime(now), ...pull };
  const outcome = continuePull({ ...request, record, queue: () => queue }, reference);
  return {
    ...outcome,
    events: [normalEvent('Pulling', `Pulling image "${container.image}"`), ...(outcome.events ?? [])],
  };
}

/** When its turn has come it asks the registry: for the whole image, or for what is new of one that is there by now. */
function continuePull(request: ImageRequest, reference: Reference): ImageDecision {
  const { record, nodeImages, delays, now } = request;
  if (record.due !== undefined) return finishPull(request, reference);
  if (record.pull && !isTurnOf(request.queue?.() ?? NO_QUEUE, record.pull.place)) return { present: false, record };
  const found = pullImage(request, reference);
  const bytes = 'error' in found ? 0 : hasImage(nodeImages, reference) ? MANIFEST_BYTES : found.sizeBytes;
  const begun = formatTime(now);
  const due = formatTime(now + pullTime(delays.pull(bytes), request.faultOf?.(reference)));
  const begin = record.since === begun ? {} : { begun };
  return finishPull({ ...request, record: { ...record, ...begin, due } }, reference);
}

/** A registry that is slow, or not there at all. Without delays nothing is waited for. */
const pullTime = (usual: Millis, fault: RegistryFault | undefined): Millis =>
  usual > 0 && fault?.tookMs !== undefined ? fault.tookMs : usual * (fault?.factor ?? 1);

function finishPull(request: ImageRequest, reference: Reference): ImageDecision {
  const { container, record, now } = request;
  const due = parseTime(record.due);
  if (now < due) return { present: false, record, wakeAt: due };
  const ended = { ...request, record: forgetPull(record) };
  const found = pullImage(request, reference);
  if ('error' in found) return failPull(ended, found.error);
  const took = formatDuration(due - parseTime(record.begun ?? record.since));
  const withWaiting = formatDuration(due - parseTime(record.since));
  const message = `Successfully pulled image "${container.image}" in ${took} (${withWaiting} including waiting). Image size: ${found.sizeBytes} bytes.`;
  return {
    present: true,
    pulled: containerImage(reference, found),
    record: omit(ended.record, 'failures', 'notBefore'),
    events: [normalEvent('Pulled', message), ...simulated(container.image ?? '', found)],
  };
}

/** Says that a container is not what it seems. The simulation's own: no kubelet has this event. */
function simulated(image: string, found: Pullable): PodEvent[] {
  if ('error' in found || !found.isUnknown) return [];
  const message = `Image "${image}" is not in the catalogue of this simulation: the container runs as some server that listens on its declared ports`;
  return [normalEvent('SimulatedImage', message)];
}

const containerImage = (reference: Reference, found: Found): ContainerImage => ({
  names: [...new Set([found.id, reference.full])],
  sizeBytes: found.sizeBytes,
});

function failPull({ container, status, record, delays, now }: ImageRequest, error: string): ImageDecision {
  const failures = record.failures ?? 0;
  const backoff = Math.min(FIRST_BACKOFF * 2 ** Math.min(failures, 10), MAX_BACKOFF);
  const notBefore = formatTime(now + backoff + delays.sync() * 2);
  const due = formatTime(now + delays.sync());
  return {
    present: false,
    record: { ...withoutTelling(record), failures: failures + 1, step: 'pullFailed', notBefore, due },
    status: waitingStatus(status, { message: error, reason: 'ErrImagePull' }),
    events: [
      warningEvent('Failed', `Failed to pull image "${container.image}": ${error}`),
      warningEvent('Failed', 'Error: ErrImagePull'),
    ],
    wakeAt: parseTime(due),
  };
}

/** That it waits, and with what. */
const EVENTS_OF_BACKOFF = 2;

/** Between a failed pull and the next, ErrImagePull becomes ImagePullBackOff. */
function backOffPull(request: ImageRequest): ImageDecision {
  const { container, status, record, now } = request;
  const until = parseTime(record.notBefore);
  if (now >= until) return ensureImageExists({ ...request, record: omit(record, 'step', 'notBefore') });
  if (now < parseTime(record.due)) return { present: false, record, wakeAt: parseTime(record.due) };
  const { waiting } = status.state ?? {};
  const telling = tellOfBackOff(record, request.delays, now, EVENTS_OF_BACKOFF);
  const wakeAt = Math.min(until, telling.wakeAt);
  const summary = `Back-off pulling image "${container.image}"`;
  const told: readonly PodEvent[] = telling.isTold
    ? [normalEvent('BackOff', summary), warningEvent('Failed', 'Error: ImagePullBackOff')]
    : [];
  const decision = { present: false, record: telling.record, events: told, wakeAt } as const;
  if (waiting?.reason === 'ImagePullBackOff') return decision;
  const message = `${summary}: ErrImagePull: ${waiting?.message ?? ''}`;
  return { ...decision, status: waitingStatus(status, { message, reason: 'ImagePullBackOff' }) };
}
