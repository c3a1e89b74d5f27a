import type { Node } from '../../../api/core_v1.js';
import { Events, Nodes } from '../../../kinds/index.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { MINUTE, parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import type { Context } from '../../../runtime/controller.js';
import { deleteUnusedImages } from './image-gc.js';

/** Above the first share of their file system in use images are removed, down to the second. Models the defaults. */
const HIGH_PERCENT = 85;
const LOW_PERCENT = 80;
/** Models pkg/kubelet/kubelet.go ImageGCPeriod. */
const PERIOD: Millis = 5 * MINUTE;
const FAILED = 'FreeDiskSpaceFailed';

export interface ImageFileSystem {
  readonly capacity: number;
  readonly available: number;
}

/**
 * Each five minutes since its node is there a kubelet removes unused images from a disk that is nearly full, and tells
 * when that is not enough; the second time in a row in its own words, too. `since`: when it was looked at last.
 * Models pkg/kubelet/images/image_gc_manager.go GarbageCollect, kubelet.go StartGarbageCollection.
 */
export function collectImages(context: Context, node: Node, disk: ImageFileSystem, since: Millis): void {
  const { client, now } = context;
  const created = parseTimestamp(node.metadata.creationTimestamp ?? '');
  if (Math.floor((now - created) / PERIOD) === Math.floor((since - created) / PERIOD)) return;
  if (disk.available * 100 > disk.capacity * (100 - HIGH_PERCENT)) return;
  const wanted = Math.floor((disk.capacity * (100 - LOW_PERCENT)) / 100) - disk.available;
  const stored = client.get(Nodes, keyOf(node)) ?? node;
  const freed = bytesOf(stored) - bytesOf(deleteUnusedImages(client, stored, wanted));
  if (freed >= wanted) return;
  const message =
    `Failed to garbage collect required amount of images. Attempted to free ${wanted} bytes, ` +
    `but only found ${freed} bytes eligible to free.`;
  const source = { component: 'kubelet', host: node.metadata.name ?? '' };
  const isRepeated = client
    .byIndex(Events, 'involvedUid', node.metadata.uid ?? '')
    .some((event) => event.reason === FAILED && now - parseTimestamp(event.lastTimestamp ?? '') < 2 * PERIOD);
  context.event(node, 'Warning', FAILED, message, { source });
  if (isRepeated) context.event(node, 'Warning', 'ImageGCFailed', message, { source });
}

const bytesOf = ({ status }: Node): number =>
  (status.images ?? []).reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
