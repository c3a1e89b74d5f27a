import type { Start } from '@terrarium/engine';
import type { Ingress } from '../../../../engine/api/networking_v1.js';
import { Secrets } from '../../../../engine/kinds/index.js';
import { sizeOfBody, type AnswerParts } from '../../../../engine/node/cni/http-bytes.js';
import type { Forward, Look, Outcome, ProxyRequest, Step } from '../../proxy/proxy.js';
import { httpDate } from '../../http.js';
import { helloOfHost } from '../certificates.js';
import { credentialsOf, refuseSource, refuseUser } from './access/access.js';
import { annotation, deniedBecause, isOn, numberOf, sizeOf } from './config/annotations.js';
import { authForward, judge } from './access/auth-url.js';
import { refuseCertificate } from './access/client-certificates.js';
import { configOf, hstsOf } from './config/config-map.js';
import { corsHeaders } from './access/cors.js';
import { DEFAULT_BACKEND, defaultBackend, errorForward, isReplaced, standInForward } from './error-pages.js';
import { isTooMuch, zoneOf } from './access/limits.js';
import { accessLine } from './log-line.js';
import { asPlain, newNote, noteOf, upstreamOf, type Note } from './note.js';
import { page } from './pages.js';
import { backendForward, mirrorOf } from './pass.js';
import { planOf, type Plan } from './config/plan.js';
import { redirect } from './redirects.js';

const MAX_BODY = 1_048_576;
const TRIES = 3;

/** What ingress-nginx does with a request to its ports 80 and 443. */
export function takeRequest(start: Start, request: ProxyRequest, look: Look): Step {
  const note = newNote(look, request);
  const plan = planOf(look.read, start, request);
  if (!plan) return takeUnknown(start, request, note, look);
  const { ingress } = plan.match.route;
  const refusal = refuse(plan, request, note, look);
  if (refusal) return answer(start, plan, request, refusal, note, look);
  note.zone = zoneOf(ingress, request);
  if (annotation(ingress, 'auth-url') === undefined) return toBackend(start, plan, request, note, look);
  const forward = authForward(ingress, request);
  if (!forward) return answer(start, plan, request, page(503), note, look);
  note.phase = 'auth';
  return { forward: { ...forward, note: asPlain(note) } };
}

/** Why an Ingress does not pass a request on: in the order of nginx's phases. */
function refuse(plan: Plan, request: ProxyRequest, note: Note, look: Look): AnswerParts | undefined {
  const { ingress } = plan.match.route;
  const unproven = refuseCertificate(look.read, ingress, request, look.now);
  if (unproven) return unproven;
  const limit = sizeOf(annotation(ingress, 'proxy-body-size')) ?? MAX_BODY;
  if (limit > 0 && request.body.length > limit) return page(413);
  const { read } = look;
  const hasSecret = (namespace: string, name: string): boolean => read.get(Secrets, { namespace, name }) !== undefined;
  if (deniedBecause(ingress, hasSecret) !== undefined) return page(503);
  if (request.method === 'OPTIONS' && isOn(ingress, 'enable-cors'))
    return { status: 204, headers: { 'content-type': 'text/plain charset=UTF-8' } };
  const hasCertificate = helloOfHost(read, ingress, plan.host) !== undefined;
  const found = redirect(request, ingress, plan.host, hasCertificate);
  if (found) return found;
  if (isTooMuch(ingress, request, look)) return page(503);
  const refused = refuseSource(ingress, request) ?? refuseUser(read, ingress, request);
  if (!refused && annotation(ingress, 'auth-type') !== undefined) note.user = credentialsOf(request.headers)?.[0] ?? '';
  return refused;
}

/** Of --default-backend-service; else its own page. */
function takeUnknown(start: Start, request: ProxyRequest, note: Note, look: Look): Step {
  const backend = defaultBackend(start, look)?.backend;
  note.name = DEFAULT_BACKEND;
  if (!backend) return finishWith(request, page(404), note, look);
  const { method, path, headers, body } = request;
  const { 'content-length': _length, ...sent } = headers;
  return {
    forward: {
      ...{ address: backend.address, port: backend.port, isTls: false, method, path, headers: sent, body },
      ...{ timeout: 65_000, note: asPlain(note) },
    },
  };
}

