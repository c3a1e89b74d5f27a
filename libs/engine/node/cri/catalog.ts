import { LRUCache } from 'lru-cache';
import { hash32 } from '../../machinery/random.js';
import { digestOf } from '../digest.js';
import type { Image, ImageCatalog, Pullable } from './image.js';
import type { Reference } from './reference.js';

const MISSING_TAG = /^(nonexistent|non-existent|doesnotexist|does-not-exist|no-such-tag|missing|broken|invalid)/;
const LIBRARY = 'docker.io/library/';
const MAX_CACHED_IMAGES = 10_000;

const notFound = ({ full }: Reference): string =>
  `rpc error: code = NotFound desc = failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${full}: not found`;
const denied = ({ full }: Reference): string =>
  `failed to pull and unpack image "${full}": failed to resolve reference "${full}": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`;
const noHost = ({ full, host, repository, tag, digest }: Reference): string =>
  `rpc error: code = Unknown desc = failed to pull and unpack image "${full}": failed to resolve reference "${full}": failed to do request: Head "https://${host}/v2/${repository.slice(host.length + 1)}/manifests/${digest ?? tag}": dial tcp: lookup ${host}: no such host`;

/**
 * A registry over known images. A repository that is not among them is answered by `unknown`, as if it were some
 * server. Of Docker Hub's own (docker.io/library) those that are not in `official` do not exist.
 */
export function makeCatalog(images: readonly Image[], unknown: Image, official: ReadonlySet<string>): ImageCatalog {
  const byRepository = new Map(images.flatMap((image) => image.repositories.map((r) => [r, image] as const)));
  const cache = new LRUCache<string, Pullable>({ max: MAX_CACHED_IMAGES });
  const lookUp = (reference: Reference): Pullable => {
    const { host, repository, tag, digest, full } = reference;
    if (/\.(invalid|test|example)(:\d+)?$/.test(host)) return { error: noHost(reference) };
    const known = byRepository.get(repository);
    if (!known && repository.startsWith(LIBRARY) && !official.has(repository.slice(LIBRARY.length)))
      return { error: denied(reference) };
    const image = known ?? unknown;
    if (!digest && !image.tags.test(tag)) return { error: notFound(reference) };
    if (!digest && MISSING_TAG.test(tag)) return { error: notFound(reference) };
    // Versions of one image differ a little in size.
    const size = image.layers.reduce((a, b) => a + b, 0);
    const sizeBytes = Math.round(size * (0.97 + (hash32(full) % 60) / 1000));
    return { image, sizeBytes, id: `${repository}@${digest ?? `sha256:${digestOf(full)}`}` };
  };
  return {
    resolve(reference) {
      let found = cache.get(reference.full);
      if (!found) cache.set(reference.full, (found = lookUp(reference)));
      return found;
    },
  };
}
