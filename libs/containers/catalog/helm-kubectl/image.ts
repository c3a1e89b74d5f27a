import { joinLayers, readPrograms } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { alpine, withAlpinePackages } from '../bases.js';

/** helm and kubectl, on Alpine. */
export const image = toolImage({
  names: ['dtzar/helm-kubectl'],
  tags: /^(latest|3(\.\d+){0,2})$/,
  layersMB: [3.8, 88.4],
  config: { cmd: ['bash'], workingDir: '/config' },
  files: joinLayers(
    withAlpinePackages(alpine(), 'bash', 'curl', 'jq'),
    readPrograms('/usr/local/bin helm helm'),
    readPrograms('/usr/local/bin kubectl kubectl'),
  ),
});
