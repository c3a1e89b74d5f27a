import { joinLayers, readPrograms } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { alpine, withAlpinePackages } from '../bases.js';

/** helm alone, on Alpine. */
export const image = toolImage({
  names: ['alpine/helm'],
  tags: /^(latest|3(\.\d+){0,2})$/,
  layersMB: [3.8, 52.1],
  config: { entrypoint: ['helm'], cmd: ['--help'], workingDir: '/apps' },
  files: joinLayers(withAlpinePackages(alpine(), 'curl', 'jq'), readPrograms('/usr/bin helm helm')),
});
