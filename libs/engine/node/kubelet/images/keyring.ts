import type { Pod, Secret } from '../../../api/core_v1.js';
import { Secrets } from '../../../kinds/index.js';
import { decodeBase64Text } from '../../../machinery/text/base64.js';
import type { Reader } from '../../../machinery/client.js';
import type { Credentials } from '../../cri/images/registry-access.js';

const DEFAULT_REGISTRY = 'docker.io';
/** Models defaultRegistryHost: what Docker's own tools call it. */
const DEFAULT_REGISTRY_KEY = 'index.docker.io';
/** So many logins are tried for one pull. */
const MAX_TRIES = 100;

/**
 * What a pod's pull secrets have for a repository ('docker.io/library/nginx'), in the order in which a pull tries them.
 * Models pkg/credentialprovider keyring.go Lookup. Left out: sets of characters in a host's pattern.
 */
export function findCredentials({ metadata, spec }: Pod, repository: string, read: Reader): readonly Credentials[] {
  const { namespace = '' } = metadata;
  const entries = (spec.imagePullSecrets ?? []).flatMap(({ name = '' }) => {
    const secret = name === '' ? undefined : read.get(Secrets, { namespace, name });
    return secret ? entriesOf(secret) : [];
  });
  // More specific paths come first.
  entries.sort((a, b) => (a.location > b.location ? -1 : a.location < b.location ? 1 : 0));
  const matching = entries.filter(({ location }) => matchesRepository(location, repository));
  const isDefault = repository.startsWith(`${DEFAULT_REGISTRY}/`);
  const found =
    matching.length === 0 && isDefault ? entries.filter(({ location }) => location === DEFAULT_REGISTRY_KEY) : matching;
  return found.slice(0, MAX_TRIES).map(({ credentials }) => credentials);
}

interface Entry {
  /** 'host:port/path', without a scheme. */
  readonly location: string;
  readonly credentials: Credentials;
}

/** The logins of a secret of either type for registries. Models credentialprovider/secrets MakeDockerKeyring. */
function entriesOf({ type, data = {} }: Secret): Entry[] {
  const [config, legacy] = [data['.dockerconfigjson'], data['.dockercfg']];
  if (type === 'kubernetes.io/dockerconfigjson' && config) return entriesOfAuths(parseObject(config)['auths']);
  if (type === 'kubernetes.io/dockercfg' && legacy) return entriesOfAuths(parseObject(legacy));
  return [];
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

function parseObject(base64: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(decodeBase64Text(base64)));
  } catch {
    // The API server refuses such a secret: nobody logs in with it.
    return {};
  }
}

const entriesOfAuths = (auths: unknown): Entry[] =>
  Object.entries(asObject(auths)).map(([server, entry]) => ({
    location: locationOf(server),
    credentials: credentialsOf(asObject(entry)),
  }));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `auth` is 'user:password' in base64, and comes before the other two. Models config.go DockerConfigEntry. */
function credentialsOf({ username, password, auth }: Readonly<Record<string, unknown>>): Credentials {
  const encoded = textOf(auth);
  if (encoded === '') return { username: textOf(username), password: textOf(password) };
  const decoded = decodeBase64Text(encoded);
  const colon = decoded.indexOf(':');
  return colon < 0
    ? { username: '', password: '' }
    : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** 'https://index.docker.io/v1/' -> 'index.docker.io'. Models BasicDockerKeyring.Add. */
function locationOf(server: string): string {
  const { host, path } = splitLocation(server.replace(/^https?:\/\//, ''));
  const effective = path.startsWith('/v1/') || path.startsWith('/v2/') ? path.slice(3) : path;
  return effective === '/' ? host : host + effective;
}

function splitLocation(location: string): { host: string; path: string } {
  const slash = location.indexOf('/');
  return slash < 0 ? { host: location, path: '' } : { host: location.slice(0, slash), path: location.slice(slash) };
}

/** Host and port part by part, with '*' and '?', and the path's beginning. Models URLsMatch. */
function matchesRepository(location: string, repository: string): boolean {
  const [glob, target] = [splitLocation(location), splitLocation(repository)];
  if (!target.path.startsWith(glob.path)) return false;
  const [globHost = '', globPort] = glob.host.split(':');
  const [host = '', port] = target.host.split(':');
  const [globParts, parts] = [globHost.split('.'), host.split('.')];
  return (
    globPort === port && globParts.length === parts.length && globParts.every((part, i) => matchesPart(part, parts[i]!))
  );
}

/** Linear: after a '*' only the last one is tried again. */
function matchesPart(pattern: string, text: string): boolean {
  let [p, t, star, mark] = [0, 0, -1, 0];
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
