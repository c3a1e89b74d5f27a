import type { Image } from '@terrarium/engine';
import { file } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';

/** OCI artifacts, which are mounted (volumes of type image), not run. */
export const artifacts: readonly Image[] = [
  toolImage({
    names: ['quay.io/crio/artifact'],
    tags: /^(latest|v[12])$/,
    layersMB: [0.001],
    config: {},
    files: { '/dir/file': file('1\n'), '/file': file('2\n') },
  }),
];
