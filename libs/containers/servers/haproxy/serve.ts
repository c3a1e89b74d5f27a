import type { Reader, Start } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { Secrets } from '../../../engine/kinds/index.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import { compilePattern } from '../../../engine/machinery/text/regex.js';
import type { AnswerParts } from '../../../engine/node/cni/http-bytes.js';
import { flag } from '../../programs/task.js';
import { backendsOf, endpointsOf, type Backend } from '../ingress/backends.js';
import { ingressesOf } from '../ingress/ingresses.js';
import { credentialsOf } from '../ingress/nginx/access/access.js';
import { isInRanges } from '../ingress/nginx/config/annotations.js';
import { fill } from '../ingress/nginx/access/limits.js';
import { isPassword } from '../ingress/nginx/access/passwords.js';
import { matchPath, routesOf, routesOfHost, type Route } from '../ingress/nginx/routes.js';
import { textOfSecret } from '../ingress/secrets.js';
import type { Forward, Look, Outcome, ProxyRequest, Step } from '../proxy/proxy.js';
import { isTrue, rangesOf, rewritten, sayOf, timeOf, type Say } from './annotations.js';
import { DEFAULT_ANSWER, page, redirectTo } from './pages.js';

const CONTROLLER = 'haproxy.org/ingress-controller';
const SERVER_TIMEOUT = 50_000;
const OF_ONE_HOP = new Set(['connection', 'keep-alive', 'te', 'transfer-encoding', 'content-length']);

/** What is kept of a request while a server has it: plain data. */
type Note = { added: Record<string, string>; backend: string; server: string };

/** Models store.IsIngressClassSupported. */
export function servedIngresses(read: Reader, start: Start): Ingress[] {
  const own = flag(start, 'ingress.class');
  return ingressesOf(read, {
    ...{
      controller: own === '' ? CONTROLLER : `${CONTROLLER}/${own}`,
      className: own || 'haproxy',
      namespace: undefined,
    },
    takesWithoutClass:
      own === '' || flag(start, 'empty-ingress-class') === 'true' || start.argv.includes('--empty-ingress-class'),
  });
}

const hostOf = ({ headers }: ProxyRequest): string => (headers['host'] ?? '').replace(/:\d{1,5}$/, '').toLowerCase();

/** What HAProxy does with a request, by the Ingresses of the moment. */
export function takeRequest(start: Start, request: ProxyRequest, look: Look): Step {
  const host = hostOf(request);
  const found = matchPath(
    routesOfHost(routesOf(servedIngresses(look.read, start)), host),
    request.path.split('?', 1)[0]!,
  );
  const note: Note = { added: {}, backend: 'haproxy-controller_default-local-service_http', server: '<NOSRV>' };
  if (!found) return takeUnknown(start, request, note, look);
  const { route } = found;
  const say = sayOf(look.read, start, route.ingress);
  const namespace = route.ingress.metadata.namespace ?? '';
  const own: Note = { ...note, backend: backendName(namespace, route) };
  const refusal = refuse(say, route.ingress, request, host, look);
  if (refusal) return finishWith(request, refusal, own, look);
  const servers = endpointsOf(look.read, namespace, route.backend, look.now);
  const server = chooseServer(own.backend, servers, look);
  if (!server) return finishWith(request, page(503), own, look);
  return { forward: forwardTo(say, request, server, own) };
}

const backendName = (namespace: string, { backend }: Route): string =>
  `${namespace}_svc_${backend.service?.name ?? ''}_${backend.service?.port?.name ?? backend.service?.port?.number ?? ''}`;

/** Of --default-backend-service; else its own. */
function takeUnknown(start: Start, request: ProxyRequest, note: Note, look: Look): Step {
  const [namespace = '', name = ''] = flag(start, 'default-backend-service').split('/');
  if (name === '') return finishWith(request, DEFAULT_ANSWER, note, look);
  const server = chooseServer(name, backendsOf(look.read, namespace, name, { number: 80 }, look.now), look);
  return server
    ? { forward: forwardTo(() => undefined, request, server, note) }
    : finishWith(request, page(503), note, look);
}

/** Why a request is not passed on, in the order of its rules. */
function refuse(say: Say, ingress: Ingress, request: ProxyRequest, host: string, look: Look): AnswerParts | undefined {
  const denied = rangesOf(say('deny-list') ?? say('blacklist'));
  if (isInRanges(request.client, denied)) return page(403);
  const allowed = rangesOf(say('allow-list') ?? say('whitelist'));
  if (allowed.length > 0 && !isInRanges(request.client, allowed)) return page(403);
  return (
    limit(say, ingress, request, look) ??
    authenticate(say, ingress, request, look.read) ??
    redirect(say, ingress, request, host)
  );
}

/** rate-limit-requests in each rate-limit-period. */
function limit(say: Say, { metadata }: Ingress, { client }: ProxyRequest, look: Look): AnswerParts | undefined {
  const most = Number(say('rate-limit-requests') ?? 0);
  if (!(most > 0)) return undefined;
  const period = timeOf(say('rate-limit-period')) ?? 1_000;
  const zone = `${metadata.namespace}/${metadata.name} ${client}`;
  if (fill(look, zone, (most * 1_000) / period, most - 1)) return undefined;
  const status = Number(say('rate-limit-status-code') ?? 403);
  return page(status);
}

