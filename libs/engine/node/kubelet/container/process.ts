import type { Container, Pod } from '../../../api/core_v1.js';
import type { Endpoint } from '../../../api/discovery_v1.js';
import { EndpointSlices, NodeRuntimes, Nodes, PodRuntimes, Pods, Services } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { own } from '../../../machinery/meta/object.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import type { Image, ImageCatalog, ImageConfig, Process, Start } from '../../cri/image.js';
import { parseReference } from '../../cri/images/reference.js';
import type { TakenPorts } from '../pod/pod-runtime.js';
import { serviceVariables } from './service-variables.js';
import { mountedFiles } from '../volumemanager/payload.js';
import { makeEnvironmentVariables } from './environment.js';
import { expand } from './expansion.js';
import { withLostLease } from './lost-lease.js';
import { withLostStore } from './lost-store.js';
import { isSidecar } from './role.js';
import { RunStart } from './run-start.js';
import { ConfigError, type Data, type ValueSource } from './value-source.js';
import { isMirrorPod } from '../../../kinds/core/pod/mirror.js';

/** One run of a container. */
export interface ContainerRun {
  readonly container: Container;
  /** The image as the container's status names it. */
  readonly image: string;
  /** Seeds what differs between runs. */
  readonly containerID: string;
  readonly startedAt: Millis;
  /** What it has read at its beginning, of which a sync knows before it is stored: Start.kept. */
  readonly kept?: string | undefined;
  /** Ports that are others', of which a sync knows before they are stored: Start.taken. */
  readonly taken?: readonly TakenPorts[] | undefined;
}

/** How a container reaches other hosts. */
export type Network = Pick<Start, 'resolves' | 'connects'>;

/** The process of a container that runs or ran; undefined when its image is not known any more. */
export function processOf(
  images: ImageCatalog,
  run: ContainerRun,
  values: ValueSource,
  network: Network,
): Process | undefined {
  const found = findStart(images, run, values, network);
  return found && startedSummary(found, values);
}

/** How a known main program runs, and what has become of its cluster's store meanwhile. */
export function startedSummary(
  { image, start }: { readonly image: Image; readonly start: Start },
  { pod, read }: ValueSource,
): Process | undefined {
  const process = image.start(start);
  if (!process || !read) return process;
  const { name } = start.container;
  return withLostLease(read, pod, name, withLostStore(read, pod, name, process, start.at), start.at);
}

/** How a container that runs or ran was started, and its image. Undefined when the image is not known any more. */
export function findStart(
  images: ImageCatalog,
  run: ContainerRun,
  values: ValueSource,
  network: Network,
): { readonly image: Image; readonly start: Start } | undefined {
  const { container, image, containerID, startedAt } = run;
  const reference = parseReference(image);
  const found = reference && images.resolve(reference);
  if (!found || 'error' in found) return undefined;
  const source = withNode(values);
  const { pod } = source;
  const { config } = found.image;
  const services = once(() => serviceVariables(source, startedAt));
  const ownVariables = once(() => readableEnvironment(container, source, services));
  // Most programs look at no variables: those of many Services cost them nothing.
  const env = once(() => environmentOf(config.env, ownVariables(), services()));
  const taken = (): readonly number[] => {
    const known = 'taken' in run ? run.taken : storedOf(container, source)?.taken;
    return known?.find((one) => one.containerID === containerID)?.ports ?? NONE;
  };
  const start = new RunStart({
    argv: commandLine(container, config, env),
    env,
    fault: () => faultOf(container, source),
    kept: () => ('kept' in run ? run.kept : storedOf(container, source)?.kept),
    taken,
    container: asStarted(pod, container, image),
    beside: () => imagesBeside(pod, container),
    at: startedAt,
    pod: {
      name: pod.metadata.name ?? '',
      namespace: pod.metadata.namespace ?? '',
      ip: pod.status.podIP ?? '',
      node: pod.spec.nodeName ?? '',
      podCIDR: source.node?.spec.podCIDR ?? '',
    },
    seed: containerID,
    ends: isExpectedToEnd(pod, container),
    files: () => mountedFiles(container, source),
    resolves: network.resolves,
    connects: network.connects,
  });
  return { image: found.image, start };
}

/** The image's variables, the container's own, then those of Services that it does not set itself. */
function environmentOf(image: Data | undefined, container: Data, services: Data): Data {
  const all: Record<string, string> = { ...image, ...container };
  for (const name in services) if (!Object.hasOwn(container, name)) all[name] = services[name]!;
  return all;
}

