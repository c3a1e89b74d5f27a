import type { Image, PodHttpAnswer, PodHttpRequest, Process, Start } from '@terrarium/engine';
import { GATEWAY_API } from '../../../engine/node/kubelet/container/wakes.js';
import { distrolessLayer } from '../../layers/index.js';
import { ensureSecret, ownCertificates } from '../../programs/authority.js';
import { serverImage, utc } from '../../programs/server.js';
import { apiTask, flag } from '../../programs/task.js';
import { isStatic, tendGateways } from './control-plane.js';
import { gatewayProxy, READY_MS, serveOwn } from './data-plane.js';

const TAGS = /^(edge|latest|v?\d+\.\d+\.\d+(-[\w.]+)?)$/;
const REPOSITORIES = ['ghcr.io/nginx/nginx-gateway-fabric', 'ghcr.io/nginxinc/nginx-gateway-fabric'];

const controlPlane = serverImage(
  {
    names: REPOSITORIES,
    tags: TAGS,
    layersMB: [0.8, 24.6],
    files: distrolessLayer,
    commands: 'any',
    config: { user: '101', entrypoint: ['/usr/bin/gateway'] },
  },
  {
    ...{ declared: true, probed: true, readyAfterMs: 1_500 },
    log: firstLines,
    serve: answer,
    wakes: [GATEWAY_API],
    tends: tendGateways,
  },
);

const dataPlane = serverImage(
  {
    names: REPOSITORIES.map((name) => `${name}/nginx`),
    tags: TAGS,
    layersMB: [3.4, 41.7, 12.8],
    files: distrolessLayer,
    commands: 'any',
    config: { user: '101', exposedPorts: [80, 443], entrypoint: ['/agent/entrypoint.sh'] },
  },
  { ...{ declared: true, ports: [8_081], readyAfterMs: READY_MS }, serve: serveOwn, proxy: gatewayProxy },
);

function firstLines(start: Start): readonly string[] {
  const { iso } = utc(start.at);
  const line = (logger: string, msg: string, more: object = {}): string =>
    JSON.stringify({ level: 'info', ts: `${iso.slice(0, 19)}Z`, ...(logger ? { logger } : {}), msg, ...more });
  const version = start.container.image?.split('@', 1)[0]?.split(':').at(-1) ?? '';
  return [
    line('', `Starting the NGINX Gateway Fabric control plane`, { version, commit: 'unknown', date: 'unknown' }),
    line('', 'Starting manager'),
    line('eventLoop', 'Starting event loop'),
  ];
}

function answer({ path }: PodHttpRequest): PodHttpAnswer {
  return path === '/readyz' || path.startsWith('/metrics')
    ? { status: 200, headers: { 'content-type': 'text/plain' }, body: '' }
    : { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '404 page not found\n' };
}

/** `generate-certs`: the two Secrets with which control plane and agents know each other. */
const generateCertificates = (start: Start): Process =>
  apiTask([], (api) => {
    const { namespace } = start.pod;
    for (const [name, host] of [
      [flag(start, 'server-tls-secret', 'server-tls'), `${flag(start, 'service')}.${namespace}.svc`],
      [flag(start, 'agent-tls-secret', 'agent-tls'), `*.${flag(start, 'cluster-domain', 'cluster.local')}`],
    ] as const) {
      ensureSecret(api, { namespace, name }, () => {
        const { 'ca.crt': ca, 'tls.crt': crt, 'tls.key': key } = ownCertificates(host);
        return { 'ca.crt': ca!, 'tls.crt': crt!, 'tls.key': key! };
      });
    }
  });

/**
 * NGINX Gateway Fabric: its control plane gives every Gateway an NGINX of its own, which passes on what its routes say.
 * Left out: its own policies and filters, BackendTLSPolicy, ListenerSets, TCP, UDP, HTTP/2.
 */
export const image: Image = {
  ...controlPlane,
  repositories: [...controlPlane.repositories, ...dataPlane.repositories],
  start(start) {
    if (start.container.image?.includes('/nginx-gateway-fabric/nginx')) return dataPlane.start(start);
    if (start.argv.includes('generate-certs')) return generateCertificates(start);
    if (start.argv.includes('initialize')) return apiTask([], () => {});
    return isStatic(start) || start.argv.includes('controller') ? controlPlane.start(start) : undefined;
  },
};
