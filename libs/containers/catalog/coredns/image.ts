import { distrolessLayer } from '../../layers/index.js';
import { serverImage } from '../../programs/server.js';

export const image = serverImage(
  {
    names: ['registry.k8s.io/coredns/coredns', 'coredns/coredns', 'k8s.gcr.io/coredns/coredns'],
    tags: /^(latest|v?1\.\d{1,2}\.\d{1,2})$/,
    layersMB: [0.4, 22.3],
    files: distrolessLayer,
    commands: 'any',
    config: { exposedPorts: [53], entrypoint: ['/coredns'], user: 'nonroot' },
  },
  {
    ports: [53, 8080, 8181, 9153],
    readyAfterMs: 250,
    // The health plug-in's lameduck.
    stop: { afterMs: 5000, code: 0 },
    log: ({ container }) => [
      '.:53',
      '[INFO] plugin/reload: Running configuration SHA512 = 1b226df79860026c6a52e67daa10d7f0d57ec5b023288ec00c5e05f93523c894564e15b91770d3a07ae1cfbe861d15b37d4a0027e69c546ab112970993a3b03b',
      `CoreDNS-${/:v?(\d+\.\d+\.\d+)/.exec(container.image ?? '')?.[1] ?? '1.13.1'}`,
      'linux/amd64, go1.25.2, 1db4568',
    ],
  },
);