/** Until a container is replaced it runs the image that it was started with, whatever its pod names by now. */
function asStarted({ spec }: Pod, container: Container, image: string): Container {
  const named = container.image ?? '';
  const isSame = named === image || parseReference(named)?.full === parseReference(image)?.full;
  const { securityContext: own } = container;
  const runAsUser = own?.runAsUser ?? spec.securityContext?.runAsUser;
  const appArmorProfile = own?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
  if (isSame && runAsUser === own?.runAsUser && appArmorProfile === own?.appArmorProfile) return container;
  const confined = appArmorProfile ? { appArmorProfile } : {};
  return { ...container, image: isSame ? named : image, securityContext: { ...own, runAsUser, ...confined } };
}

/** Those of the pod's own containers and its sidecars. */
function imagesBeside({ spec }: Pod, container: Container): readonly string[] {
  const { containers, initContainers = [] } = spec;
  if (containers.length === 1 && initContainers.length === 0) return ALONE;
  return [...containers, ...initContainers.filter(isSidecar)]
    .filter(({ name }) => name !== container.name)
    .map(({ image = '' }) => image);
}

const ALONE: readonly string[] = [];

/** Static pods read the files of their node: its record knows what has come of it. */
function faultOf({ name }: Container, { pod, read }: ValueSource): string | undefined {
  if (!isMirrorPod(pod)) return undefined;
  return read?.get(NodeRuntimes, { namespace: '', name: pod.spec.nodeName ?? '' })?.broken?.[name];
}

const NONE: readonly number[] = [];

/** What is stored of a container's runs. */
interface Kept {
  readonly kept?: string;
  readonly taken?: readonly TakenPorts[];
}

/** Of a PodRuntime. */
interface Stored {
  readonly uid: string;
  readonly containers: Readonly<Record<string, Kept>>;
}

/** What the run that is under way has read at its beginning, and what it met: its pod's record has it. */
function storedOf({ name }: Container, { pod, read }: ValueSource): Kept | undefined {
  const { namespace = '', name: podName = '', uid } = pod.metadata;
  const stored = read?.get(PodRuntimes, { namespace, name: podName }) as Partial<Stored> | undefined;
  return stored?.uid === uid ? stored?.containers?.[name] : undefined;
}

/** Limits that a container does not set are the node's, for logs and connections as for the kubelet. */
function withNode(source: ValueSource): ValueSource {
  const { pod, read } = source;
  const node = source.node ?? read?.get(Nodes, { namespace: '', name: pod.spec.nodeName ?? '' });
  return node ? { ...source, node } : source;
}

function once<T>(compute: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= compute());
}

/** Entrypoint and arguments. Models pkg/kubelet/container ExpandContainerCommandAndArgs over the image's own. */
function commandLine(container: Container, config: ImageConfig, env: () => Data): readonly string[] {
  const { entrypoint = [], cmd = [] } = config;
  const command = container.command ?? [];
  const args = container.args ?? [];
  if (command.length === 0 && args.length === 0) return [...entrypoint, ...cmd];
  return [...(command.length > 0 ? command : entrypoint), ...args].map((word) =>
    expand(word, (name) => own(env(), name)),
  );
}

const isExpectedToEnd = ({ spec }: Pod, container: Container): boolean =>
  (spec.restartPolicy ?? 'Always') !== 'Always' ||
  (container.restartPolicy !== 'Always' && Boolean(spec.initContainers?.includes(container)));

/** An object that a running process was given may be deleted by now: then only the other variables are known. */
function readableEnvironment(container: Container, source: ValueSource, services: () => Data): Data {
  try {
    return makeEnvironmentVariables(container, source, services);
  } catch (error) {
    if (error instanceof ConfigError)
      return makeEnvironmentVariables(container, { pod: source.pod, node: source.node }, services);
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
export function isReadyAt(read: Reader, namespace: string, { targetRef }: Endpoint, at: Millis): boolean {
  if (targetRef?.kind !== 'Pod') return true;
  const ready = read
    .get(Pods, { namespace, name: targetRef.name ?? '' })
    ?.status.conditions?.find((c) => c.type === 'Ready');
  return ready?.status === 'True' && parseTimestamp(ready.lastTransitionTime ?? '') <= at;
}
