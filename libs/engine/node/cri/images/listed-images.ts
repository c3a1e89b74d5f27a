import { Images } from '../../../kinds/index.js';
import { hasContents } from '../../../kinds/terrarium/image/spec.js';
import type { Image as ListedImage } from '../../../kinds/terrarium/image/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { digestOf } from '../../digest.js';
import type { ImageCatalog, Pullable } from '../image.js';
import type { Reference } from './reference.js';

/**
 * A catalogue with the images that the cluster's author has added, as objects of the kind Image. They come before the
 * catalogue's own when they say what is in them.
 */
export function withListedImages(catalog: ImageCatalog, read: Reader): ImageCatalog {
  const made = new WeakMap<object, Map<string, Pullable>>();
  const find = ({ repository, tag }: Reference): ListedImage | undefined =>
    read.byIndex(Images, 'repository', repository).find(({ spec: { tags } }) => tags?.includes(tag) ?? true);
  return {
    ...catalog,
    resolve(reference, isListed = false) {
      const listed = isListed ? undefined : find(reference as Reference);
      if (!listed) return catalog.resolve(reference, isListed);
      const known = made.get(listed) ?? new Map<string, Pullable>();
      made.set(listed, known);
      let pullable = known.get(reference.full);
      if (!pullable) known.set(reference.full, (pullable = resolveListed(catalog, reference as Reference, listed)));
      return pullable;
    },
  };
}

function resolveListed(catalog: ImageCatalog, reference: Reference, { metadata, spec }: ListedImage): Pullable {
  const { users } = spec;
  const access = users ? { access: { users } } : {};
  if (!hasContents(spec) || !catalog.author) return { ...catalog.resolve(reference, true), ...access };
  const { repository, digest, full } = reference;
  const image = catalog.author(spec);
  return {
    image,
    sizeBytes: image.layers.reduce((sum, size) => sum + size, 0),
    id: `${repository}@${digest ?? `sha256:${digestOf(`${full} ${metadata.uid ?? ''}`)}`}`,
    ...access,
  };
}
