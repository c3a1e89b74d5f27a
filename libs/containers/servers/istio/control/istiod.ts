import {
  Secrets,
  type Client,
  type PodHttpAnswer,
  type PodHttpRequest,
  type Reader,
  type Start,
} from '@terrarium/engine';
import { ConfigMaps, Namespaces } from '../../../../engine/kinds/index.js';
import { admission } from '../../../programs/review.js';
import { pem, tolerating, trust } from '../../../programs/authority.js';
import { injectorOf, injectPod } from './inject.js';
import { validateObject } from './validate.js';

export const ISTIOD_PORTS = [8_080, 15_010, 15_012, 15_014, 15_017];
const ROOT_CERT = 'istio-ca-root-cert';
const SECRET = 'istio-ca-secret';
const WEBHOOK_PORT = 15_017;
const IGNORED = new Set(['kube-system', 'kube-public', 'kube-node-lease', 'local-path-storage']);

/** What istiod keeps true: its authority in every namespace, and that the API server trusts its webhooks. */
export function tendIstiod(api: Client, start: Start): boolean {
  return tolerating(() => {
    const { namespace, revision } = injectorOf(start);
    const authority = keepAuthority(api, namespace);
    for (const { metadata } of api.list(Namespaces)) {
      if (metadata.deletionTimestamp || IGNORED.has(metadata.name ?? '')) continue;
      keepRootCert(api, metadata.name ?? '', atob(authority));
    }
    const suffix = revision === 'default' ? '' : `-${revision}`;
    for (const name of [`istio-sidecar-injector${suffix}`, `istio-sidecar-injector${suffix}-${namespace}`])
      trust(api, 'mutating', name, authority);
    for (const name of [`istio-validator${suffix}-${namespace}`, 'istiod-default-validator'])
      trust(api, 'validating', name, authority, 'Fail');
    return true;
  });
}

/** The authority's certificate, in base64. Models security/pkg/pki/ca NewSelfSignedIstioCAOptions. */
function keepAuthority(api: Client, namespace: string): string {
  const found = api.get(Secrets, { namespace, name: SECRET });
  const known = found?.data?.['ca-cert.pem'];
  if (known) return known;
  const cert = pem('CERTIFICATE', 'O = cluster.local');
  const data = {
    'ca-cert.pem': cert,
    'ca-key.pem': pem('RSA PRIVATE KEY', 'O = cluster.local'),
    ...{ 'cert-chain.pem': '', 'key.pem': '', 'root-cert.pem': '' },
  };
  api.create(Secrets, {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: SECRET, namespace } },
    ...{ type: 'istio.io/ca-root', data },
  });
  return cert;
}

function keepRootCert(api: Client, namespace: string, cert: string): void {
  const found = api.get(ConfigMaps, { namespace, name: ROOT_CERT });
  if (found?.data?.['root-cert.pem'] === cert) return;
  const data = { ...found?.data, 'root-cert.pem': cert };
  if (found) api.update(ConfigMaps, { ...found, data });
  else
    api.create(ConfigMaps, {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', data },
      metadata: { name: ROOT_CERT, namespace, labels: { 'istio.io/config': 'true' } },
    });
}

const text = (body: string, status = 200): PodHttpAnswer => ({
  ...{ status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body },
});

/** Its answers: webhooks, health and version. What proxies ask of it (15010, 15012) is not spoken. */
export function answerIstiod(request: PodHttpRequest, start: Start, read: Reader): PodHttpAnswer {
  const { port, path } = request;
  const route = path.split('?', 1)[0] ?? '';
  if (port === WEBHOOK_PORT) {
    if (route === '/inject' || route.startsWith('/inject/'))
      return admission(request, (asked) => injectPod(asked, start, read));
    if (route === '/validate' || route.startsWith('/validate/'))
      return admission(request, (asked) => validateObject(asked));
  }
  if (route === '/ready' && (port === 8_080 || port === WEBHOOK_PORT)) return text('');
  if (route === '/httpsReady' && port === WEBHOOK_PORT) return text('');
  if (route === '/version') return text(`${versionOf(start)}-Clean`);
  if (route === '/metrics') return text(`istio_build{component="pilot",tag="${versionOf(start)}"} 1\n`);
  return text('404 page not found\n', 404);
}

const versionOf = ({ container }: Start): string =>
  (container.image ?? '')
    .split(':')
    .at(-1)!
    .replace(/-(distroless|debug)$/, '');

export function istiodLines(start: Start): readonly string[] {
  const at = `${new Date(start.at).toISOString().slice(0, 23)}000Z`;
  const line = (words: string): string => `${at}\tinfo\t${words}`;
  return [
    line(`initializing Istiod with version ${versionOf(start)}-Clean`),
    line('initializing mesh configuration ./etc/istio/config/mesh'),
    line(
      'Telemetry, WasmPlugin, EnvoyFilter, RequestAuthentication, Sidecar, Gateway API: not simulated, without effect',
    ),
    line('Starting Istiod Server with primary cluster Kubernetes'),
    line('initializing secure discovery service'),
    line('starting secure gRPC discovery service at [::]:15012'),
    line('starting webhook service at [::]:15017'),
    line('All caches have been synced up, marking server ready'),
  ];
}
