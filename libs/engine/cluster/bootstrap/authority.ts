import type { ConfigMap } from '../../api/core_v1.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
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

/** A kubeconfig has its authority within. */
const EMBEDDED = /(certificate-authority-data: )(\S+)/;
/** What the field of a template's kubeconfig holds. */
export const CA_DATA = encodeBase64(CA_PEM);

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
  const isOthers = (pem: string): boolean =>
    pem === CA_PEM || (pem.startsWith(PEM_BEGIN) && ancestors.some(({ authority }) => authority.pem === pem));
  const isOthersData = (field: string): boolean =>
    field === CA_DATA || ancestors.some(({ authority }) => encodeBase64(authority.pem) === field);
  const places = Object.entries(data).flatMap(([key, text]): [string, () => string][] => {
    if (isOthers(text)) return [[key, () => keys.authority.pem]];
    const field = EMBEDDED.exec(text)?.[2];
    return field !== undefined && isOthersData(field) ? [[key, () => embed(text, keys.authority.pem)]] : [];
  });
  if (places.length === 0) return object;
  const own = { ...data };
  for (const [key, get] of places) Object.defineProperty(own, key, { get, enumerable: true });
  return { ...object, data: own } as ConfigMap;
}

const embed = (kubeconfig: string, pem: string): string => kubeconfig.replace(EMBEDDED, `$1${encodeBase64(pem)}`);

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
  const bare = Object.entries(data).flatMap(([key, text]): [string, string][] => {
    if (text === pem) return [[key, CA_PEM]];
    const isEmbedded = EMBEDDED.exec(text)?.[2] === encodeBase64(pem);
    return isEmbedded ? [[key, embed(text, CA_PEM)]] : [];
  });
  if (bare.length === 0) return object;
  return { ...object, data: { ...data, ...Object.fromEntries(bare) } } as ConfigMap;
}
