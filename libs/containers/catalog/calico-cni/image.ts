import { distrolessLayer, executable, joinLayers } from '../../layers/index.js';
import { toolImage, type ImageSpec } from '../../programs/server.js';
import { versionVariant } from '../../servers/calico/version.js';

const BIN = '/opt/cni/bin';
const PLUGIN_BYTES = 4_200_000;
/** Plug-ins that are not Calico's own, as it brings them. */
const OTHERS: readonly string[] = ['bandwidth', 'flannel', 'host-local', 'loopback', 'portmap', 'tuning'];

const spec: ImageSpec = {
  names: ['docker.io/calico/cni', 'quay.io/calico/cni'],
  tags: /^(latest|v\d+\.\d+\.\d+(-[\w.]+)?)$/,
  layersMB: [0.4, 87.3],
  files: joinLayers(distrolessLayer, {
    ...Object.fromEntries(OTHERS.map((name) => [`${BIN}/${name}`, executable(name, PLUGIN_BYTES)])),
    ...Object.fromEntries(
      ['calico', 'calico-ipam', 'install'].map((name) => [
        `${BIN}/${name}`,
        executable(`calico:${name}`, PLUGIN_BYTES),
      ]),
    ),
  }),
  config: { cmd: [`${BIN}/install`], env: { PATH: `/usr/local/bin:/usr/bin:/bin:${BIN}` } },
  variant: versionVariant,
};

/** Calico's plug-ins, and the program that puts them on a node. */
export const image = toolImage(spec);
