import { Images } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import type { ImageCatalog } from './image.js';

/** A catalogue with the images that the cluster's author has added, as objects of the kind Image. */
export const withListedImages = (catalog: ImageCatalog, read: Reader): ImageCatalog => ({
  programs: catalog.programs,
  resolve(reference, isListed = false) {
    const found = catalog.resolve(reference, isListed);
    if (isListed || !('error' in found)) return found;
    const listed = read
      .byIndex(Images, 'repository', reference.repository)
      .some(({ spec: { tags } }) => tags?.includes(reference.tag) ?? true);
    return listed ? catalog.resolve(reference, true) : found;
  },
});
