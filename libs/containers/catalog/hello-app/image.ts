import { distrolessLayer } from '../../layers/index.js';
import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { serverImage, utc } from '../../programs/server.js';

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** Each sample greets in its own words. */
function greet(_request: PodHttpRequest, { container, pod }: Start): PodHttpAnswer {
  const [name = '', version = '1.0'] = (container.image ?? '').split('/').at(-1)!.split(':');
  if (name === 'hello-app')
    return {
      status: 200,
      headers: TEXT,
      body: `Hello, world!\nVersion: ${/^v?2/.test(version) ? '2.0.0' : '1.0.0'}\nHostname: ${pod.name}\n`,
    };
  if (name === 'kubernetes-bootcamp')
    return {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: `Hello Kubernetes bootcamp! | Running on: ${pod.name} | v=${/^v?2/.test(version) ? 2 : 1}\n`,
    };
  if (name === 'node-hello')
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'Hello Kubernetes!' };
  return name === 'hpa-example'
    ? { status: 200, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: 'OK!' }
    : { status: 200 };
}

/** Google's sample web servers. */
export const image = serverImage(
  {
    names: [
      'gcr.io/google-samples/hello-app',
      'us-docker.pkg.dev/google-samples/containers/gke/hello-app',
      'gcr.io/google-samples/node-hello',
      'gcr.io/google-samples/kubernetes-bootcamp',
      'docker.io/jocatalin/kubernetes-bootcamp',
      'gcr.io/google-samples/gb-frontend',
      'us-docker.pkg.dev/google-samples/containers/gke/gb-frontend',
      'registry.k8s.io/hpa-example',
      'registry.k8s.io/goproxy',
    ],
    tags: /^(latest|v?\d+(\.\d+){0,2})$/,
    layersMB: [2.8, 9.6],
    files: distrolessLayer,
    commands: 'any',
    config: { exposedPorts: [8080] },
  },
  {
    ports: [8080, 80],
    declared: true,
    probed: true,
    readyAfterMs: 60,
    serve: greet,
    log: ({ at }) => [`${utc(at).slashed} Server listening on port 8080`],
  },
);
