import { distrolessLayer, executable, joinLayers } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { versionVariant } from '../../servers/calico/version.js';

/** calicoctl, as a pod's only program. */
export const image = toolImage({
  names: ['docker.io/calico/ctl', 'quay.io/calico/ctl'],
  tags: /^(latest|v\d+\.\d+\.\d+(-[\w.]+)?)$/,
  layersMB: [0.4, 27.8],
  files: joinLayers(distrolessLayer, { '/calicoctl': executable('calico:calicoctl', 62_000_000) }),
  config: { entrypoint: ['/calicoctl'] },
  variant: versionVariant,
});
