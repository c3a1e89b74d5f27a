import { sha256 } from '@noble/hashes/sha2.js';
import { toArray, type Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { hex } from '../../../../engine/machinery/crypto/sha256.js';
import { readSmallFile } from '../../../tools/accounts.js';
import { makeDirectories } from '../../keep.js';
import { writeWholeFile } from '../../../tools/whole-file.js';

/** What lies in a registry's volume, in the folders that Distribution has there. */
const ROOT = '/var/lib/registry/docker/registry/v2';
const REPOSITORIES = `${ROOT}/repositories`;
const MAX_REPOSITORIES = 1_000;
const MAX_DEPTH = 8;

export const digestOf = (bytes: Bytes): Bytes => `sha256:${hex(sha256(toArray(bytes)))}`;
export const isDigest = (text: Bytes): boolean => /^sha256:[\da-f]{64}$/.test(text);

export const blobPath = (digest: Bytes): Bytes => `${ROOT}/blobs/sha256/${digest.slice(7, 9)}/${digest.slice(7)}/data`;
const repository = (name: Bytes): Bytes => `${REPOSITORIES}/${name}`;
const revision = (name: Bytes, digest: Bytes): Bytes =>
  `${repository(name)}/_manifests/revisions/sha256/${digest.slice(7)}/link`;
const tagPath = (name: Bytes, tag: Bytes): Bytes => `${repository(name)}/_manifests/tags/${tag}/current/link`;
const layerPath = (name: Bytes, digest: Bytes): Bytes => `${repository(name)}/_layers/sha256/${digest.slice(7)}/link`;
export const uploadPath = (name: Bytes, id: Bytes): Bytes => `${repository(name)}/_uploads/${id}/data`;

/** Names in a directory; none for one that is not there. */
export function listNames(sys: Syscalls, path: Bytes): readonly Bytes[] {
  try {
    return sys.readDirectory(path);
  } catch (error) {
    if (error instanceof SystemError) return [];
    throw error;
  }
}

/** Writes a file, and the directories above it, or goes on at its end. Throws SystemError. */
export function storeFile(sys: Syscalls, path: Bytes, bytes: Bytes, appends = false): void {
  makeDirectories(sys, path.slice(0, path.lastIndexOf('/')));
  writeWholeFile(sys, path, bytes, { mode: 0o666, appends });
}

/** All repositories, by name. */
export function listRepositories(sys: Syscalls, below = '', depth = 0): Bytes[] {
  if (depth > MAX_DEPTH) return [];
  const names = listNames(sys, `${REPOSITORIES}/${below}`);
  if (names.includes('_manifests')) return [below.slice(0, -1)];
  return names
    .filter((name) => !name.startsWith('_'))
    .flatMap((name) => listRepositories(sys, `${below}${name}/`, depth + 1))
    .slice(0, MAX_REPOSITORIES);
}

export const listTags = (sys: Syscalls, name: Bytes): readonly Bytes[] =>
  listNames(sys, `${repository(name)}/_manifests/tags`);

export const hasBlob = (sys: Syscalls, name: Bytes, digest: Bytes): boolean =>
  isDigest(digest) && sys.access(layerPath(name, digest), 'r') && sys.access(blobPath(digest), 'r');

export function putBlob(sys: Syscalls, name: Bytes, digest: Bytes, bytes: Bytes): void {
  storeFile(sys, blobPath(digest), bytes);
  storeFile(sys, layerPath(name, digest), digest);
}

/** The digest of a manifest by a tag or itself; undefined: there is none. */
export function findManifest(sys: Syscalls, name: Bytes, reference: Bytes): Bytes | undefined {
  const digest = isDigest(reference) ? reference : readSmallFile(sys, tagPath(name, reference));
  return isDigest(digest) && sys.access(revision(name, digest), 'r') ? digest : undefined;
}

export function putManifest(sys: Syscalls, name: Bytes, reference: Bytes, bytes: Bytes): Bytes {
  const digest = digestOf(bytes);
  storeFile(sys, blobPath(digest), bytes);
  storeFile(sys, revision(name, digest), digest);
  if (!isDigest(reference)) storeFile(sys, tagPath(name, reference), digest);
  return digest;
}

/** The number of an upload. */
export function makeUploadId(sys: Syscalls): Bytes {
  const text = hex(Uint8Array.from({ length: 16 }, () => Math.floor(sys.random() * 256)));
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}
