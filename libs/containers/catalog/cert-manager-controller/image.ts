import type { Image, PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { CERT_MANAGER } from '../../../engine/node/kubelet/container/wakes.js';
import { distrolessLayer } from '../../layers/index.js';
import { tolerating } from '../../programs/authority.js';
import { serverImage } from '../../programs/server.js';
import { apiTask, flag } from '../../programs/task.js';
import { CHALLENGE_PATH } from '../../servers/cert-manager/acme/http-solver.js';
import { tendCertManager } from '../../servers/cert-manager/controller.js';

const TAGS = /^v\d+(\.\d+){0,2}(-[\w.]+)?$/;
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };
const NOT_FOUND: PodHttpAnswer = { status: 404, headers: PLAIN, body: '404 page not found\n' };

const spec = (name: string, program: string, megabytes: number) => ({
  ...{ names: [`quay.io/jetstack/cert-manager-${name}`], tags: TAGS, layersMB: [0.8, megabytes] },
  ...{ files: distrolessLayer, commands: 'any' as const },
  config: { user: '1000', entrypoint: [`/app/cmd/${program}/${program}`] },
});

const controller = serverImage(spec('controller', 'controller', 17.4), {
  ...{ ports: [9_402, 9_403], readyAfterMs: 1_400, wakes: [CERT_MANAGER] },
  tends: (api, start, tools) => tolerating(() => tendCertManager(api, start, tools)),
  serve: ({ path }) => (/^\/(livez|metrics)/.test(path) ? { status: 200, headers: PLAIN, body: 'ok' } : NOT_FOUND),
});

/** Answers one challenge. Models pkg/issuer/acme/http/solver. */
const solver = serverImage(spec('acmesolver', 'acmesolver', 6.1), {
  portsOf: (start) => [Number(flag(start, 'listen-port', '8089'))],
  readyAfterMs: 300,
  serve: answerChallenge,
});

export function answerChallenge({ path, headers }: PodHttpRequest, start: Start): PodHttpAnswer {
  const [asked] = path.split('?', 1);
  const headersOfAnswer = { ...PLAIN, 'cache-control': 'no-cache, no-store, must-revalidate' };
  if (asked === '/' || asked === '/healthz') return { status: 200, headers: headersOfAnswer, body: '' };
  const host = (headers?.['host'] ?? '').replace(/:\d{1,5}$/, '');
  const isAsked = asked === `${CHALLENGE_PATH}/${flag(start, 'token')}` && host === flag(start, 'domain');
  return isAsked ? { status: 200, headers: headersOfAnswer, body: flag(start, 'key') } : NOT_FOUND;
}

const ready = (start: Start) => apiTask([{ at: 300, text: 'The cert-manager API is ready' }], () => void start);

/**
 * cert-manager's controller: issuers that sign by themselves, by an authority in a Secret, and by ACME with HTTP-01;
 * Certificates, requests, Orders and Challenges; Certificates for Ingresses. Left out: Vault, Venafi, DNS-01, Gateways,
 * keystores, output formats, CertificateSigningRequests.
 */
export const image: Image = {
  ...controller,
  repositories: [
    ...controller.repositories,
    ...solver.repositories,
    ...['ctl', 'startupapicheck'].map((name) => `quay.io/jetstack/cert-manager-${name}`),
  ],
  start(start) {
    const name = /cert-manager-(acmesolver|ctl|startupapicheck)/.exec(start.container.image ?? '')?.[1];
    if (name === undefined) return controller.start(start);
    return name === 'acmesolver' ? solver.start(start) : start.argv.includes('check') ? ready(start) : undefined;
  },
};
