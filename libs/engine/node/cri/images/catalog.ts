import { LRUCache } from 'lru-cache';
import type { Programs } from '../../../kernel/process/program.js';
import { hash32 } from '../../../machinery/random.js';
import { digestOf } from '../../digest.js';
import type { Image, ImageCatalog, Pullable } from '../image.js';
import type { Reference } from './reference.js';
import { DENIED, isPrivateName, resolveError } from './registry-access.js';

/** Hosts that do not exist (RFC 2606), and the one that upstream's tests take for an invalid registry. */
const NO_HOST = /\.(?:invalid|test|example)(?::\d+)?$|^invalid\.registry\.k8s\.io$/;
/** A tag that says itself that it is a mistake. */
const MISSING_TAG =
  /^(non-?exist|does-?no?t-?exist|not-?(exist|real|found|there)|no-?such|missing|broken|invalid|wrong|fake|bogus|typo|bad(?![a-z])|badtag|latestt|lates$|lat?ets?t$|lastest)/;
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

/** What registries are known to have. */
interface Registries {
  /** A repository: 'docker.io/library/nginx'. */
  isPublished(repository: string): boolean;
  /** A tag that its image admits; absent: all of them. */
  isReleased?(repository: string, tag: string): boolean;
}

/**
 * All registries, over known images. A repository that is not among them, and that `isPublished` says to exist, is
 * answered by `unknown`, as if it were some server; so is one whose name says that it is private.
 */
export function makeCatalog(
  images: readonly Image[],
  unknown: Image,
  { isPublished, isReleased = () => true }: Registries,
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
      const isThere = image.tags.test(tag) && !MISSING_TAG.test(tag) && isReleased(repository, tag);
      if (!digest && !isThere) return { error: notFound(reference) };
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
