import type { Millis } from '../../../engine/machinery/time/time.js';
import { ApiFailure, KubectlFailure } from '../kubectl/session/failure.js';
import type { ApiObject, Session } from '../kubectl/session/session.js';

/** Programs look so often, as upstream's. */
export const POLL: Millis = 2_000;
/** While nothing is to be expected they look less often: each look costs the cluster, as none costs a real one. */
const MAX_POLL: Millis = 20_000;

/** When a program looks again that expects something at a time; what is late is looked for less and less often. */
export function nextLook(now: Millis, expected: Millis): Millis {
  const rest = now < expected ? (expected - now) / 2 : (now - expected) / 10;
  return now + Math.min(MAX_POLL, Math.max(POLL, Math.floor(rest)));
}

export const LITMUS = '/apis/litmuschaos.io/v1alpha1';

/** What the API server said: an object, or why there is none. */
export type Answered =
  | { readonly object: ApiObject; readonly failure?: undefined }
  | { readonly failure: string; readonly status: number; readonly object?: undefined };

/** A request that may be refused. */
export function attempt(ask: () => ApiObject): Answered {
  try {
    return { object: ask() };
  } catch (error) {
    if (error instanceof ApiFailure) return { failure: error.message, status: error.status };
    if (error instanceof KubectlFailure) return { failure: error.message, status: 0 };
    throw error;
  }
}

/**
 * Why the program's account may not do something, in the API server's words; undefined: it may. `resource`:
 * 'jobs.batch', 'pods/exec'.
 */
export function findDenial(session: Session, verb: string, resource: string): string | undefined {
  const [whole = '', ...rest] = resource.split('.');
  const [plural = '', subresource = ''] = whole.split('/');
  const group = rest.join('.');
  const { namespace } = session;
  const resourceAttributes = { verb, group, resource: plural, subresource, namespace };
  const { object } = attempt(() =>
    session.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
    }),
  );
  const { allowed } = (object?.['status'] ?? {}) as { allowed?: boolean };
  if (object === undefined || allowed === true) return undefined;
  const user = `system:serviceaccount:${namespace}:${envOf(session, 'CHAOS_SVC_ACC') || envOf(session, 'CHAOS_SERVICE_ACCOUNT')}`;
  const where = `in API group "${group}" in the namespace "${namespace}"`;
  return `${[plural, ...rest].join('.')} is forbidden: User "${user}" cannot ${verb} resource "${whole}" ${where}`;
}

export const envOf = ({ sys }: Pick<Session, 'sys'>, name: string, fallback = ''): string => sys.env[name] || fallback;

export const secondsOf = (session: Session, name: string, fallback: number): number => {
  const value = Number(envOf(session, name));
  return Number.isFinite(value) && value > 0 ? value : fallback;
};
