import { distrolessLayer, executable, joinLayers } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';

const SIZE = 58_000_000;

/** Kubernetes' example of an API server behind the aggregation layer: its program keeps its objects in etcd. */
export const image = toolImage({
  names: ['registry.k8s.io/e2e-test-images/sample-apiserver', 'k8s.gcr.io/e2e-test-images/sample-apiserver'],
  tags: /^(latest|\d+(\.\d{1,3}){0,2})$/,
  layersMB: [0.8, 21.6],
  files: joinLayers(distrolessLayer, { '/sample-apiserver': executable('wardle:sample-apiserver', SIZE) }),
  config: { entrypoint: ['/sample-apiserver'] },
});
