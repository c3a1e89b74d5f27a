import type { ContainerImage } from '../../../api/core_v1.js';

/** Models nodeStatusMaxImages. */
const MAX_IMAGES = 50;

/**
 * A node's images with one more, newest first; the same list when the image is in it already. Models setters.go Images.
 */
export function addImage(images: ContainerImage[], pulled: ContainerImage): ContainerImage[] {
  const isKnown = images.some(({ names }) => names?.includes(pulled.names!.at(-1)!));
  return isKnown ? images : [pulled, ...images].slice(0, MAX_IMAGES);
}
