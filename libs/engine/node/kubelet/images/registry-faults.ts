import { activeEffects } from '../../../kinds/terrarium/fault/active.js';
import type { Reader } from '../../../machinery/client.js';
import type { Reference } from '../../cri/images/reference.js';
import { resolveError } from '../../cri/images/registry-access.js';

/** What a registry does to the pulls of a node: it refuses them, or takes so many times as long. */
export interface RegistryFault {
  readonly error?: string;
  readonly factor?: number;
}

/** The server that answers for Docker Hub. */
const HUB = 'registry-1.docker.io';

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
    return { error: resolveError(reference, refusing.fault === 'down' ? lost(reference) : limited(reference)) };
  return { factor: Math.max(...found.map(({ factor = 1 }) => factor)) };
}

const serverOf = ({ host }: Reference): string => (host === 'docker.io' ? HUB : host);

const manifestOf = (reference: Reference): string => {
  const { host, repository, tag, digest } = reference;
  return `https://${serverOf(reference)}/v2/${repository.slice(host.length + 1)}/manifests/${digest ?? tag}`;
};

const lost = (reference: Reference): string =>
  `failed to do request: Head "${manifestOf(reference)}": dial tcp: lookup ${serverOf(reference)}: i/o timeout`;

/** Models Docker Hub's answer, as containerd tells it. */
const limited = (reference: Reference): string => {
  const url = manifestOf(reference);
  if (reference.host !== 'docker.io') return `unexpected status from HEAD request to ${url}: 429 Too Many Requests`;
  return (
    `failed to copy: httpReadSeeker: failed open: unexpected status code ${url}: 429 Too Many Requests - Server message: ` +
    'toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit'
  );
};
