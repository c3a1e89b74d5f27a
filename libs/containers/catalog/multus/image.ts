import { distrolessLayer, executable, joinLayers } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';

const BINARIES = '/usr/src/multus-cni/bin';
const BYTES = 48_300_000;

/** Multus: the plug-in in both kinds, and the programs that put it on a node. */
export const image = toolImage({
  names: ['ghcr.io/k8snetworkplumbingwg/multus-cni', 'docker.io/nfvpe/multus', 'docker.io/rancher/hardened-multus-cni'],
  tags: /^(latest|stable|snapshot|v\d+(\.\d+){1,2})(-[\w.-]+)?$/,
  layersMB: [0.4, 112.6],
  files: joinLayers(distrolessLayer, {
    ...Object.fromEntries(
      ['multus', 'multus-shim', 'passthru'].map((name) => [`${BINARIES}/${name}`, executable('multus:plugin', BYTES)]),
    ),
    [`${BINARIES}/install_multus`]: executable('multus:install', 6_100_000),
    [`${BINARIES}/thin_entrypoint`]: executable('multus:thin', 6_400_000),
    [`${BINARIES}/multus-daemon`]: executable('multus:thick', 52_000_000),
    '/install_multus': executable('multus:install', 6_100_000),
    '/thin_entrypoint': executable('multus:thin', 6_400_000),
  }),
  config: { entrypoint: ['/thin_entrypoint'] },
});
