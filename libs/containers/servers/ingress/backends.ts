import type { Reader } from '@terrarium/engine';
import type { IngressBackend } from '../../../engine/api/networking_v1.js';
import type { EndpointPort } from '../../../engine/api/discovery_v1.js';
import { EndpointSlices, Services } from '../../../engine/kinds/index.js';
import { isReadyAt } from '../../../engine/node/kubelet/container/process.js';

const SERVICE_NAME = 'kubernetes.io/service-name';

export interface Backend {
  readonly address: string;
  readonly port: number;
}

/** The ready endpoints of a Service's port, in the order of their addresses. */
export function backendsOf(
  read: Reader,
  namespace: string,
  name: string,
  wanted: { readonly name?: string; readonly number?: number } | undefined,
  now: number,
): Backend[] {
  const found = read.get(Services, { namespace, name });
  const port = found?.spec.ports?.find((one) =>
    wanted?.name === undefined ? one.port === wanted?.number : one.name === wanted.name,
  );
  if (!port) return [];
  return read
    .list(EndpointSlices, namespace)
    .filter((slice) => slice.metadata.labels?.[SERVICE_NAME] === name && slice.addressType !== 'IPv6')
    .flatMap(({ ports, endpoints = [] }) => {
      const target = (ports as EndpointPort[] | undefined)?.find((one) => (one.name ?? '') === (port.name ?? ''))?.port;
      if (target === undefined) return [];
      return endpoints
        .filter((one) => one.conditions?.ready !== false && isReadyAt(read, namespace, one, now))
        .map(({ addresses }) => ({ address: addresses[0] ?? '', port: target }));
    })
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** The same of an Ingress's backend. */
export const endpointsOf = (read: Reader, namespace: string, { service }: IngressBackend, now: number): Backend[] =>
  service ? backendsOf(read, namespace, service.name, service.port, now) : [];
