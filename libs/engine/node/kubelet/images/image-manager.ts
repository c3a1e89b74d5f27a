import type { Container, ContainerImage, Node } from '../../../api/core_v1.js';
import { Nodes } from '../../../kinds/index.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import type { Pullable } from '../../cri/image.js';
import { parseReference, type Reference } from '../../cri/reference.js';
import { waitingStatus } from '../status/container-status.js';
import type { PodSync } from '../pod-workers/sync-pod.js';
import { fromText, toText, type ContainerRecord } from '../pod/pod-runtime.js';

const FIRST_BACKOFF = 10 * SECOND;
const MAX_BACKOFF = 300 * SECOND;
/** Kubelets report at most this many images: nodeStatusMaxImages. */
const MAX_IMAGES = 50;
/** A pull of what is there already only asks the registry for the manifest. */
const MANIFEST_BYTES = 4_000_000;

/** Go's time.Duration, truncated to ms: '147ms', '2.345s', '1m2.5s'. */
export function goDuration(ms: Millis): string {
  if (ms <= 0) return '0s';
  if (ms < SECOND) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = Number(((ms % 60_000) / SECOND).toFixed(3));
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}

const has = (node: Node, full: string): boolean => Boolean(node.status.images?.some((i) => i.names?.includes(full)));

/** True when the container's image is on the node now. Models pkg/kubelet/images/image_manager.go EnsureImageExists. */
export function ensureImage(sync: PodSync, container: Container, record: ContainerRecord): boolean {
  const image = container.image ?? '';
  const reference = parseReference(image);
  if (!reference) return invalidName(sync, container, image);
  if (record.step === 'pullFailed') return afterFailure(sync, container, record, image);
  if (record.step === 'pulling') return pulled(sync, container, record, reference);
  const present = has(sync.node(), reference.full);
  const policy = container.imagePullPolicy ?? 'IfNotPresent';
  if (present && policy !== 'Always') {
    sync.event(
      'Normal',
      'Pulled',
      `Container image "${image}" already present on machine and can be accessed by the pod`,
      container,
    );
    return true;
  }
  if (policy === 'Never') {
    const message = `Container image "${image}" is not present with pull policy of Never`;
    waits(sync, container, 'ErrImageNeverPull', message, () =>
      sync.event('Warning', 'ErrImageNeverPull', message, container),
    );
    return false;
  }
  const found = sync.images.resolve(reference);
  sync.event('Normal', 'Pulling', `Pulling image "${image}"`, container);
  record.step = 'pulling';
  record.since = toText(sync.now);
  record.due = toText(sync.now + sync.delays.pull('error' in found ? 0 : present ? MANIFEST_BYTES : found.sizeBytes));
  sync.changed();
  return pulled(sync, container, record, reference);
}

function invalidName(sync: PodSync, container: Container, image: string): false {
  const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`;
  waits(sync, container, 'InvalidImageName', message, () => sync.event('Warning', 'InspectFailed', message, container));
  return false;
}

/** Sets a waiting reason that nothing but a change of the pod ends; reported once. */
function waits(sync: PodSync, container: Container, reason: string, message: string, report: () => void): void {
  const status = sync.status(container);
  if (status.state?.waiting?.reason === reason && status.state.waiting.message === message) return;
  report();
  sync.event('Warning', 'Failed', `Error: ${reason}`, container);
  sync.set(container, waitingStatus(status, { message, reason }));
}

function pulled(sync: PodSync, container: Container, record: ContainerRecord, reference: Reference): boolean {
  const due = fromText(record.due);
  if (sync.now < due) {
    sync.wake(due);
    return false;
  }
  const image = container.image ?? '';
  const found = sync.images.resolve(reference);
  const took = goDuration(due - fromText(record.since));
  delete record.since;
  delete record.due;
  sync.changed();
  if ('error' in found) return failed(sync, container, record, image, found.error);
  sync.event(
    'Normal',
    'Pulled',
    `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: ${found.sizeBytes} bytes.`,
    container,
  );
  keep(sync, reference, found);
  delete record.failures;
  delete record.notBefore;
  return true;
}

/** Adds the image to what the node reports, newest first. */
function keep(sync: PodSync, reference: Reference, found: Exclude<Pullable, { error: string }>): void {
  const node = sync.node();
  if (has(node, reference.full)) return;
  const own: ContainerImage = { names: [...new Set([found.id, reference.full])], sizeBytes: found.sizeBytes };
  const images = [own, ...(node.status.images ?? [])].slice(0, MAX_IMAGES);
  sync.context.client.updateStatus(Nodes, { ...node, status: { ...node.status, images } });
}

function failed(sync: PodSync, container: Container, record: ContainerRecord, image: string, error: string): false {
  const backoff = Math.min(FIRST_BACKOFF * 2 ** Math.min(record.failures ?? 0, 10), MAX_BACKOFF);
  record.failures = (record.failures ?? 0) + 1;
  record.step = 'pullFailed';
  record.notBefore = toText(sync.now + backoff + sync.delays.sync() * 2);
  record.due = toText(sync.now + sync.delays.sync());
  sync.event('Warning', 'Failed', `Failed to pull image "${image}": ${error}`, container);
  sync.event('Warning', 'Failed', 'Error: ErrImagePull', container);
  sync.set(container, waitingStatus(sync.status(container), { message: error, reason: 'ErrImagePull' }));
  sync.wake(Math.max(fromText(record.due), sync.now));
  return false;
}

/** Between a failed pull and the next: ErrImagePull becomes ImagePullBackOff. */
function afterFailure(sync: PodSync, container: Container, record: ContainerRecord, image: string): boolean {
  const until = fromText(record.notBefore);
  if (sync.now >= until) {
    delete record.step;
    delete record.notBefore;
    sync.changed();
    return ensureImage(sync, container, record);
  }
  const status = sync.status(container);
  if (sync.now < fromText(record.due)) {
    sync.wake(fromText(record.due));
    return false;
  }
  if (status.state?.waiting?.reason !== 'ImagePullBackOff') {
    const why = status.state?.waiting?.message ?? '';
    sync.event('Normal', 'BackOff', `Back-off pulling image "${image}"`, container);
    sync.event('Warning', 'Failed', 'Error: ImagePullBackOff', container);
    sync.set(
      container,
      waitingStatus(status, {
        message: `Back-off pulling image "${image}": ErrImagePull: ${why}`,
        reason: 'ImagePullBackOff',
      }),
    );
  }
  sync.wake(until);
  return false;
}