/** auth-type basic-auth: users are keys of a Secret, their values hashes. */
function authenticate(
  say: Say,
  { metadata }: Ingress,
  { headers }: ProxyRequest,
  read: Reader,
): AnswerParts | undefined {
  if (say('auth-type') !== 'basic-auth') return undefined;
  const [first = '', second] = (say('auth-secret') ?? '').split('/');
  const namespace = second === undefined ? (metadata.namespace ?? '') : first;
  const data = read.get(Secrets, { namespace, name: second ?? first })?.data ?? {};
  const [user, password] = credentialsOf(headers) ?? [];
  const hash =
    user === undefined ? undefined : textOfSecret(Object.hasOwn(data, user) ? data[user] : undefined)?.trim();
  if (hash !== undefined && password !== undefined && isPassword(password, hash) === true) return undefined;
  const realm = (say('auth-realm') ?? 'Protected Content').replaceAll(' ', '-');
  return page(401, { 'www-authenticate': `Basic realm="${realm}"` });
}

/** ssl-redirect, which an Ingress with TLS has by itself; request-redirect. */
function redirect(say: Say, { spec }: Ingress, { scheme, path }: ProxyRequest, host: string): AnswerParts | undefined {
  const asked = say('ssl-redirect');
  const isForced = asked === undefined ? (spec.tls ?? []).length > 0 : isTrue(asked);
  if (scheme === 'http' && isForced) {
    const port = say('ssl-redirect-port') ?? '8443';
    const code = Number(say('ssl-redirect-code') ?? 302);
    return redirectTo(code, `https://${host}:${port}${path}`);
  }
  const target = say('request-redirect');
  if (!target || target.split(':', 1)[0] === host) return undefined;
  return redirectTo(Number(say('request-redirect-code') ?? 302), `${scheme}://${target}${path}`);
}

/** One after the other. */
function chooseServer(backend: string, servers: readonly Backend[], { memory }: Look): Backend | undefined {
  if (servers.length === 0) return undefined;
  const turns = (memory['turns'] ??= {}) as Record<string, number>;
  const turn = (turns[backend] = (turns[backend] ?? -1) + 1);
  return servers[turn % servers.length];
}

function forwardTo(say: Say, request: ProxyRequest, { address, port }: Backend, note: Note): Forward {
  const { headers, method, body, path, scheme, client } = request;
  const at = path.indexOf('?');
  const [plain, query] = at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at)];
  const kept = Object.entries(headers).filter(([name]) => !OF_ONE_HOP.has(name));
  const set = linesOf(say('request-set-header'));
  const seen = isTrue(say('forwarded-for') ?? 'true');
  const own: Note = {
    ...note,
    added: Object.fromEntries(linesOf(say('response-set-header'))),
    server: `${address}:${port}`,
  };
  return {
    ...{ address, port, isTls: isTrue(say('server-ssl')), method, body, note: own as unknown as Plain },
    ...{
      path: rewritten(say('path-rewrite'), plain, compilePattern) + query,
      timeout: timeOf(say('timeout-server')) ?? SERVER_TIMEOUT,
    },
    headers: {
      ...Object.fromEntries(kept),
      ...{ host: say('set-host') ?? headers['host'] ?? '', 'x-forwarded-proto': scheme },
      ...(seen ? { 'x-forwarded-for': [headers['x-forwarded-for'], client].filter(Boolean).join(', ') } : {}),
      ...Object.fromEntries(set),
    },
  };
}

/** Lines of a name and a value. */
const linesOf = (text: string | undefined): [string, string][] =>
  (text ?? '').split('\n').flatMap((line): [string, string][] => {
    const trimmed = line.trim();
    const at = trimmed.search(/\s/);
    return at < 0
      ? []
      : [
          [
            trimmed.slice(0, at).toLowerCase(),
            trimmed
              .slice(at)
              .trim()
              .replace(/^"(.*)"$/, '$1'),
          ],
        ];
  });

/** What comes of the answer of a server. */
export function finishRequest(request: ProxyRequest, forward: Forward, outcome: Outcome, look: Look): Step {
  const note = forward.note as unknown as Note;
  if ('answer' in outcome) {
    const headers = { ...outcome.answer.headers, ...note.added };
    return finishWith(request, { ...outcome.answer, headers }, note, look);
  }
  const status = outcome.failure === 'timeout' ? 504 : outcome.failure === 'broken' ? 502 : 503;
  return finishWith(request, page(status), note, look);
}

/** With a line in the default format of its log. */
function finishWith(
  { client, clientPort, at, scheme, method, path }: ProxyRequest,
  answer: AnswerParts,
  note: Note,
  { now }: Look,
): Step {
  const date = new Date(at).toISOString();
  const month = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][
    Number(date.slice(5, 7)) - 1
  ]!;
  const time = `${date.slice(8, 10)}/${month}/${date.slice(0, 4)}:${date.slice(11, 23)}`;
  const size = answer.body?.length ?? 0;
  const line =
    `${client}:${clientPort} [${time}] ${scheme} ${note.backend}/${note.server} 0/0/0/${now - at}/${now - at} ${answer.status} ${size} ` +
    `- - ---- 1/1/0/0/0 0/0 "${method} ${path.replace(/["\\]/g, '')} HTTP/1.1"`;
  return { answer, line };
}
