import { makeCatalog, type ImageCatalog } from '@terrarium/engine';
import { authoredImage } from './authored/image.js';
import { debian } from './catalog/bases.js';
import { allImages } from './catalog/all.js';
import { isPublished } from './publishers.js';
import { programs } from './programs/index.js';
import { isReleased } from './releases.js';
import { serverImage } from './programs/server.js';

/** What a repository outside the catalogue is taken for: some server of 50 MB on the ports its container declares. */
const unknown = serverImage(
  {
    names: [],
    tags: /^\w[\w.-]*$/,
    layersMB: [29.8, 18.1, 2.1],
    files: debian('bookworm'),
    commands: 'any',
    config: { user: '65532' },
  },
  { declared: true, probed: true, readyAfterMs: 300 },
);

/** Every image that clusters can run. */
export const catalog: ImageCatalog = makeCatalog(
  allImages,
  unknown,
  { isPublished, isReleased },
  programs,
  authoredImage,
);
