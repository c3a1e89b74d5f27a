import type { Client, Image, PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { LOAD_BALANCERS } from '../../../engine/node/kubelet/container/wakes.js';
import { distrolessLayer } from '../../layers/index.js';
import { ensureSecret, ownCertificates, tolerating, trust } from '../../programs/authority.js';
import { admission, ALLOWED, type Asked, type Decision } from '../../programs/review.js';
import { serverImage, utc } from '../../programs/server.js';
import { flag } from '../../programs/task.js';
import { allocateAddresses } from './allocate.js';
import { parseRange } from './pools.js';

const TAGS = /^(latest|main|v?\d+\.\d+\.\d+(-[\w.]+)?)$/;
const VERSION = '0.15.2';
const WEBHOOK_PORT = 9443;

const firstLine =
  (program: string) =>
  ({ at }: Start): readonly string[] => [
    `{"branch":"dev","caller":"main.go:178","commit":"dev","goversion":"gc / go1.24.5 / amd64","level":"info",` +
      `"msg":"MetalLB ${program} starting (commit dev, branch dev)","ts":"${utc(at).iso.slice(0, 19)}Z","version":"${VERSION}"}`,
  ];

const controller = serverImage(
  {
    names: ['quay.io/metallb/controller'],
    tags: TAGS,
    layersMB: [0.8, 26.2],
    files: distrolessLayer,
    commands: 'any',
    config: { entrypoint: ['/controller'] },
  },
  {
    ...{ declared: true, probed: true, ports: [WEBHOOK_PORT], readyAfterMs: 1_500 },
    log: firstLine('controller'),
    serve: answer,
    wakes: [LOAD_BALANCERS, 'ipaddresspools.metallb.io'],
    tends: (api, start, tools) =>
      tolerating(() => {
        const isTrusted = keepAuthority(api, start);
        allocateAddresses(api, tools, flag(start, 'lb-class'));
        return isTrusted;
      }),
  },
);

const speaker = serverImage(
  {
    names: ['quay.io/metallb/speaker'],
    tags: TAGS,
    layersMB: [0.8, 47.9],
    files: distrolessLayer,
    commands: 'any',
    config: { entrypoint: ['/speaker'] },
  },
  { declared: true, probed: true, readyAfterMs: 1_500, log: firstLine('speaker'), serve: answer },
);

/** Its webhook has certificates of its own. Models metallb's internal/k8s/webhooks. */
function keepAuthority(api: Client, { pod }: Start): boolean {
  const data = ensureSecret(api, { namespace: pod.namespace, name: 'metallb-webhook-cert' }, () =>
    ownCertificates(`metallb-webhook-service.${pod.namespace}.svc`),
  );
  return trust(api, 'validating', 'metallb-webhook-configuration', data['ca.crt']!);
}

function answer(request: PodHttpRequest): PodHttpAnswer {
  const path = request.path.split('?', 1)[0] ?? '';
  if (path === '/validate-metallb-io-v1beta1-ipaddresspool') return admission(request, judgePool);
  if (path.startsWith('/validate-')) return admission(request, () => ALLOWED);
  if (path === '/metrics' || path === '/readyz' || path === '/healthz')
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
  return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '404 page not found\n' };
}

/** Every range of a pool has to be one. */
function judgePool({ object, name = '' }: Asked): Decision {
  const spec = object?.['spec'] as { addresses?: unknown } | undefined;
  const addresses = Array.isArray(spec?.addresses) ? (spec.addresses as unknown[]).map(String) : [];
  const wrong = addresses.find((text) => !text.includes(':') && !parseRange(text));
  if (wrong === undefined) return ALLOWED;
  const why = `invalid CIDR "${wrong}" in pool "${name}": invalid CIDR "${wrong}"`;
  return { allowed: false, status: { message: `parsing address pool ${name}: ${why}`, code: 403 } };
}

const BY_NAME: Readonly<Record<string, Image>> = { controller, speaker };

/**
 * MetalLB: its controller gives Services addresses of its pools, its webhook judges the pools. Left out: BGP, shared
 * addresses, the sixth version; an address is reached from outside whether it is advertised or not.
 */
export const image: Image = {
  ...controller,
  repositories: [...controller.repositories, ...speaker.repositories],
  start: (start) =>
    BY_NAME[/metallb\/(controller|speaker)/.exec(start.container.image ?? '')?.[1] ?? 'controller']!.start(start),
};
