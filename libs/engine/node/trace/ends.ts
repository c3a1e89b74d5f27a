import type { Pod, Service } from '../../api/core_v1.js';
import type { EndpointSlice } from '../../api/discovery_v1.js';
import { EndpointSlices, Pods, Services } from '../../kinds/index.js';
import { findHost } from '../../kinds/terrarium/noderuntime/hosts.js';
import type { Reader } from '../../machinery/client.js';
import type { TraceEnd, TraceQuestion } from '../../machinery/questions/trace.js';
import { internalIPOf } from '../kubelet/nodestatus/internal-ip.js';
import type { Sender } from '../network/walk/way.js';

const SERVICE_NAME = 'kubernetes.io/service-name';

/** An address and a port; or a name that has yet to be asked for; or why there is none. */
export type Target =
  | { readonly address: string; readonly port: number }
  | { readonly name: string; readonly port: number }
  | { readonly fault: string };

/** Who sends; a text says what is not there. */
export function findSender(read: Reader, end: TraceEnd): Sender | string {
  switch (end.type) {
    case 'pod': {
      const pod = read.get(Pods, end);
      if (!pod) return `pods "${end.name}" not found`;
      return pod.status.podIP ? { pod } : `pod ${end.namespace}/${end.name} has no address yet`;
    }
    case 'node': {
      const node = findHost(read, end.name);
      return node ? { node } : `nodes "${end.name}" not found`;
    }
    case 'address':
      return { outside: end.address };
    default:
      return 'only a pod, a node or an address can send';
  }
}

export function findTarget(read: Reader, { to, port, protocol }: TraceQuestion): Target {
  switch (to.type) {
    case 'pod': {
      const pod = read.get(Pods, to);
      if (!pod) return { fault: `pods "${to.name}" not found` };
      if (!pod.status.podIP) return { fault: `pod ${to.namespace}/${to.name} has no address yet` };
      return withPort(pod.status.podIP, portOfPod(pod, port, protocol), port);
    }
    case 'service': {
      const service = read.get(Services, to);
      return service ? targetOfService(read, service, port, protocol) : { fault: `services "${to.name}" not found` };
    }
    case 'node': {
      const node = findHost(read, to.name);
      return node ? withPort(internalIPOf(node), port, port) : { fault: `nodes "${to.name}" not found` };
    }
    case 'address':
      return withPort(to.address, port, port);
    case 'name':
      return typeof port === 'number' ? { name: to.name, port } : { fault: noPort(port) };
  }
}

const noPort = (port: number | string | undefined): string => `there is no port ${JSON.stringify(port ?? '')}`;

const withPort = (address: string, port: number | string | undefined, asked: number | string | undefined): Target =>
  typeof port === 'number' ? { address, port } : { fault: noPort(asked) };

/** A port of a pod may be named by any of its containers. */
function portOfPod({ spec }: Pod, port: number | string | undefined, protocol: string): number | undefined {
  if (typeof port !== 'string') return port;
  const ports = spec.containers.flatMap((container) => container.ports ?? []);
  return ports.find((one) => one.name === port && (one.protocol ?? 'TCP') === protocol)?.containerPort;
}

function targetOfService(read: Reader, service: Service, port: number | string | undefined, protocol: string): Target {
  const { metadata, spec } = service;
  const name = `service ${metadata.namespace}/${metadata.name}`;
  if (spec.type === 'ExternalName')
    return typeof port === 'number' ? { name: spec.externalName ?? '', port } : { fault: noPort(port) };
  const ports = (spec.ports ?? []).filter((one) => (one.protocol ?? 'TCP') === protocol);
  const found = port === undefined ? ports[0] : ports.find((one) => one.port === port || one.name === port);
  if (port === undefined && ports.length > 1) return { fault: `${name} has several ports: say which` };
  if (spec.clusterIP !== 'None' && spec.clusterIP) {
    const asked = found?.port ?? port;
    return typeof asked === 'number' ? { address: spec.clusterIP, port: asked } : { fault: `${name} has no such port` };
  }
  const endpoint = found && firstEndpoint(read, service, found.name ?? '');
  return endpoint ?? { fault: `${name} has no ready endpoint at that port` };
}

/** Of a headless Service, whose name stands for its endpoints. */
function firstEndpoint(
  read: Reader,
  { metadata }: Service,
  portName: string,
): { readonly address: string; readonly port: number } | undefined {
  for (const slice of read.list(EndpointSlices, metadata.namespace) as readonly EndpointSlice[]) {
    if (slice.metadata?.labels?.[SERVICE_NAME] !== metadata.name) continue;
    const port = slice.ports?.find((one) => (one.name ?? '') === portName)?.port;
    const ready = slice.endpoints?.find((one) => one.conditions?.ready !== false);
    const address = ready?.addresses[0];
    if (port !== undefined && address !== undefined) return { address, port };
  }
  return undefined;
}
