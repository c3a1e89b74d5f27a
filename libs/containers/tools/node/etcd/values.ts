import { bytesOf, fromArray, type Bytes } from '../../../../engine/kernel/bytes.js';
import { hash32, SeededRandom } from '../../../../engine/machinery/random.js';
import type { RegistryRow } from '../../../../engine/node/host/views/registry-view.js';
import { definitionFor, encodeProtobuf } from '../../../../engine/schema/index.js';

/** Bytes of AES' block, of a nonce and a tag: ciphertexts are so much longer. */
const BLOCK = 16;
const OVERHEAD: Readonly<Record<string, number>> = { aesgcm: 28, secretbox: 40 };
/** Their servers write JSON, as custom resources are written. */
const JSON_GROUPS = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

interface Named {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}

/**
 * What etcd holds under a key: a kind of Kubernetes as protobuf behind `k8s` and a zero byte, in which texts and the
 * data of Secrets can be read; others as JSON with a line feed; of an encrypted value its prefix, and bytes that say
 * nothing. Models staging/src/k8s.io/apiserver/pkg/server/storage/storage_codec.go.
 */
export function valueOf([key, value, revision, prefix]: RegistryRow): Bytes {
  const plain = key.startsWith('/registry/') ? encode(value) : bytesOf(value);
  if (prefix === undefined) return plain;
  const type = prefix.split(':')[2] ?? '';
  const length =
    type === 'aescbc' ? BLOCK + (Math.floor(plain.length / BLOCK) + 1) * BLOCK : plain.length + (OVERHEAD[type] ?? 0);
  const random = new SeededRandom(hash32(`${prefix}${key}`, revision));
  return prefix + Array.from({ length }, () => String.fromCharCode(random.below(256))).join('');
}

function encode(text: string): Bytes {
  const object = JSON.parse(text) as Named;
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return bytesOf(text);
  const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
  const definition = JSON_GROUPS.includes(group) ? undefined : definitionFor(group, version, kind);
  return definition === undefined
    ? bytesOf(`${text}\n`)
    : fromArray(encodeProtobuf({ ...object, apiVersion, kind }, definition));
}
