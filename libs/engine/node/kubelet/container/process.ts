import type { Container, Pod } from '../../../api/core_v1.js';
import type { Endpoint } from '../../../api/discovery_v1.js';
import { EndpointSlices, Pods, Services } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import type { ImageCatalog, ImageConfig, Process, Start } from '../../cri/image.js';
import { parseReference } from '../../cri/reference.js';
import { mountedFiles } from '../volumemanager/payload.js';
import { makeEnvironmentVariables } from './environment.js';
import { expand } from './expansion.js';
import { ConfigError, type Data, type ValueSource } from './value-source.js';

/** One run of a container. */
export interface ContainerRun {
  readonly container: Container;
  /** The image as the container's status names it. */
  readonly image: string;
  /** Seeds what differs between runs. */
  readonly containerID: string;
  readonly startedAt: Millis;
}

/** How a container reaches other hosts. */
export type Network = Pick<Start, 'resolves' | 'connects'>;

/** The process of a container that runs or ran; undefined when its image is not known any more. */
export function processOf(
  images: ImageCatalog,
  { container, image, containerID, startedAt }: ContainerRun,
  source: ValueSource,
  network: Network,
): Process | undefined {
  const reference = parseReference(image);
  const found = reference && images.resolve(reference);
  if (!found || 'error' in found) return undefined;
  const { pod } = source;
  const { config } = found.image;
  const env = { ...config.env, ...readableEnvironment(container, source) };
  return found.image.start({
    argv: commandLine(container, config, env),
    env,
    container,
    at: startedAt,
    pod: {
      name: pod.metadata.name ?? '',
      namespace: pod.metadata.namespace ?? '',
      ip: pod.status.podIP ?? '',
      node: pod.spec.nodeName ?? '',
    },
    seed: containerID,
    ends: isExpectedToEnd(pod, container),
    files: () => mountedFiles(container, source),
    ...network,
  });
}

/** Entrypoint and arguments. Models pkg/kubelet/container ExpandContainerCommandAndArgs over the image's own. */
function commandLine(container: Container, config: ImageConfig, env: Data): readonly string[] {
  const { entrypoint = [], cmd = [] } = config;
  const command = container.command ?? [];
  const args = container.args ?? [];
  if (command.length === 0 && args.length === 0) return [...entrypoint, ...cmd];
  return [...(command.length > 0 ? command : entrypoint), ...args].map((word) => expand(word, env));
}

const isExpectedToEnd = ({ spec }: Pod, container: Container): boolean =>
  (spec.restartPolicy ?? 'Always') !== 'Always' ||
  (container.restartPolicy !== 'Always' && Boolean(spec.initContainers?.includes(container)));

/** An object that a running process was given may be deleted by now: then only the other variables are known. */
function readableEnvironment(container: Container, source: ValueSource): Data {
  try {
    return makeEnvironmentVariables(container, source);
  } catch (error) {
    if (error instanceof ConfigError)
      return makeEnvironmentVariables(container, { pod: source.pod, node: source.node });
    throw error;
  }
}

/** The cluster's network, seen from a namespace. */
export const networkOf = (read: Reader, namespace: string): Network => ({
  resolves: (host, when) => resolvesAt(read, namespace, host, when),
  connects: (host, port, when) => connectsAt(read, namespace, host, port, when),
});

/**
 * The Service that a host name stands for: 'web', 'web.shop', 'web.shop.svc.cluster.local'; undefined for other hosts.
 */
export function serviceKey(host: string, namespace: string): { namespace: string; name: string } | undefined {
  const [name = '', second, third] = host.split('.');
  return host === 'localhost' || (third !== undefined && third !== 'svc')
    ? undefined
    : { namespace: second ?? namespace, name };
}

/** Whether cluster DNS knows a name at a time: a Service from its creation on, well-known names outside always. */
export function resolvesAt(read: Reader, namespace: string, host: string, at: Millis): boolean {
  const key = serviceKey(host, namespace);
  if (!key) return true;
  const service = read.get(Services, key);
  if (!service) return /^[^.]+\.(com|org|net|io|dev)$/.test(host);
  return parseTimestamp(service.metadata.creationTimestamp ?? '') <= at;
}

/**
 * Whether a host accepts connections at a time: a Service when one of its endpoints was ready, hosts outside always.
 */
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
        slice.endpoints?.some((e) => e.conditions?.ready !== false && isReadyAt(read, key.namespace, e, at)),
    );
}

/** Whether an endpoint was ready at a time; one without a pod stands for a host outside, which always is. */
function isReadyAt(read: Reader, namespace: string, { targetRef }: Endpoint, at: Millis): boolean {
  if (targetRef?.kind !== 'Pod') return true;
  const ready = read
    .get(Pods, { namespace, name: targetRef.name ?? '' })
    ?.status.conditions?.find((c) => c.type === 'Ready');
  return ready?.status === 'True' && parseTimestamp(ready.lastTransitionTime ?? '') <= at;
}
