import { OF_ONE_HOP } from '../proxy/hops.js';
import type { Start } from '@terrarium/engine';
import type { AnswerParts } from '../../../engine/node/cni/http-bytes.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import { httpDate } from '../http.js';
import { localTime } from '../ingress/nginx/log-line.js';
import type { Forward, Look, Outcome, ProxyRequest, Step } from '../proxy/proxy.js';
import { answerApi } from './api.js';
import { failed, NOT_FOUND, plain, redirectTo } from './answers.js';
import { chainOf, middlewaresOf, passThrough } from './middlewares.js';
import { chooseRouter, INTERNAL_API, routersOf, serversOf, type Router, type Target } from './routers.js';
import { matches } from './rules.js';
import { API_ENTRY, staticOf, type Static } from './static.js';

const TIMEOUT = 60_000;
/** What is kept of a request while a server has it: plain data. */
type Note = { added: Record<string, string>; router: string; server: string; user: string };

const hostOf = ({ headers }: ProxyRequest): string => (headers['host'] ?? '').replace(/:\d{1,5}$/, '').toLowerCase();

/** What Traefik does with a request, by the routers of the moment. */
export function takeRequest(start: Start, request: ProxyRequest, look: Look): Step {
  const config = staticOf(start);
  const entry = config.entryPoints.find(({ port }) => port === request.port);
  const note: Note = { added: {}, router: '-', server: '-', user: '-' };
  if (!entry) return finishWith(config, request, NOT_FOUND, note, look);
  if (entry.name === API_ENTRY) {
    const own = answerOwn(start, config, request, look);
    if (own) return { answer: dated(own, look) };
  }
  if (entry.redirect) {
    const { scheme, port, isPermanent } = entry.redirect;
    const target = `${scheme}://${hostOf(request)}${port === '' ? '' : `:${port}`}${request.path}`;
    return finishWith(config, request, redirectTo(isPermanent ? 301 : 302, target), note, look);
  }
  const routers = routersOf(look.read, config, look.now).map((router) =>
    entry.isTls && !router.isTls ? { ...router, isTls: true } : router,
  );
  const host = hostOf(request);
  const router = chooseRouter(routers, entry.name, request.scheme === 'https', (rule) => matches(rule, request, host));
  if (!router) return finishWith(config, request, NOT_FOUND, note, look);
  return route(start, config, router, request, { ...note, router: router.name }, look);
}

/** Its API and health, at its own entry point. */
function answerOwn(start: Start, config: Static, request: ProxyRequest, look: Look): AnswerParts | undefined {
  const [path] = request.path.split('?', 1);
  if (config.hasPing && path === '/ping')
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'OK' };
  return config.isInsecure ? answerApi(start, config, request.path, look) : undefined;
}

function route(start: Start, config: Static, router: Router, request: ProxyRequest, note: Note, look: Look): Step {
  const chain = chainOf(router.middlewares, middlewaresOf(look.read, config), config);
  // A router that cannot be built is not there.
  if (typeof chain === 'string') return finishWith(config, request, NOT_FOUND, note, look);
  const passed = passThrough(chain, request, look);
  if ('answer' in passed) return finishWith(config, request, passed.answer, note, look);
  const own: Note = { ...note, added: { ...passed.added }, user: passed.user || '-' };
  if (router.service === INTERNAL_API) {
    const answer = (config.hasApi && answerApi(start, config, passed.request.path, look)) || NOT_FOUND;
    return finishWith(config, request, answer, own, look);
  }
  const chosen = chooseServer(router, look);
  if (!chosen) return finishWith(config, request, plain(503, 'no available server'), own, look);
  return { forward: forwardTo(start, chosen, passed.request, own) };
}

interface Chosen {
  readonly target: Target;
  readonly address: string;
  readonly port: number;
}

