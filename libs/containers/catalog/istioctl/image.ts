import { executable, joinLayers } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { debian } from '../bases.js';

/** istioctl, which says that it is not simulated: what it shows comes from proxies' protocols. */
export const image = toolImage({
  names: ['istio/istioctl', 'gcr.io/istio-release/istioctl', 'registry.istio.io/release/istioctl'],
  tags: /^1\.\d+(\.\d+)?(-[\w.]+)?$/,
  layersMB: [29.5, 31.2],
  config: { entrypoint: ['/usr/local/bin/istioctl'] },
  files: joinLayers(debian('bookworm'), { '/usr/local/bin/istioctl': executable('unsimulated', 98_000_000) }),
});