function toBackend(start: Start, plan: Plan, request: ProxyRequest, note: Note, look: Look): Step {
  const forward = backendForward(plan, request, note, look) ?? standInForward(plan, request, note, look);
  if (!forward) return answer(start, plan, request, page(503), note, look);
  const copies = note.tries.length === 0 ? mirrorOf(plan.match.route.ingress, request, note) : [];
  return copies.length === 0 ? { forward } : { forward, copies };
}

/** What comes of the answer of a server that was asked. */
export function finishRequest(
  start: Start,
  request: ProxyRequest,
  forward: Forward,
  outcome: Outcome,
  look: Look,
): Step {
  const note = noteOf(forward);
  const plan = planOf(look.read, start, request);
  if (note.phase === 'auth') {
    // The Ingress was taken away meanwhile.
    if (!plan) return finishWith(request, page(404), note, look);
    const verdict = judge(plan.match.route.ingress, request, outcome);
    if ('answer' in verdict) return answer(start, plan, request, verdict.answer, note, look);
    note.extra = { ...verdict.extra };
    note.cookies.push(...verdict.cookies);
    return toBackend(start, plan, request, note, look);
  }
  note.tries.push(tryOf(forward, outcome));
  if ('answer' in outcome) return answer(start, plan, request, outcome.answer, note, look);
  if (plan && note.phase === 'backend' && mayTryAgain(plan.match.route.ingress, request, outcome.failure, note))
    return toBackend(start, plan, request, note, look);
  return answer(start, plan, request, page(outcome.failure === 'timeout' ? 504 : 502), note, look);
}

/** proxy-next-upstream: 'error timeout' by default, never for what changes something, unless it was refused. */
function mayTryAgain(ingress: Ingress, { method }: ProxyRequest, failure: string, { tries }: Note): boolean {
  const limit = numberOf(ingress, 'proxy-next-upstream-tries') ?? TRIES;
  if (limit > 0 && tries.length >= limit) return false;
  const cases = (annotation(ingress, 'proxy-next-upstream') ?? 'error timeout').split(' ');
  if (cases.includes('off') || !cases.includes(failure === 'timeout' ? 'timeout' : 'error')) return false;
  const isSafe = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'].includes(method);
  return isSafe || failure === 'refused' || cases.includes('non_idempotent');
}

const tryOf = ({ address, port }: Forward, outcome: Outcome): Note['tries'][number] => {
  const [length, status] =
    'answer' in outcome
      ? [sizeOfBody(outcome.answer), outcome.answer.status]
      : [0, outcome.failure === 'timeout' ? 504 : 502];
  return { address: `${address}:${port}`, length, took: outcome.took, status };
};

function answer(
  start: Start,
  plan: Plan | undefined,
  request: ProxyRequest,
  parts: AnswerParts,
  note: Note,
  look: Look,
): Step {
  if (!plan) return finishWith(request, parts, note, look);
  if (isReplaced(plan, parts.status, note)) {
    const forward = errorForward(start, plan, request, parts.status, note, look);
    return forward ? { forward } : finishWith(request, page(404), note, look);
  }
  const { ingress } = plan.match.route;
  const { server: _server, ...headers } = parts.headers ?? {};
  const cookies = [headers['set-cookie'] ?? [], note.cookies].flat();
  const hsts = request.scheme === 'https' ? hstsOf(configOf(look.read, start)) : undefined;
  const all = {
    ...headers,
    ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
    ...corsHeaders(ingress, request.headers['origin']),
    ...(hsts === undefined ? {} : { 'strict-transport-security': hsts }),
  };
  return finishWith(request, { ...parts, headers: all }, note, look);
}

function finishWith(request: ProxyRequest, parts: AnswerParts, note: Note, look: Look): Step {
  const { id, user } = note;
  const dated = { ...parts, headers: { date: httpDate(look.now), ...parts.headers } };
  return { answer: dated, line: accessLine(request, parts, upstreamOf(note), { user, id, now: look.now }) };
}
