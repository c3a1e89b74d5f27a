import type { Container, ContainerStatus, Pod } from '../../../api/core_v1.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import type { FileTree } from '../../../kernel/files/tree.js';
import type { Image, ImageCatalog, ImageConfig } from '../../cri/image.js';
import { parseReference } from '../../cri/images/reference.js';
import type { Decision, TrackedContainer } from '../container/decision.js';
import { makeEnvironmentVariables } from '../container/environment.js';
import { findStart, type Network } from '../container/process.js';
import { serviceVariables } from '../container/service-variables.js';
import { ConfigError, type Data, type ValueSource } from '../container/value-source.js';
import { resolveSubPath } from '../container/sub-path.js';
import { normalEvent, warningEvent } from '../events/event.js';
import { formatTime, omit, type ContainerRecord, type TakenPorts } from '../pod/pod-runtime.js';
import { retryContainer } from '../retry.js';
import { findProfileProblem } from './security-profiles.js';
import { lastStateOf, runningStatus, waitingStatus } from '../status/container-status.js';

/** Models containerd's internal/cri/server/container_start.go (errorStartReason, errorStartExitCode). */
export const START_ERROR = 'StartError';
const START_ERROR_CODE = 128;
const CREATE_FAILED =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: ' +
  'unable to start container process: error during container init: ';

export interface CreateRequest extends TrackedContainer {
  readonly container: Container;
  readonly source: ValueSource;
  readonly images: ImageCatalog;
  readonly now: Millis;
  /** 64 hexadecimal digits; called once the container is made. */
  newID(): string;
  /** Why the main process of the container, as it is once it runs, cannot be started, in runc's words. */
  findStartFailure?(begun: TrackedContainer): string | undefined;
  /** Ports of its network namespace that are others' as it begins: TakenPorts. */
  findTakenPorts?(begun: TrackedContainer): readonly number[];
  /** The node's disk; absent: what lies there is not looked at. */
  diskOf?(): FileTree;
}

export interface CreateDecision extends Decision {
  readonly started: boolean;
}

/**
 * Creates and starts a container whose image is on the node. A fault of its configuration is reported and tried again.
 * Models kuberuntime_container.go startContainer, from generateContainerConfig on.
 */
export function createContainer(request: CreateRequest): CreateDecision {
  const { container, source, images, status, now } = request;
  const reference = parseReference(container.image ?? '')!;
  const image = images.resolve(reference);
  const problem = findEnvironmentProblem(container, source, now);
  if (problem !== undefined) return failCreate(request, problem);
  if ('error' in image) return { started: false };
  const rootProblem = verifyRunAsNonRoot(source.pod, container, image.image.config);
  if (rootProblem !== undefined) return failCreate(request, rootProblem);
  const profileProblem = request.diskOf && findProfileProblem(source.pod, container, request.diskOf);
  if (profileProblem !== undefined) return failCreate(request, profileProblem, 'CreateContainerError');
  const record = omit(
    request.record,
    ...([
      'step',
      'due',
      'failures',
      'dying',
      'probedAt',
      'probes',
      'restarting',
      'isOfLostSandbox',
      'replaced',
      'hookError',
    ] as const),
  );
  const containerID = `containerd://${request.newID()}`;
  const next = runningStatus(container, source.pod, {
    containerID,
    image: reference.full,
    imageID: image.id,
    startedAt: timestamp(now),
    lastState: lastStateOf(status),
    // A status with a container ID is that of an earlier run.
    restartCount: status.containerID ? status.restartCount + 1 : status.restartCount,
  });
  const starting = {
    ...omit(record, 'kept', 'taken', 'previousStartedAt', 'stopped', 'previousStopped'),
    startedAt: formatTime(now),
    ...(record.startedAt === undefined ? {} : { previousStartedAt: record.startedAt }),
    ...(record.stopped === undefined ? {} : { previousStopped: record.stopped }),
    ...keep(request, image.image, containerID),
  };
  const ports = request.findTakenPorts?.({ status: next, record: starting }) ?? [];
  const begun = { ...starting, ...takenBy(record, containerID, ports) };
  const failure = request.findStartFailure?.({ status: next, record: begun });
  if (failure !== undefined) return failStart(next, omit(record, 'startedAt'), failure, now);
  return {
    started: true,
    record: begun,
    status: next,
    events: [normalEvent('Created', 'Container created'), normalEvent('Started', 'Container started')],
  };
}

