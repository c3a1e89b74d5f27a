import { serverImage, utc } from '../../programs/server.js';

/** Google's sample web servers. */
export const image = serverImage(
  {
    names: ['gcr.io/google-samples/hello-app', 'us-docker.pkg.dev/google-samples/containers/gke/hello-app', 'gcr.io/google-samples/node-hello', 'gcr.io/google-samples/kubernetes-bootcamp', 'docker.io/jocatalin/kubernetes-bootcamp', 'gcr.io/google-samples/gb-frontend', 'us-docker.pkg.dev/google-samples/containers/gke/gb-frontend', 'registry.k8s.io/hpa-example', 'registry.k8s.io/goproxy'],
    tags: /^(latest|v?\d+(\.\d+){0,2})$/,
    layersMB: [2.8, 9.6],
    config: { exposedPorts: [8080] },
  },
  { ports: [8080, 80], declared: true, probed: true, readyAfterMs: 60, log: ({ at }) => [`${utc(at).slashed} Server listening on port 8080`] },
);
