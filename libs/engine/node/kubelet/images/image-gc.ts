import type { Node } from '../../../api/core_v1.js';
import { Nodes, Pods } from '../../../kinds/index.js';
import type { Client } from '../../../machinery/client.js';
import { parseReference } from '../../cri/images/reference.js';

/**
 * Removes the images that no pod of a node uses, the oldest first, until so many bytes are free. Returns the node as it
 * is then. Models pkg/kubelet/images/image_gc_manager.go DeleteUnusedImages, freeSpace. Left out: ages of images.
 */
export function deleteUnusedImages(client: Client, node: Node, bytes = Infinity): Node {
  const images = node.status.images ?? [];
  const used = imagesInUse(client, node);
  const kept = [...images];
  let freed = 0;
  for (let i = images.length - 1; i >= 0 && freed < bytes; i--) {
    const { names = [], sizeBytes = 0 } = images[i]!;
    if (names.some((name) => used.has(name))) continue;
    kept.splice(i, 1);
    freed += sizeBytes;
  }
  if (kept.length === images.length) return node;
  return client.updateStatus(Nodes, { ...node, status: { ...node.status, images: kept } });
}

/** Images of pods that have not ended, and that of the sandboxes. */
function imagesInUse(client: Client, node: Node): ReadonlySet<string> {
  const used = new Set<string>(
    (node.status.images ?? []).flatMap(({ names = [] }) => names).filter((name) => name.includes('/pause')),
  );
  for (const { spec } of client.byIndex(Pods, 'unfinishedByNode', node.metadata.name ?? ''))
    for (const { image = '' } of [
      ...spec.containers,
      ...(spec.initContainers ?? []),
      ...(spec.ephemeralContainers ?? []),
    ])
      used.add(parseReference(image)?.full ?? image);
  return used;
}
