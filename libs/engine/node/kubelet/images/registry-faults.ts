import { activeEffects } from '../../../kinds/terrarium/fault/active.js';
import { hash32 } from '../../../machinery/random.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import { digestOf } from '../../digest.js';
import type { Reader } from '../../../machinery/client.js';
import type { Reference } from '../../cri/images/reference.js';
import { resolveError } from '../../cri/images/registry-access.js';

/** What a registry does to the pulls of a node: it refuses them, or takes so many times as long. */
export interface RegistryFault {
  readonly error?: string;
  /** How long the error takes to come. */
  readonly tookMs?: Millis;
  readonly factor?: number;
}

/** The server that answers for Docker Hub. */
const HUB = 'registry-1.docker.io';
/** Models containerd core/remotes/docker/config/hosts.go DefaultHosts: net.Dialer.Timeout. */
const DIAL_TIMEOUT = 30 * SECOND;
/** The first byte of the addresses at which registries are looked for. */
const PUBLIC = 44;

/** Undefined: no fault concerns the pull. */
export function registryFaultOf(read: Reader, node: string, reference: Reference): RegistryFault | undefined {
  const found = activeEffects(read, 'registry').filter(
    ({ registries, images, nodes }) =>
      (!registries || registries.some((host) => host === reference.host || host === serverOf(reference))) &&
      (!images || images.some((part) => reference.repository.includes(part))) &&
      (!nodes || nodes.includes(node)),
  );
  if (found.length === 0) return undefined;
  const refusing = found.find(({ fault }) => fault !== 'slow');
  if (refusing)
    return refusing.fault === 'down' ? { error: lost(reference), tookMs: DIAL_TIMEOUT } : { error: limited(reference) };
  return { factor: Math.max(...found.map(({ factor = 1 }) => factor)) };
}

const serverOf = ({ host }: Reference): string => (host === 'docker.io' ? HUB : host);

const manifestOf = (reference: Reference): string => {
  const { host, repository, tag, digest } = reference;
  return `https://${serverOf(reference)}/v2/${repository.slice(host.length + 1)}/manifests/${digest ?? tag}`;
};

const lost = (reference: Reference): string =>
  resolveError(
    reference,
    `failed to do request: Head "${manifestOf(reference)}": dial tcp ${addressOf(serverOf(reference))}: i/o timeout`,
  );

/** Where a registry was looked for: some public address, always the same one, and its port. */
function addressOf(server: string): string {
  const [host = '', port = '443'] = server.split(':');
  if (/^[\d.]+$/.test(host)) return `${host}:${port}`;
  const hash = hash32(host);
  return `${PUBLIC}.${(hash >>> 16) % 256}.${(hash >>> 8) % 256}.${(hash % 254) + 1}:${port}`;
}

/**
 * Models Docker Hub's answer, as containerd tells it: to ask which manifest a tag means is free, to get it counts.
 */
const limited = (reference: Reference): string => {
  const { host, full, digest } = reference;
  if (host !== 'docker.io')
    return resolveError(
      reference,
      `unexpected status from HEAD request to ${manifestOf(reference)}: 429 Too Many Requests`,
    );
  const url = manifestOf({ ...reference, digest: digest ?? `sha256:${digestOf(full)}` });
  return (
    `failed to pull and unpack image "${full}": failed to copy: httpReadSeeker: failed open: unexpected status code ` +
    `${url}: 429 Too Many Requests - Server message: ` +
    'toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit'
  );
};