/** What its run meets, and what the one before met. */
function takenBy(record: ContainerRecord, containerID: string, ports: readonly number[]): { taken?: TakenPorts[] } {
  const taken = [...(ports.length > 0 ? [{ containerID, ports }] : []), ...(record.taken ?? []).slice(0, 1)];
  return taken.length > 0 ? { taken } : {};
}

const NO_NETWORK: Network = { resolves: () => false, connects: () => false };

/** What the image's program reads once, at its beginning. */
function keep({ container, source, images, now }: CreateRequest, image: Image, containerID: string): { kept?: string } {
  if (!image.keeps) return {};
  const run = {
    container,
    image: container.image ?? '',
    containerID,
    startedAt: now,
    kept: undefined,
    taken: undefined,
  };
  const found = findStart(images, run, source, NO_NETWORK);
  const kept = found && image.keeps(found.start);
  return kept === undefined ? {} : { kept };
}

/** A container that was created, and whose process containerd could not start: it has ended. */
function failStart(status: ContainerStatus, record: ContainerRecord, failure: string, now: Millis): CreateDecision {
  const message = `${CREATE_FAILED}${failure}: unknown`;
  return {
    started: true,
    record,
    status: {
      ...status,
      state: {
        terminated: {
          containerID: status.containerID,
          exitCode: START_ERROR_CODE,
          finishedAt: timestamp(now),
          message,
          reason: START_ERROR,
          startedAt: timestamp(0),
        },
      },
    },
    events: [normalEvent('Created', 'Container created'), warningEvent('Failed', `Error: ${message}`)],
  };
}

/** Models pkg/kubelet/kuberuntime/kuberuntime_container.go ErrCreateContainerConfig and ErrCreateContainer. */
function failCreate(
  { status, record, now }: CreateRequest,
  message: string,
  reason: 'CreateContainerConfigError' | 'CreateContainerError' = 'CreateContainerConfigError',
): CreateDecision {
  return {
    started: false,
    ...retryContainer(record, now),
    status: waitingStatus(status, { message, reason }),
    events: [warningEvent('Failed', `Error: ${message}`)],
  };
}

function findEnvironmentProblem(container: Container, source: ValueSource, now: Millis): string | undefined {
  try {
    const variables = makeEnvironmentVariables(container, source);
    const env = (): Data => ({ ...serviceVariables(source, now), ...variables });
    for (const mount of container.volumeMounts ?? []) resolveSubPath(mount, env);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

/** Models pkg/kubelet/kuberuntime/security_context_others.go verifyRunAsNonRoot. */
function verifyRunAsNonRoot(pod: Pod, container: Container, config: ImageConfig): string | undefined {
  const [own, shared] = [container.securityContext, pod.spec.securityContext];
  if (!(own?.runAsNonRoot ?? shared?.runAsNonRoot)) return undefined;
  const uid = own?.runAsUser ?? shared?.runAsUser;
  const { name, namespace, uid: podUID } = pod.metadata;
  const place = `(pod: "${name}_${namespace}(${podUID})", container: ${container.name})`;
  if (uid !== undefined) return uid === 0 ? `container's runAsUser breaks non-root policy ${place}` : undefined;
  const [user = ''] = (config.user ?? '').split(':');
  if (user === '' || Number(user) === 0) return `container has runAsNonRoot and image will run as root ${place}`;
  if (/^\d+$/.test(user)) return undefined;
  return `container has runAsNonRoot and image has non-numeric user (${user}), cannot verify user is non-root ${place}`;
}
