import type { Container, ContainerStatus } from '../../api/core_v1.js';
import { Services } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { parseTimestamp, type Millis } from '../../machinery/time.js';
import type { ImageCatalog, Process, Start } from '../cri/image.js';
import { parseReference } from '../cri/reference.js';
import { ConfigError, environment, expand, type Surroundings } from './environment.js';
import type { PodSync } from './pod-sync.js';

/** Entrypoint and arguments, as Kubernetes combines them with the image's. */
function argvOf(container: Container, config: { entrypoint?: readonly string[]; cmd?: readonly string[] }, env: Readonly<Record<string, string>>): readonly string[] {
  if (!container.command?.length && !container.args?.length) return [...(config.entrypoint ?? []), ...(config.cmd ?? [])];
  const command = container.command?.length ? container.command : (config.entrypoint ?? []);
  const args = container.args?.length ? container.args : container.command?.length ? [] : (config.cmd ?? []);
  return [...command, ...args].map((a) => expand(a, env));
}

/** The process of a container that runs or ran; undefined when its image is not known any more. */
export function processOf(images: ImageCatalog, container: Container, image: string, seed: string, at: Millis, around: Surroundings, resolves: Start['resolves']): Process | undefined {
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
    pod: { name: pod.metadata.name ?? '', namespace: pod.metadata.namespace ?? '', ip: pod.status.podIP ?? '', node: pod.spec.nodeName ?? '' },
    seed,
    ends: (pod.spec.restartPolicy ?? 'Always') !== 'Always' || (container.restartPolicy !== 'Always' && Boolean(pod.spec.initContainers?.includes(container))),
    resolves,
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

export const startOf = (sync: PodSync, container: Container, status: ContainerStatus, at: Millis): Process | undefined =>
  processOf(sync.images, container, status.image, status.containerID ?? '', at, sync.around, (host, when) => resolvesAt(sync.context.client, sync.pod.metadata.namespace ?? '', host, when));

/** Does cluster DNS know the name at that time? A Service is known from its creation; names outside always are. */
export function resolvesAt(read: Reader, namespace: string, host: string, at: Millis): boolean {
  const [name = '', second, third] = host.split('.');
  const inside = second === undefined || third === undefined || third === 'svc';
  if (!inside || host === 'localhost') return true;
  const service = read.get(Services, { namespace: second ?? namespace, name });
  if (!service) return second !== undefined && third === undefined && /^(com|org|net|io|dev)$/.test(second);
  return parseTimestamp(service.metadata.creationTimestamp ?? '') <= at;
}
