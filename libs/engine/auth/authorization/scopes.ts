import type { Access, Decision } from '../../machinery/requests/auth.js';
import type { User } from '../../machinery/requests/user.js';

/**
 * The key of User.extra whose values limit a user to what a credential may be used for. Models the scope authorizer of
 * OpenShift (pkg/authorization/authorizer/scope), whose key is scopes.authorization.openshift.io.
 */
export const SCOPES_KEY = 'scopes.authorization.terrarium.dev';
const READ = 'read';

const READING_VERBS = new Set(['get', 'list', 'watch']);
const READING_METHODS = new Set(['get', 'head', 'options']);
/** Subresources that lead into the cluster: even a `get` runs commands or reaches servers. */
const CONNECTIONS = new Set(['exec', 'attach', 'portforward', 'proxy']);
/**
 * What is created, but changes nothing: `kubectl auth can-i` and `whoami`, traces, flows, why, timelines and results of
 * checks.
 */
const QUESTIONS = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'traces.terrarium.dev',
  'flowqueries.terrarium.dev',
  'whys.terrarium.dev',
  'timelines.terrarium.dev',
  'checkreports.terrarium.dev',
]);

export const isScoped = (user: User): boolean => user.extra?.[SCOPES_KEY] !== undefined;

/** Denies what is outside of the user's scopes; undefined leaves the decision to the authorizers that follow. */
export function authorizeByScopes(user: User, access: Access): Decision | undefined {
  const scopes = user.extra?.[SCOPES_KEY];
  if (scopes === undefined || (scopes.includes(READ) && isReading(access))) return undefined;
  return { allowed: false, reason: `scopes [${scopes.join(' ')}] prevent this action` };
}

function isReading({ verb, path, group, resource, subresource }: Access): boolean {
  if (path !== undefined) return READING_METHODS.has(verb);
  if (READING_VERBS.has(verb)) return !CONNECTIONS.has(subresource);
  return verb === 'create' && subresource === '' && QUESTIONS.has(`${resource}.${group}`);
}