/** Services by their weights, the servers of one in turn. */
function chooseServer({ targets, service }: Router, look: Look): Chosen | undefined {
  const alive = targets
    .map((target) => ({ target, servers: serversOf(look.read, target, look.now) }))
    .filter(({ servers, target }) => servers.length > 0 && target.weight > 0);
  const whole = alive.reduce((total, { target }) => total + target.weight, 0);
  if (whole === 0) return undefined;
  const turns = (look.memory['turns'] ??= {}) as Record<string, number>;
  const turn = (turns[service] = (turns[service] ?? -1) + 1);
  const picked = pickByWeight(
    alive.map(({ target }) => target.weight / whole),
    turn,
  );
  const { target, servers } = alive[picked]!;
  const key = `${service} ${target.namespace}/${target.ref.name}`;
  const next = (turns[key] = (turns[key] ?? -1) + 1);
  const { address, port } = servers[next % servers.length]!;
  return { target, address, port };
}

/** Whose turn it is when each comes as often as its share says, as evenly as can be: the one furthest behind. */
function pickByWeight(shares: readonly number[], turn: number): number {
  const cycle = turn % 100;
  const given = shares.map(() => 0);
  let picked = 0;
  for (let i = 0; i <= cycle; i++) {
    const behind = shares.map((share, index) => share * (i + 1) - given[index]!);
    picked = behind.indexOf(Math.max(...behind));
    given[picked]!++;
  }
  return picked;
}

/** Models pkg/middlewares/forwardedheaders and pkg/proxy. */
function forwardTo(start: Start, { target, address, port }: Chosen, request: ProxyRequest, note: Note): Forward {
  const { headers, scheme, client, method, path, body } = request;
  const sent = Object.entries(headers).filter(
    ([name]) => !OF_ONE_HOP.has(name) && !/^x-forwarded-(for|host|port|proto|server)$/.test(name),
  );
  const host = headers['host'] ?? '';
  const isTls = target.ref.scheme === 'https' || target.ref.port === 443 || target.ref.port === 'https';
  const own: Note = { ...note, server: `${isTls ? 'https' : 'http'}://${address}:${port}` };
  return {
    ...{ address, port, isTls, method, path, body, timeout: TIMEOUT, note: own as unknown as Plain },
    headers: {
      ...Object.fromEntries(sent),
      ...{
        host: target.ref.passHostHeader === false ? `${address}:${port}` : host,
        'accept-encoding': headers['accept-encoding'] ?? 'gzip',
      },
      ...{ 'x-forwarded-for': client, 'x-forwarded-host': host, 'x-forwarded-port': scheme === 'https' ? '443' : '80' },
      ...{ 'x-forwarded-proto': scheme, 'x-forwarded-server': start.pod.name, 'x-real-ip': client },
    },
  };
}

/** What comes of the answer of a server. */
export function finishRequest(
  start: Start,
  request: ProxyRequest,
  forward: Forward,
  outcome: Outcome,
  look: Look,
): Step {
  const note = forward.note as unknown as Note;
  const config = staticOf(start);
  if ('answer' in outcome) {
    const headers = { ...outcome.answer.headers, ...note.added };
    return finishWith(config, request, { ...outcome.answer, headers }, note, look);
  }
  return finishWith(config, request, failed(outcome.failure === 'timeout' ? 504 : 502), note, look);
}

const dated = (parts: AnswerParts, { now }: Look): AnswerParts => ({
  ...parts,
  headers: { date: httpDate(now), ...parts.headers },
});

/** With a line in the common format of access logs, where they are on. */
function finishWith({ hasAccessLog }: Static, request: ProxyRequest, parts: AnswerParts, note: Note, look: Look): Step {
  const answer = dated(parts, look);
  if (!hasAccessLog) return { answer };
  const { client, method, path, headers, at } = request;
  const count = ((look.memory['count'] as number | undefined) ?? 0) + 1;
  look.memory['count'] = count;
  const line =
    `${client} - ${note.user} [${localTime(at)}] "${method} ${path} HTTP/1.1" ${parts.status} ${parts.body?.length ?? 0} ` +
    `"${headers['referer'] ?? '-'}" "${headers['user-agent'] ?? '-'}" ${count} "${note.router}" "${note.server}" ${look.now - at}ms`;
  return { answer, line };
}
