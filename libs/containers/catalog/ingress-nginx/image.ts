import { distrolessLayer } from '../../layers/index.js';
import type { PodHttpAnswer, PodHttpRequest } from '@terrarium/engine';
import { admission, ALLOWED } from '../../programs/review.js';
import { serverImage } from '../../programs/server.js';
import { flag } from '../../programs/task.js';

const HEALTH_PORT = 10254;
const NOT_FOUND =
  '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n';

/**
 * The NGINX ingress controller. Left out: routing by Ingresses, and the checks of its admission webhook: it allows
 * everything.
 */
export const image = serverImage(
  {
    names: ['registry.k8s.io/ingress-nginx/controller', 'k8s.gcr.io/ingress-nginx/controller'],
    tags: /^v\d+(\.\d+){0,2}(-[\w.]+)?$/,
    layersMB: [3.4, 51.2, 38.6, 21.9],
    files: distrolessLayer,
    commands: 'any',
    config: { user: '101', exposedPorts: [80, 443], entrypoint: ['/usr/bin/dumb-init', '--'] },
  },
  {
    ports: [80, 443, HEALTH_PORT],
    declared: true,
    portsOf: (start) =>
      flag(start, 'validating-webhook') ? [Number(flag(start, 'validating-webhook').split(':').at(-1))] : [],
    readyAfterMs: 2000,
    serve: answer,
  },
);

function answer(request: PodHttpRequest): PodHttpAnswer {
  if (request.port === HEALTH_PORT) return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
  if (request.port === 80 || request.port === 443)
    return { status: 404, headers: { 'content-type': 'text/html' }, body: NOT_FOUND };
  return admission(request, () => ALLOWED);
}
