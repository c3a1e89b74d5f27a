import { executable, file, joinLayers } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { INSTALL_SCRIPT } from '../../servers/multus/whereabouts.js';
import { alpine } from '../bases.js';

/** whereabouts: addresses of one set for all nodes, for Multus' networks. */
export const image = toolImage({
  names: ['ghcr.io/k8snetworkplumbingwg/whereabouts'],
  tags: /^(latest|latest-amd64|v\d+(\.\d+){1,2}(-[\w.]+)?)$/,
  layersMB: [3.6, 41.2],
  files: joinLayers(alpine(), {
    '/whereabouts': executable('multus:plugin', 52_000_000),
    '/ip-control-loop': executable('whereabouts:control-loop', 58_000_000),
    '/install-cni.sh': file(INSTALL_SCRIPT, 0o755),
    '/token-watcher.sh': file('#!/bin/sh\nwhile true; do sleep 1000000; done\n', 0o755),
  }),
  config: { cmd: ['/install-cni.sh'] },
});
