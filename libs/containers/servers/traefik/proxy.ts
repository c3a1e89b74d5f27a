import type { LogLine, Reader, Start } from '@terrarium/engine';
import { commonName } from '../../../engine/machinery/crypto/x509/name.js';
import { sha256 } from '../../../engine/machinery/crypto/sha256.js';
import type { Resource } from '../../../engine/machinery/resource.js';
import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import type { ServerHello } from '../../../engine/node/cni/tls.js';
import { hex } from '../../tools/openssl/show.js';
import { helloOfSecret, isForName, selfSignedHello } from '../ingress/certificates.js';
import type { Look, Proxy } from '../proxy/proxy.js';
import { NOT_FOUND, plain } from './answers.js';
import { versionOf } from './api.js';
import { ingressRoutesOf, selectedIngresses } from './routers.js';
import { finishRequest, takeRequest } from './serve.js';
import { staticOf, type Static } from './static.js';

export const READY_MS = 1_200;

interface Store extends KubeObject {
  readonly spec: { readonly defaultCertificate?: { readonly secretName?: string } };
}
const STORES: readonly Resource<Store>[] = ['traefik.io', 'traefik.containo.us'].map((group) => ({
  ...{ group, version: 'v1alpha1', kind: 'TLSStore', plural: 'tlsstores', scope: 'Namespaced' as const },
}));

/** Traefik, with the configuration that its providers read from the cluster. */
export function traefikProxy(start: Start): Proxy {
  const config = staticOf(start);
  return {
    ports: config.entryPoints.map(({ port }) => port),
    ownPorts: [],
    tlsPorts: config.entryPoints.filter(({ isTls }) => isTls).map(({ port }) => port),
    readyAfterMs: READY_MS,
    hello: (serverName, look) => helloFor(start, config, serverName.toLowerCase(), look),
    take: (request, look) => takeRequest(start, request, look),
    finish: (request, forward, outcome, look) => finishRequest(start, request, forward, outcome, look),
    lines: () => startLines(start, config),
    refuse: (isPlain) => (isPlain ? NOT_FOUND : plain(400, '400 Bad Request')),
  };
}

/** The certificate that is for the name, of all that Ingresses and routes name; else the store's, else its own. */
function helloFor(start: Start, config: Static, name: string, look: Look): ServerHello {
  const { read } = look;
  const secrets = [
    ...selectedIngresses(read, config).flatMap(({ metadata, spec }) =>
      (spec.tls ?? []).map(({ secretName }) => [metadata.namespace ?? '', secretName] as const),
    ),
    ...ingressRoutesOf(read, config).map(
      ({ metadata, spec }) => [metadata.namespace ?? '', spec.tls?.secretName] as const,
    ),
  ];
  for (const [namespace, secret] of secrets) {
    const found = secret ? helloOfSecret(read, namespace, secret) : undefined;
    if (found && isForName(found, name)) return found;
  }
  return storeHello(read) ?? ownHello(start, look);
}

/** Of the TLSStore that is called default. */
function storeHello(read: Reader): ServerHello | undefined {
  const store = STORES.flatMap((resource) => [...read.list(resource)]).find(
    ({ metadata }) => metadata.name === 'default',
  );
  const secret = store?.spec.defaultCertificate?.secretName;
  return secret ? helloOfSecret(read, store?.metadata.namespace ?? '', secret) : undefined;
}

/** Models pkg/tls/generate: a name of 64 random digits. */
function ownHello(start: Start, look: Look): ServerHello {
  const digits = hex(sha256(start.seed));
  const name = `${digits.slice(0, 32)}.${digits.slice(32)}.traefik.default`;
  look.memory['hello'] ??= selfSignedHello(start, commonName('TRAEFIK DEFAULT CERT'), name) as never;
  return look.memory['hello'] as unknown as ServerHello;
}

function startLines(start: Start, config: Static): readonly LogLine[] {
  const at = `${new Date(start.at).toISOString().slice(0, 19)}Z`;
  const line = (text: string): LogLine => ({ at: 0, text: `${at} INF ${text}` });
  return [
    line(`Traefik version ${versionOf(start)} built on 2026-07-01T00:00:00Z version=${versionOf(start)}`),
    line('Starting provider aggregator *aggregator.ProviderAggregator'),
    ...config.providers.map((name) =>
      line(name === 'kubernetes' ? 'Starting provider *ingress.Provider' : 'Starting provider *crd.Provider'),
    ),
  ];
}
