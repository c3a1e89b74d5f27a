import type { PodHttpAnswer, PodHttpRequest } from '@terrarium/engine';
import { distrolessLayer } from '../../layers/index.js';
import { serverImage } from '../../programs/server.js';
import { flag } from '../../programs/task.js';
import { admitIngress } from '../../servers/ingress/admission.js';
import { passRequest } from '../../servers/ingress/nginx.js';
import { page } from '../../servers/ingress/pages.js';
import { tendStatus } from '../../servers/ingress/status.js';

const HEALTH_PORT = 10_254;
const HTTP_PORTS: readonly number[] = [80, 443];

/**
 * The NGINX ingress controller. Left out: limits of rates and sources, sessions, snippets, certificates, its log, and
 * passwords: where an Ingress asks for them nobody is let in.
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
    pass: (request, start, look) => {
      if (HTTP_PORTS.includes(request.port)) return passRequest(request, start, look);
      return request.port === HEALTH_PORT ? undefined : admitIngress(request, start, look);
    },
    tends: tendStatus,
  },
);

function answer(request: PodHttpRequest): PodHttpAnswer {
  if (request.port === HEALTH_PORT) return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
  // Whoever looks into its machine finds it apart from the cluster's Ingresses.
  return page(503);
}
