import type { Reader } from '@terrarium/engine';
import type { Service } from '../../../../engine/api/core_v1.js';
import { Services } from '../../../../engine/kinds/index.js';
import { ServiceEntries, type ServiceEntry } from '../resources.js';
import type { Mesh } from '../mesh.js';

/** Who is known by a name in the mesh. */
export type Host = { readonly name: string; readonly namespace: string } & (
  | { readonly service: Service }
  | { readonly entry: ServiceEntry }
);

/** The whole name of a host: one without a dot is of the namespace of the object that says it. */
export const fullName = (host: string, namespace: string, { domain }: Mesh): string =>
  host.includes('.') || host === '*' ? host.toLowerCase() : `${host.toLowerCase()}.${namespace}.svc.${domain}`;

/** Without a port. */
export const hostPart = (authority: string): string => authority.replace(/:\d{1,5}$/, '').toLowerCase();

/** Whether a name with a wildcard ('*', '*.a.test') is a host's. */
export const fits = (pattern: string, host: string): boolean =>
  pattern === '*' || pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)));

/** The longest, exact ones first. */
export const closeness = (pattern: string): number =>
  pattern === '*' ? 0 : pattern.startsWith('*') ? pattern.length : 1_000 + pattern.length;

/** A Service by any name that a program of a namespace has for it, or an entry. */
export function findHost(read: Reader, text: string, namespace: string, mesh: Mesh): Host | undefined {
  const host = hostPart(text);
  return findService(read, host, namespace, mesh) ?? findEntry(read, host);
}

function findService(read: Reader, host: string, namespace: string, mesh: Mesh): Host | undefined {
  const service = /^[\d.]+$/.test(host)
    ? read.list(Services).find(({ spec }) => spec.clusterIP === host)
    : byName(read, host, namespace, mesh);
  if (!service) return undefined;
  const { name = '', namespace: own = '' } = service.metadata;
  return { service, name: `${name}.${own}.svc.${mesh.domain}`, namespace: own };
}

function byName(read: Reader, host: string, namespace: string, { domain }: Mesh): Service | undefined {
  const [name = '', own = namespace, ...rest] = host.split('.');
  const tail = rest.join('.');
  return tail === '' || tail === 'svc' || tail === `svc.${domain}`
    ? read.get(Services, { namespace: own, name })
    : undefined;
}

function findEntry(read: Reader, host: string): Host | undefined {
  const entry = read.list(ServiceEntries).find(({ spec }) => spec.hosts?.some((one) => fits(one, host)));
  return entry && { entry, name: host, namespace: entry.metadata.namespace ?? '' };
}
