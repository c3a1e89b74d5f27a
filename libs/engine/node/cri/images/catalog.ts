import { LRUCache } from 'lru-cache';
import type { Programs } from '../../../kernel/process/program.js';
import { hash32 } from '../../../machinery/random.js';
import { digestOf } from '../../digest.js';
import type { Image, ImageCatalog, Pullable } from '../image.js';
import type { Reference } from './reference.js';
import { DENIED, isPrivateName, resolveError } from './registry-access.js';

/** Hosts that do not exist (RFC 2606), and the one that upstream's tests take for an invalid registry. */
const NO_HOST = /\.(?:invalid|test|example)(?::\d+)?$|^invalid\.registry\.k8s\.io$/;
const MISSING_TAG = /^(nonexistent|non-existent|doesnotexist|does-not-exist|no-such-tag|missing|broken|invalid)/;
const DOCKER_HUB = 'docker.io';
const MAX_CACHED_IMAGES = 10_000;

/** The kubelet shows the code of an error unless it is Unknown. */
const notFound = (reference: Reference): string =>
  `rpc error: code = NotFound desc = ${resolveError(reference, `${reference.full}: not found`)}`;
const denied = (reference: Reference): string => resolveError(reference, DENIED);
function noHost(reference: Reference): string {
  const { host, repository, tag, digest } = reference;
  const url = `https://${host}/v2/${repository.slice(host.length + 1)}/manifests/${digest ?? tag}`;
  const name = host.split(':')[0];
  return resolveError(reference, `failed to do request: Head "${url}": dial tcp: lookup ${name}: no such host`);
}

/**
 * All registries, over known images. A repository that is not among them, and that `isPublished` says to exist, is
 * answered by `unknown`, as if it were some server; so is one whose name says that it is private.
 */
export function makeCatalog(
  images: readonly Image[],
  unknown: Image,
  isPublished: (repository: string) => boolean,
  programs?: Programs,
  author?: ImageCatalog['author'],
): ImageCatalog {
  const byRepository = new Map(images.flatMap((image) => image.repositories.map((r) => [r, image] as const)));
  const cache = new LRUCache<string, Pullable>({ max: MAX_CACHED_IMAGES });
  const lookUp = (reference: Reference, isListed: boolean): Pullable => {
    const { host, repository, tag, digest, full } = reference;
    const known = byRepository.get(repository);
    const image = known ?? unknown;
    const isPrivate = !isListed && !known && isPrivateName(reference);
    if (!isListed) {
      if (NO_HOST.test(host)) return { error: noHost(reference) };
      if (!known && !isPrivate && !isPublished(repository))
        return { error: host === DOCKER_HUB ? denied(reference) : notFound(reference) };
      if (!digest && (!image.tags.test(tag) || MISSING_TAG.test(tag))) return { error: notFound(reference) };
    }
    // Versions of one image differ a little in size.
    const size = image.layers.reduce((a, b) => a + b, 0);
    const sizeBytes = Math.round(size * (0.97 + (hash32(full) % 60) / 1000));
    return {
      image: image.variant?.(tag) ?? image,
      sizeBytes,
      id: `${repository}@${digest ?? `sha256:${digestOf(full)}`}`,
      ...(known ? {} : { isUnknown: true }),
      ...(isPrivate ? { access: {} } : {}),
    };
  };
  return {
    programs,
    ...(author ? { author } : {}),
    resolve(reference, isListed = false) {
      const key = isListed ? `${reference.full} listed` : reference.full;
      let found = cache.get(key);
      if (!found) cache.set(key, (found = lookUp(reference, isListed)));
      return found;
    },
  };
}
