import { executable, joinLayers } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { alpine } from '../bases.js';

const PLUGIN_BYTES = 2_340_000;

/** Flannel's plug-in, for an init container to copy it to its node. */
export const image = toolImage({
  names: [
    'ghcr.io/flannel-io/flannel-cni-plugin',
    'flannel/flannel-cni-plugin',
    'rancher/mirrored-flannelcni-flannel-cni-plugin',
  ],
  tags: /^(latest|v\d+\.\d+\.\d+(-[\w.]+)?)$/,
  layersMB: [3.4, 1.1],
  files: joinLayers(alpine(), { '/flannel': executable('flannel', PLUGIN_BYTES) }),
});
