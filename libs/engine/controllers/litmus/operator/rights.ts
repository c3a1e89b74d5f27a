import { authorize } from '../../../auth/authorization/authorizer.js';
import type { Reader } from '../../../machinery/client.js';
import { makeAccess } from '../../../machinery/requests/auth.js';
import type { ChaosEngine } from '../objects.js';

/**
 * Why an engine's service account may not do what the runner or an experiment does as it, in the API server's words;
 * undefined: it may. `resource`: 'jobs.batch'.
 */
export function whyForbidden(
  read: Reader,
  { metadata, spec }: ChaosEngine,
  verb: string,
  resource: string,
  namespace = metadata.namespace ?? '',
): string | undefined {
  const own = metadata.namespace ?? '';
  const name = `system:serviceaccount:${own}:${spec?.chaosServiceAccount || 'default'}`;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${own}`, 'system:authenticated'];
  const [plural = '', ...rest] = resource.split('.');
  const group = rest.join('.');
  if (authorize({ name, groups }, makeAccess(verb, { group, resource: plural, namespace }), read).allowed)
    return undefined;
  const where = `in API group "${group}" in the namespace "${namespace}"`;
  return `${resource} is forbidden: User "${name}" cannot ${verb} resource "${plural}" ${where}`;
}
