import type { Login } from '../image.js';
import type { Reference } from './reference.js';

/** What somebody shows to a registry. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Who may pull: any of these users, or, without a list, whoever names a user and a password. */
export interface Access {
  readonly users?: readonly Login[];
}

/** Of a repository that nobody has described, its name tells that it is private. */
const PRIVATE_NAME = /(?:^|[/._-])(?:private|authenticated)(?=[/._-]|$)/;
export const isPrivateName = ({ host, repository }: Pick<Reference, 'host' | 'repository'>): boolean =>
  PRIVATE_NAME.test(repository.slice(host.length + 1));

/** A registry that sends its clients to a server for a token. */
interface TokenServer {
  readonly host: RegExp;
  /** Of a registry `host`. */
  realm(host: string): string;
  service(host: string): string;
  /** Its answer to those who show nothing; absent: it gives a token, with which the registry lets nobody in. */
  readonly anonymous?: string;
  /** Its answer to a user that it does not know. */
  readonly wrong: string;
}

const TOKEN_SERVERS: readonly TokenServer[] = [
  {
    host: /^docker\.io$/,
    realm: () => 'auth.docker.io/token',
    service: () => 'registry.docker.io',
    wrong: '401 Unauthorized',
  },
  {
    host: /^ghcr\.io$/,
    realm: () => 'ghcr.io/token',
    service: () => 'ghcr.io',
    anonymous: '401 Unauthorized',
    wrong: '403 Forbidden',
  },
  {
    host: /^registry\.gitlab\.com$/,
    realm: () => 'gitlab.com/jwt/auth',
    service: () => 'container_registry',
    anonymous: '403 Forbidden',
    wrong: '403 Forbidden',
  },
  {
    host: /(?:^|\.)gcr\.io$/,
    realm: (host) => `${host}/v2/token`,
    service: (host) => host,
    anonymous: '403 Forbidden',
    wrong: '401 Unauthorized',
  },
  {
    host: /-docker\.pkg\.dev$/,
    realm: (host) => `${host}/v2/token`,
    service: () => '',
    anonymous: '403 Forbidden',
    wrong: '401 Unauthorized',
  },
  {
    host: /\.azurecr\.io$/,
    realm: (host) => `${host}/oauth2/token`,
    service: (host) => host,
    anonymous: '401 Unauthorized',
    wrong: '401 Unauthorized',
  },
];

const NO_ACCESS = 'pull access denied, repository does not exist or may require authorization';
export const DENIED = `${NO_ACCESS}: server message: insufficient_scope: authorization failed`;

/** A pull's error, as containerd tells it, when its first question to the registry got `why`. */
export const resolveError = ({ full }: Pick<Reference, 'full'>, why: string): string =>
  `failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${why}`;

/** Why a registry refuses a pull to whom it is private, with what was shown; undefined: it does not. */
export function findRefusal(
  reference: Reference,
  { users }: Access,
  shown: Credentials | undefined,
): string | undefined {
  const mayPull = (login: Credentials): boolean =>
    users ? users.some(({ name, password }) => name === login.username && password === login.password) : true;
  // The client takes an empty name or password for none.
  const login = shown?.username && shown.password ? shown : undefined;
  if (login && mayPull(login)) return undefined;
  return resolveError(reference, refuse(reference, login !== undefined));
}

/** Models containerd core/remotes/docker/authorizer.go, resolver.go. */
function refuse({ host, repository, tag, digest }: Reference, isWrong: boolean): string {
  const path = repository.slice(host.length + 1);
  const server = TOKEN_SERVERS.find((one) => one.host.test(host));
  if (!server) {
    if (!isWrong && host !== 'quay.io') return `${NO_ACCESS}: authorization failed: no basic auth credentials`;
    const word = host === 'quay.io' ? 'UNAUTHORIZED' : 'Unauthorized';
    return `unexpected status from HEAD request to https://${host}/v2/${path}/manifests/${digest ?? tag}: 401 ${word}`;
  }
  const status = isWrong ? server.wrong : server.anonymous;
  if (status === undefined) return DENIED;
  const service = server.service(host);
  const query = `scope=repository%3A${encodeURIComponent(path)}%3Apull${service === '' ? '' : `&service=${service}`}`;
  const kind = isWrong ? 'oauth' : 'anonymous';
  return `failed to authorize: failed to fetch ${kind} token: unexpected status from GET request to https://${server.realm(host)}?${query}: ${status}`;
}

/** What the kubelet says of several tries: each error once. Models apimachinery's errors.NewAggregate. */
export function aggregateErrors(errors: readonly string[]): string {
  const different = [...new Set(errors)];
  return different.length === 1 ? different[0]! : `[${different.join(', ')}]`;
}
