import type { Container, ContainerStatus } from '../../../api/core_v1.js';
import type { Endpoint } from '../../../api/discovery_v1.js';
import { EndpointSlices, Pods, Services } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import type { ImageCatalog, Process, Start } from '../../cri/image.js';
import { parseReference } from '../../cri/reference.js';
import { ConfigError, environment, expand, type Surroundings } from './environment.js';
import { mountedFiles } from '../volumemanager/payload.js';
import type { PodSync } from '../pod-workers/sync-pod.js';

/** Entrypoint and arguments, as Kubernetes combines them with the image's. */
function argvOf(
  container: Container,
  config: { entrypoint?: readonly string[]; cmd?: readonly string[] },
  env: Readonly<Record<string, string>>,
): readonly string[] {
  if (!container.command?.length && !container.args?.length)
    return [...(config.entrypoint ?? []), ...(config.cmd ?? [])];
  const command = container.command?.length ? container.command : (config.entrypoint ?? []);
  const args = container.args?.length ? container.args : container.command?.length ? [] : (config.cmd ?? []);
  return [...command, ...args].map((a) => expand(a, env));
}

/** The process of a container that runs or ran; undefined when its image is not known any more. */
export function processOf(
  images: ImageCatalog,
  container: Container,
  image: string,
  seed: string,
  at: Millis,
  around: Surroundings,
  network: Network,
): Process | undefined {
  const reference = parseReference(image);
  const found = reference && images.resolve(reference);
  if (!found || 'error' in found) return undefined;
  const env = { ...found.image.config.env, ...environmentOrNone(container, around) };
  const { pod } = around;
  return found.image.start({
    argv: argvOf(container, found.image.config, env),
    env,
    container,
    at,
    pod: {
      name: pod.metadata.name ?? '',
      namespace: pod.metadata.namespace ?? '',
      ip: pod.status.podIP ?? '',
      node: pod.spec.nodeName ?? '',
    },
    seed,
    ends:
      (pod.spec.restartPolicy ?? 'Always') !== 'Always' ||
      (container.restartPolicy !== 'Always' && Boolean(pod.spec.initContainers?.includes(container))),
    files: () => mountedFiles(container, around),
    ...network,
  });
}

/** What a running process was given may be gone by now; it keeps what can still be read. */
function environmentOrNone(container: Container, around: Surroundings): Readonly<Record<string, string>> {
  try {
    return environment(container, around);
  } catch (error) {
    if (error instanceof ConfigError) return environment(container, { pod: around.pod, node: around.node });
    throw error;
  }
}

/** What a container finds when it asks other hosts. */
export type Network = Pick<Start, 'resolves' | 'connects'>;

export const startOf = (
  sync: PodSync,
  container: Container,
  status: ContainerStatus,
  at: Millis,
): Process | undefined =>
  processOf(
    sync.images,
    container,
    status.image,
    status.containerID ?? '',
    at,
    sync.around,
    networkOf(sync.context.client, sync.pod.metadata.namespace ?? ''),
  );

/** The cluster's network, seen from a namespace. */
export const networkOf = (read: Reader, namespace: string): Network => ({
  resolves: (host, when) => resolvesAt(read, namespace, host, when),
  connects: (host, port, when) => connectsAt(read, namespace, host, port, when),
});

/** A Service's name in a host's, when it is one of the cluster's: 'web', 'web.shop', 'web.shop.svc.cluster.local'. */
export function serviceKey(host: string, namespace: string): { namespace: string; name: string } | undefined {
  const [name = '', second, third] = host.split('.');
  return host === 'localhost' || (third !== undefined && third !== 'svc')
    ? undefined
    : { namespace: second ?? namespace, name };
}

/** Does cluster DNS know the name at that time? A Service is known from its creation; names outside always are. */
export function resolvesAt(read: Reader, namespace: string, host: string, at: Millis): boolean {
  const key = serviceKey(host, namespace);
  if (!key) return true;
  const service = read.get(Services, key);
  if (!service) return /^[^.]+\.(com|org|net|io|dev)$/.test(host);
  return parseTimestamp(service.metadata.creationTimestamp ?? '') <= at;
}

/** Does a Service lead to an endpoint that was ready at that time? Hosts outside accept whatever they are asked. */
export function connectsAt(read: Reader, namespace: string, host: string, port: number, at: Millis): boolean {
  const key = serviceKey(host, namespace);
  const service = key && read.get(Services, key);
  if (!service || service.spec.type === 'ExternalName') return true;
  if (service.spec.clusterIP !== 'None' && !service.spec.ports?.some((p) => p.port === port)) return false;
  return read
    .list(EndpointSlices, key.namespace)
    .some(
      (slice) =>
        slice.metadata.labels?.['kubernetes.io/service-name'] === key.name &&
        slice.endpoints?.some((e) => e.conditions?.ready !== false && readyAt(read, key.namespace, e, at)),
    );
}

/** Endpoints without a pod stand for something outside that is there. */
function readyAt(read: Reader, namespace: string, { targetRef }: Endpoint, at: Millis): boolean {
  if (targetRef?.kind !== 'Pod') return true;
  const ready = read
    .get(Pods, { namespace, name: targetRef.name ?? '' })
    ?.status.conditions?.find((c) => c.type === 'Ready');
  return ready?.status === 'True' && parseTimestamp(ready.lastTransitionTime ?? '') <= at;
}
