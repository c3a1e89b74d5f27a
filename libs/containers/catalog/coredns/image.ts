import type { Image } from '@terrarium/engine';
import { distrolessLayer } from '../../layers/index.js';
import { serverImage } from '../../programs/server.js';
import { coredns, keptOf } from '../../servers/coredns/index.js';

/** The cluster's name server. */
export const image: Image = {
  ...serverImage(
    {
      names: ['registry.k8s.io/coredns/coredns', 'coredns/coredns', 'k8s.gcr.io/coredns/coredns'],
      tags: /^(latest|v?1\.\d{1,2}\.\d{1,2})$/,
      layersMB: [0.4, 22.3],
      files: distrolessLayer,
      commands: 'any',
      config: { exposedPorts: [53], entrypoint: ['/coredns'], user: 'nonroot' },
    },
    coredns,
  ),
  keeps: keptOf,
};
