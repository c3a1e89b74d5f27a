import type { ConfigMap } from '../../api/core_v1.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { KubeObject } from '../../machinery/meta/object.js';

/** Stands in templates, which many clusters share, where each cluster has its own certificate authority. */
export const CA_PEM = `-----BEGIN CERTIFICATE-----
MIIBdjCCAR2gAwIBAgIBADAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhrdWJlcm5l
dGVzLXRlcnJhcml1bS1jYTAeFw0yNjAxMDEwMDAwMDBaFw0zNjAxMDEwMDAwMDBa
MCMxITAfBgNVBAMMGGt1YmVybmV0ZXMtdGVycmFyaXVtLWNhMFkwEwYHKoZIzj0C
-----END CERTIFICATE-----
`;

/**
 * A template's ConfigMap as this cluster's own. The certificate is made when it is first read: a load costs nothing.
 */
export function injectAuthority(object: KubeObject, keys: ClusterKeys): KubeObject {
  const { data = {} } = object as ConfigMap;
  const places = Object.keys(data).filter((key) => data[key] === CA_PEM);
  if (places.length === 0) return object;
  const own = { ...data };
  for (const place of places) Object.defineProperty(own, place, { get: () => keys.authority.pem, enumerable: true });
  return { ...object, data: own } as ConfigMap;
}
