import { catalog } from '@terrarium/containers';
import { makeCatalog, type ImageCatalog } from '@terrarium/engine';
import { busyboxLayer } from '../../containers/layers/index.js';
import { toolImage } from '../../containers/programs/server.js';

const names = ['busybox'];
const box = toolImage({ names, tags: /./, layersMB: [1], config: { cmd: ['sh'] }, files: busyboxLayer });
const own = makeCatalog([box], box, { isPublished: () => true });

/** The catalogue, whose busybox runs in machines. */
export const boxCatalog: ImageCatalog = {
  ...catalog,
  resolve: (reference, isListed) =>
    reference.repository.endsWith('busybox') ? own.resolve(reference, isListed) : catalog.resolve(reference, isListed),
};
