import type { Reader, Start } from '@terrarium/engine';
import { Services } from '../../../../engine/kinds/index.js';
import { flag } from '../../../programs/task.js';
import type { Forward, Look, ProxyRequest } from '../../proxy/proxy.js';
import { backendsOf, type Backend } from '../backends.js';
import { annotation, isOn, listOf } from './config/annotations.js';
import { asPlain, type Note } from './note.js';
import type { Plan } from './config/plan.js';

export const DEFAULT_BACKEND = 'upstream-default-backend';
const TIMEOUT = 65_000;

interface ErrorBackend {
  /** As the access log names it. */
  readonly name: string;
  readonly backend: Backend;
}

/**
 * Whether an answer is replaced by the page of a default backend: `custom-http-errors`, of the Ingress or of the
 * ConfigMap. Models CUSTOM_ERRORS of nginx.tmpl.
 */
export function isReplaced({ match }: Plan, status: number, { phase, tries }: Note): boolean {
  const { ingress } = match.route;
  if (phase === 'error' || !listOf(ingress, 'custom-http-errors').includes(String(status))) return false;
  const isOfBackend = tries.at(-1)?.status === status;
  return !(isOfBackend && isOn(ingress, 'disable-proxy-intercept-errors'));
}

/** The request for the page; undefined: there is no default backend. `note` is changed. */
export function errorForward(
  start: Start,
  plan: Plan,
  request: ProxyRequest,
  code: number,
  note: Note,
  look: Look,
): Forward | undefined {
  const found = ownBackend(plan, look) ?? defaultBackend(start, look);
  return found && forwardTo(found, plan, request, code, '/', { ...note, phase: 'error' });
}

/** A backend without endpoints is stood in for by the Ingress's own default backend; undefined: it names none. */
export function standInForward(plan: Plan, request: ProxyRequest, note: Note, look: Look): Forward | undefined {
  const found = ownBackend(plan, look);
  return found && forwardTo(found, plan, request, 503, request.path, note);
}

function forwardTo(
  { name, backend }: ErrorBackend,
  { match, host }: Plan,
  request: ProxyRequest,
  code: number,
  path: string,
  note: Note,
): Forward {
  const { ingress, backend: asked } = match.route;
  const { 'content-length': _length, upgrade: _upgrade, ...sent } = request.headers;
  const port = asked.service?.port?.number ?? asked.service?.port?.name ?? '';
  return {
    ...{ address: backend.address, port: backend.port, isTls: false, method: request.method, path },
    ...{ body: request.body, timeout: TIMEOUT, note: asPlain({ ...note, name, alternative: '' }) },
    headers: {
      ...sent,
      ...{ host: request.headers['host'] ?? host, 'x-code': String(code), 'x-format': request.headers['accept'] ?? '' },
      ...{ 'x-original-uri': request.path, 'x-namespace': ingress.metadata.namespace ?? '' },
      ...{ 'x-ingress-name': ingress.metadata.name ?? '', 'x-service-name': asked.service?.name ?? '' },
      ...{ 'x-service-port': String(port), 'x-request-id': note.id },
    },
  };
}

/** Of the annotation default-backend: a Service of the Ingress's namespace, by its first port. */
function ownBackend({ match }: Plan, { read, now }: Look): ErrorBackend | undefined {
  const { ingress } = match.route;
  const name = annotation(ingress, 'default-backend');
  if (!name) return undefined;
  const namespace = ingress.metadata.namespace ?? '';
  const backend = firstEndpoint(read, namespace, name, now);
  return backend && { name: `custom-default-backend-${namespace}-${name}`, backend };
}

/** Of --default-backend-service. */
export function defaultBackend(start: Start, { read, now }: Look): ErrorBackend | undefined {
  const [namespace = '', name = ''] = flag(start, 'default-backend-service').split('/');
  const backend = name === '' ? undefined : firstEndpoint(read, namespace, name, now);
  return backend && { name: DEFAULT_BACKEND, backend };
}

function firstEndpoint(read: Reader, namespace: string, name: string, now: number): Backend | undefined {
  const [port] = read.get(Services, { namespace, name })?.spec.ports ?? [];
  return port && backendsOf(read, namespace, name, { number: port.port }, now)[0];
}
