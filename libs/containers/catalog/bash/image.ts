import { joinLayers, readPrograms } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { alpine } from '../bases.js';

export const image = toolImage({
  names: ['bash'],
  tags: /^(latest|devel|rc|[3-5](\.\d{1,2}){0,2})(-[a-z0-9.]+)?$/,
  layersMB: [3.86, 2.4],
  config: { cmd: ['bash'] },
  files: joinLayers(alpine(), readPrograms('/usr/local/bin shell bash=bash')),
});
