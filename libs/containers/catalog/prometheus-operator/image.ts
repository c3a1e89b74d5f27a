import { distrolessLayer } from '../../layers/index.js';
import type { PodHttpAnswer, PodHttpRequest } from '@terrarium/engine';
import { admission, ALLOWED } from '../../programs/review.js';
import { serverImage } from '../../programs/server.js';

/**
 * The Prometheus operator, and its admission webhook by itself. Left out: what it makes of its resources; its webhook
 * allows everything.
 */
export const image = serverImage(
  {
    names: ['quay.io/prometheus-operator/prometheus-operator', 'quay.io/prometheus-operator/admission-webhook'],
    tags: /^v\d+(\.\d+){0,2}(-[\w.]+)?$/,
    layersMB: [0.8, 17.3],
    files: distrolessLayer,
    commands: 'any',
    config: { user: '65534', entrypoint: ['/bin/operator'] },
  },
  { ports: [8080], declared: true, probed: true, readyAfterMs: 1000, serve: answer },
);

function answer(request: PodHttpRequest): PodHttpAnswer {
  if (/^\/admission-/.test(request.path)) return admission(request, () => ALLOWED);
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
}
