import type { Ingress } from '../../../../engine/api/networking_v1.js';
import { Ingresses } from '../../../../engine/kinds/index.js';
import { endpointsOf } from '../../ingress/backends.js';
import type { Challenge } from '../resources.js';
import type { Work } from '../work.js';
import { nameServer } from './account.js';
import { CHALLENGE_PATH } from './http-solver.js';

/**
 * Why a challenge's answer is not found from outside, as the self check says it; undefined: it is. The Internet's names
 * are those of Ingresses that have an address: who controls such a name is who has the Ingress.
 */
export function checkReach(work: Work, { spec, metadata }: Challenge): string | undefined {
  const { api, now } = work;
  const path = `${CHALLENGE_PATH}/${spec.token}`;
  const url = `http://${spec.dnsName}${path}`;
  const known = api
    .list(Ingresses)
    .filter((one) => (one.status?.loadBalancer?.ingress ?? []).length > 0 && hostsOf(one).includes(spec.dnsName));
  if (known.length === 0)
    return `failed to perform self check GET request '${url}': Get "${url}": dial tcp: lookup ${spec.dnsName} on ${nameServer(work)}:53: no such host`;
  const paths = known
    .filter((one) => one.metadata.namespace === metadata.namespace)
    .flatMap(({ spec: own }) => (own.rules ?? []).filter(({ host }) => host === spec.dnsName))
    .flatMap(({ http }) => (http?.paths ?? []).filter((one) => one.path === path));
  if (paths.length === 0) return `wrong status code '404', expected '200'`;
  const isReached = paths.some(({ backend }) => endpointsOf(api, metadata.namespace ?? '', backend, now).length > 0);
  return isReached ? undefined : `wrong status code '503', expected '200'`;
}

const hostsOf = ({ spec }: Ingress): string[] => (spec.rules ?? []).map(({ host = '' }) => host);
