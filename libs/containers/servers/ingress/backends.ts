import type { Reader } from '@terrarium/engine';
import type { IngressBackend } from '../../../engine/api/networking_v1.js';
import type { EndpointPort } from '../../../engine/api/discovery_v1.js';
import { EndpointSlices, Services } from '../../../engine/kinds/index.js';
import { hash32 } from '../../../engine/machinery/random.js';
import { isReadyAt } from '../../../engine/node/kubelet/container/process.js';

const SERVICE_NAME = 'kubernetes.io/service-name';

export interface Backend {
  readonly address: string;
  readonly port: number;
}

/** One of the ready endpoints behind a backend, another one each time; undefined when there is none. */
export function chooseBackend(
  read: Reader,
  namespace: string,
  { service }: IngressBackend,
  now: number,
  salt: string,
): Backend | undefined {
  const found = service && read.get(Services, { namespace, name: service.name });
  const wanted = service?.port;
  const port = found?.spec.ports?.find((one) =>
    wanted?.name === undefined ? one.port === wanted?.number : one.name === wanted.name,
  );
  if (!port) return undefined;
  const backends = read
    .list(EndpointSlices, namespace)
    .filter((slice) => slice.metadata.labels?.[SERVICE_NAME] === service!.name)
    .flatMap(({ ports, endpoints = [] }) => {
      const target = (ports as EndpointPort[] | undefined)?.find((one) => (one.name ?? '') === (port.name ?? ''))?.port;
      if (target === undefined) return [];
      return endpoints
        .filter((one) => one.conditions?.ready !== false && isReadyAt(read, namespace, one, now))
        .map(({ addresses }) => ({ address: addresses[0] ?? '', port: target }));
    });
  return backends.length === 0 ? undefined : backends[hash32(salt, now) % backends.length];
}
