import { distrolessLayer } from '../../layers/index.js';
import type { Client, PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { ensureSecret, ownCertificates, tolerating, trust } from '../../programs/authority.js';
import { admission, ALLOWED, type Asked, type Decision } from '../../programs/review.js';
import { serverImage } from '../../programs/server.js';
import { flag } from '../../programs/task.js';

const SECRET = 'gatekeeper-webhook-server-cert';
const IGNORE = 'admission.gatekeeper.sh/ignore';

const answersReviews = ({ argv }: Start): boolean =>
  argv.includes('--operation=webhook') || !argv.some((a) => a.startsWith('--operation='));

/**
 * Open Policy Agent's Gatekeeper: makes its own certificates and has the API server trust them.
 * Left out: constraints, so that it allows everything but namespaces that exempt themselves.
 */
export const image = serverImage(
  {
    names: ['openpolicyagent/gatekeeper'],
    tags: /^v\d+(\.\d+){0,2}(-[\w.]+)?$/,
    layersMB: [0.8, 21.4],
    files: distrolessLayer,
    commands: 'any',
    config: { user: '65532', entrypoint: ['/manager'] },
  },
  {
    declared: true,
    probed: true,
    portsOf: (start) => (answersReviews(start) ? [Number(flag(start, 'port', '443'))] : []),
    readyAfterMs: 2500,
    tends: (api, start) => !answersReviews(start) || tolerating(() => keepAuthority(api, start)),
    serve: answer,
  },
);

function keepAuthority(api: Client, { pod }: Start): boolean {
  const data = ensureSecret(api, { namespace: pod.namespace, name: SECRET }, () =>
    ownCertificates(`gatekeeper-webhook-service.${pod.namespace}.svc`),
  );
  const done = (['validating', 'mutating'] as const).map((sort) =>
    trust(api, sort, `gatekeeper-${sort}-webhook-configuration`, data['ca.crt']!),
  );
  return done[0]!;
}

function answer(request: PodHttpRequest, start: Start): PodHttpAnswer {
  switch (request.path.split('?', 1)[0]) {
    case '/v1/admit':
    case '/v1/mutate':
      return admission(request, () => ALLOWED);
    case '/v1/admitlabel':
      return admission(request, (asked) => judgeNamespace(asked, start));
    case '/healthz':
    case '/readyz':
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
    default:
      return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '404 page not found\n' };
  }
}

/** Only namespaces that the operator has exempted may be ignored. */
function judgeNamespace({ name, object }: Asked, { argv }: Start): Decision {
  if (object?.metadata?.labels?.[IGNORE] === undefined || argv.includes(`--exempt-namespace=${name}`)) return ALLOWED;
  return { allowed: false, status: { reason: `Only exempt namespace can have the ${IGNORE} label`, code: 403 } };
}
