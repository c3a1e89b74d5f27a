import { scratchLayer } from '../../layers/index.js';
import { serverImage } from '../../programs/server.js';

export const image = serverImage(
  {
    names: [
      'registry.k8s.io/pause',
      'k8s.gcr.io/pause',
      'gcr.io/google_containers/pause',
      'gcr.io/google-containers/pause',
    ],
    tags: /^(latest|\d\.\d{1,2}(\.\d)?|go)$/,
    layersMB: [0.32],
    files: scratchLayer,
    commands: 'any',
    config: { entrypoint: ['/pause'] },
  },
  { readyAfterMs: 5 },
);
