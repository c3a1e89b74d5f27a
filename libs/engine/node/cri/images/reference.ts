import { LRUCache } from 'lru-cache';

/** An image reference, normalized as containerd does: 'nginx' -> docker.io/library/nginx:latest. */
export interface Reference {
  readonly host: string;
  /** 'docker.io/library/nginx'. */
  readonly repository: string;
  readonly tag: string;
  readonly digest?: string;
  /** 'docker.io/library/nginx:latest', or with the digest. */
  readonly full: string;
}

const PATH = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const HOST = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::\d+)?$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
/** RepositoryNameTotalLengthMax: of the path alone. */
const MAX_PATH = 255;
const MAX_CACHED_REFERENCES = 10_000;
/** Longer references are parsed each time. */
const MAX_CACHED_CHARACTERS = 512;
// oxlint-disable-next-line house/no-module-state -- parsed texts
const cache = new LRUCache<string, Reference>({ max: MAX_CACHED_REFERENCES });

/**
 * Normalizes an image reference; undefined when the text is none. Models github.com/distribution/reference
 * ParseNormalizedNamed.
 */
export function parseReference(text: string): Reference | undefined {
  const cached = cache.get(text);
  if (cached) return cached;
  const reference = parse(text);
  if (reference && text.length <= MAX_CACHED_CHARACTERS) cache.set(text, reference);
  return reference;
}

function parse(text: string): Reference | undefined {
  const at = text.indexOf('@');
  const digest = at < 0 ? undefined : text.slice(at + 1);
  const named = at < 0 ? text : text.slice(0, at);
  if (digest !== undefined && !DIGEST.test(digest)) return undefined;
  const slash = named.lastIndexOf('/');
  const colon = named.indexOf(':', slash + 1);
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  if (tag !== undefined && !TAG.test(tag)) return undefined;
  const { host, path } = splitHost(colon < 0 ? named : named.slice(0, colon));
  if (path.length > MAX_PATH || !PATH.test(path) || !HOST.test(host)) return undefined;
  const repository = `${host}/${path}`;
  const used = tag ?? 'latest';
  return {
    host,
    repository,
    tag: used,
    ...(digest ? { digest } : {}),
    full: digest ? `${repository}@${digest}` : `${repository}:${used}`,
  };
}

function splitHost(name: string): { host: string; path: string } {
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  if (slash < 0) return { host: 'docker.io', path: `library/${name}` };
  if (!first.includes('.') && !first.includes(':') && first !== 'localhost') return { host: 'docker.io', path: name };
  const rest = name.slice(slash + 1);
  if (first !== 'docker.io' && first !== 'index.docker.io') return { host: first, path: rest };
  return { host: 'docker.io', path: rest.includes('/') ? rest : `library/${rest}` };
}
