import type { ConfigMap } from '../../api/core_v1.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { encodedGrowth } from '../../runtime/state/object-bytes.js';
import type { CheckpointState } from '../state/checkpoint.js';

const CONFIG_MAPS = 'configmaps';
const PEM_BEGIN = '-----BEGIN CERTIFICATE-----';

/** Stands in templates, which many clusters share, where each cluster has its own certificate authority. */
export const CA_PEM = `-----BEGIN CERTIFICATE-----
MIIBdjCCAR2gAwIBAgIBADAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhrdWJlcm5l
dGVzLXRlcnJhcml1bS1jYTAeFw0yNjAxMDEwMDAwMDBaFw0zNjAxMDEwMDAwMDBa
MCMxITAfBgNVBAMMGGt1YmVybmV0ZXMtdGVycmFyaXVtLWNhMFkwEwYHKoZIzj0C
-----END CERTIFICATE-----
`;

/**
 * A ConfigMap of a template, or of the clusters whose log this one goes on from, as this cluster's own. The certificate
 * is made when it is first read: a load costs nothing.
 */
export function injectAuthority(
  object: KubeObject,
  keys: ClusterKeys,
  ancestors: readonly ClusterKeys[] = [],
): KubeObject {
  const { data = {} } = object as ConfigMap;
  const isOthers = (text: string): boolean =>
    text === CA_PEM || (text.startsWith(PEM_BEGIN) && ancestors.some(({ authority }) => authority.pem === text));
  const places = Object.keys(data).filter((key) => isOthers(data[key]!));
  if (places.length === 0) return object;
  const own = { ...data };
  for (const place of places) Object.defineProperty(own, place, { get: () => keys.authority.pem, enumerable: true });
  return { ...object, data: own } as ConfigMap;
}

/**
 * The opposite: a state without this cluster's certificate, for another cluster to begin on. Its size stays known: a
 * load that measures all objects takes three times as long, and makes the certificate to do so.
 */
export function withoutAuthority(state: CheckpointState, pem: string): CheckpointState {
  let { bytes } = state;
  const objects = state.objects.map((entry) => {
    if (entry.resource !== CONFIG_MAPS) return entry;
    const object = removeAuthority(entry.object, pem);
    if (bytes !== undefined) bytes += encodedGrowth(entry.object, object);
    return object === entry.object ? entry : { ...entry, object };
  });
  return { ...state, bytes, objects };
}

function removeAuthority(object: KubeObject, pem: string): KubeObject {
  const { data = {} } = object as ConfigMap;
  const places = Object.keys(data).filter((key) => data[key] === pem);
  if (places.length === 0) return object;
  return { ...object, data: { ...data, ...Object.fromEntries(places.map((key) => [key, CA_PEM])) } } as ConfigMap;
}
