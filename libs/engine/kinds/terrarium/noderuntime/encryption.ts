import type { Reader } from '../../../machinery/client.js';
import type { Kind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { apiServerOf } from './api-server.js';
import type { EncryptionEpoch, EncryptionProvider } from './api-server-configuration.js';

/** Epochs that are kept; what was written before them counts as of the first. */
export const MAX_EPOCHS = 50;

const PLAIN: readonly EncryptionProvider[] = [{ type: 'identity', keys: [] }];

/** The providers of a resource; the first entry that names it counts. */
function providersOf({ resources }: EncryptionEpoch, { plural, group }: Kind): readonly EncryptionProvider[] {
  const own = group === '' ? plural : `${plural}.${group}`;
  const names = [own, `*.${group}`, '*.*'];
  return resources.find((one) => one.resources.some((name) => names.includes(name)))?.providers ?? PLAIN;
}

/** What a value begins with that was encrypted by a key; '' in the clear. */
function prefixOf({ type, keys: [key] }: EncryptionProvider): string {
  return type === 'identity' || !key ? '' : `k8s:enc:${type}:v1:${key.name}:`;
}

const writtenIn = (epochs: readonly EncryptionEpoch[], { metadata }: KubeObject): EncryptionEpoch | undefined => {
  const revision = Number(metadata.resourceVersion ?? '0');
  return epochs.findLast(({ from }) => from <= revision);
};

const writerOf = (epoch: EncryptionEpoch | undefined, kind: Kind): EncryptionProvider =>
  (epoch ? providersOf(epoch, kind) : PLAIN)[0]!;

/** What an object's value in etcd begins with; '' in the clear. */
export function encryptionPrefix(epochs: readonly EncryptionEpoch[], kind: Kind, object: KubeObject): string {
  return prefixOf(writerOf(writtenIn(epochs, object), kind));
}

/** Whether an object is written again though nothing of it changes: another key would write it now. */
export function isStale(read: Reader, kind: Kind, object: KubeObject): boolean {
  const epochs = apiServerOf(read)?.encryption;
  if (!epochs) return false;
  const [was, is] = [writerOf(writtenIn(epochs, object), kind), writerOf(epochs.at(-1), kind)];
  return prefixOf(was) !== prefixOf(is) || was.keys[0]?.digest !== is.keys[0]?.digest;
}

/** Why the API server cannot read an object's value; undefined: it can. Models apiserver/pkg/storage/value. */
export function unreadable(epochs: readonly EncryptionEpoch[], kind: Kind, object: KubeObject): string | undefined {
  const was = writerOf(writtenIn(epochs, object), kind);
  const now = epochs.at(-1);
  const readers = (now ? providersOf(now, kind) : PLAIN).filter(({ type }) => type === was.type);
  if (was.type === 'identity') return readers.length > 0 ? undefined : 'no matching prefix found';
  if (readers.length === 0)
    return now && providersOf(now, kind).some(({ type }) => type === 'identity')
      ? 'identity transformer tried to read encrypted data'
      : 'no matching prefix found';
  const [key] = was.keys;
  const found = readers.flatMap(({ keys }) => keys).filter(({ name }) => name === key?.name);
  if (found.some(({ digest }) => digest === key?.digest)) return undefined;
  const provider = was.type === 'secretbox' ? 'Secretbox' : 'AES';
  return found.length === 0
    ? `no matching key was found for the provided ${provider} transformer`
    : was.type === 'aescbc'
      ? 'invalid padding on input'
      : was.type === 'aesgcm'
        ? 'cipher: message authentication failed'
        : 'output array was not large enough for encryption';
}
