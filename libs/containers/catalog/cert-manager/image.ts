import { distrolessLayer } from '../../layers/index.js';
import {
  Secrets,
  type Client,
  type Image,
  type PodHttpAnswer,
  type PodHttpRequest,
  type Start,
} from '@terrarium/engine';
import { ensureSecret, named, ownCertificates, tolerating, trustAnnotated } from '../../programs/authority.js';
import { admission, ALLOWED, conversion } from '../../programs/review.js';
import { serverImage } from '../../programs/server.js';
import { flag } from '../../programs/task.js';
import { mutate, validate } from './webhook.js';

const HEALTH_PORT = 6080;
const TAGS = /^v\d+(\.\d+){0,2}(-[\w.]+)?$/;

const cainjector = serverImage(
  {
    names: ['quay.io/jetstack/cert-manager-cainjector'],
    tags: TAGS,
    layersMB: [0.8, 13.2],
    files: distrolessLayer,
    commands: 'any',
    config: { user: '1000', entrypoint: ['/app/cmd/cainjector/cainjector'] },
  },
  {
    readyAfterMs: 1200,
    tends: (api) =>
      tolerating(() =>
        trustAnnotated(
          api,
          'cert-manager.io/inject-ca-from-secret',
          (text) => api.get(Secrets, named(text))?.data?.['ca.crt'],
        ),
      ),
  },
);

const webhook = serverImage(
  {
    names: ['quay.io/jetstack/cert-manager-webhook'],
    tags: TAGS,
    layersMB: [0.8, 15.1],
    files: distrolessLayer,
    commands: 'any',
    config: { user: '1000', entrypoint: ['/app/cmd/webhook/webhook'] },
  },
  {
    ports: [HEALTH_PORT],
    portsOf: (start) => [Number(flag(start, 'secure-port', '6443'))],
    readyAfterMs: 1500,
    tends: (api, start) => tolerating(() => keepAuthority(api, start)),
    serve: (request) => answer(request),
  },
);

/** The webhook signs its own serving certificate, by an authority that is in a Secret. */
function keepAuthority(api: Client, start: Start): boolean {
  const name = flag(start, 'dynamic-serving-ca-secret-name');
  const namespace = flag(start, 'dynamic-serving-ca-secret-namespace', start.pod.namespace);
  if (!name) return true;
  const annotations = { 'cert-manager.io/allow-direct-injection': 'true' };
  ensureSecret(
    api,
    { namespace, name },
    () => {
      const { 'ca.crt': ca, ...rest } = ownCertificates(start.pod.name);
      return { 'ca.crt': ca!, 'tls.crt': rest['tls.crt']!, 'tls.key': rest['tls.key']! };
    },
    annotations,
  );
  return true;
}

function answer(request: PodHttpRequest): PodHttpAnswer {
  switch (request.path.split('?', 1)[0]) {
    case '/mutate':
      return admission(request, mutate);
    case '/validate':
      return admission(request, (asked) => (asked.operation === 'DELETE' ? ALLOWED : validate(asked)));
    case '/convert':
      return conversion(request, (object) => object);
    case '/livez':
    case '/healthz':
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
    default:
      return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '404 page not found\n' };
  }
}

const BY_NAME: Readonly<Record<string, Image>> = { cainjector, webhook };

/**
 * cert-manager: its webhook checks and completes what users write, its injector has the API server trust the webhook.
 * Its controller is an image of its own.
 */
export const image: Image = {
  ...webhook,
  repositories: [...webhook.repositories, ...cainjector.repositories],
  start: (start) =>
    BY_NAME[/cert-manager-(cainjector|webhook)/.exec(start.container.image ?? '')?.[1] ?? 'webhook']!.start(start),
};
