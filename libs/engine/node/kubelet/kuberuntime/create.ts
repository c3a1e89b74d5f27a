import type { Container, Pod } from '../../../api/core_v1.js';
import { MINUTE, SECOND, timestamp, type Millis } from '../../../machinery/time/time.js';
import type { ImageCatalog, ImageConfig } from '../../cri/image.js';
import { parseReference } from '../../cri/reference.js';
import type { Decision, TrackedContainer } from '../container/decision.js';
import { makeEnvironmentVariables } from '../container/environment.js';
import { ConfigError, type ValueSource } from '../container/value-source.js';
import { normalEvent, warningEvent } from '../events/event.js';
import { formatTime, omit, parseTime } from '../pod/pod-runtime.js';
import { lastStateOf, runningStatus, waitingStatus } from '../status/container-status.js';

const CONFIG_RETRY = 12 * SECOND;
/** After this many failures the next try comes later: the recorder lets no more of their events through. */
const MANY_FAILURES = 25;
const CONFIG_RETRY_LATER = 5 * MINUTE;

export interface CreateRequest extends TrackedContainer {
  readonly container: Container;
  readonly source: ValueSource;
  readonly images: ImageCatalog;
  readonly now: Millis;
  /** 64 hexadecimal digits; called once the container is made. */
  newID(): string;
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
  const problem = findEnvironmentProblem(container, source);
  if (problem !== undefined) return failCreate(request, problem);
  if ('error' in image) return { started: false };
  const rootProblem = verifyRunAsNonRoot(source.pod, container, image.image.config);
  if (rootProblem !== undefined) return failCreate(request, rootProblem);
  const record = omit(request.record, 'step', 'due', 'failures', 'dying', 'probedAt', 'restarting');
  return {
    started: true,
    record: { ...record, startedAt: formatTime(now) },
    status: runningStatus(container, source.pod, {
      containerID: `containerd://${request.newID()}`,
      image: reference.full,
      imageID: image.id,
      startedAt: timestamp(now),
      lastState: lastStateOf(status),
      // A status with a container ID is that of an earlier run.
      restartCount: status.containerID ? status.restartCount + 1 : status.restartCount,
    }),
    events: [normalEvent('Created', 'Container created'), normalEvent('Started', 'Container started')],
  };
}

function failCreate({ status, record, now }: CreateRequest, message: string): CreateDecision {
  const failures = (record.failures ?? 0) + 1;
  const notBefore = formatTime(now + (failures < MANY_FAILURES ? CONFIG_RETRY : CONFIG_RETRY_LATER));
  return {
    started: false,
    record: omit({ ...record, failures, notBefore }, 'step'),
    status: waitingStatus(status, { message, reason: 'CreateContainerConfigError' }),
    events: [warningEvent('Failed', `Error: ${message}`)],
    wakeAt: parseTime(notBefore),
  };
}

function findEnvironmentProblem(container: Container, source: ValueSource): string | undefined {
  try {
    makeEnvironmentVariables(container, source);
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
  const isRoot = uid === 0 || (uid === undefined && (config.user ?? '0') === '0');
  if (!isRoot) return undefined;
  const { name, namespace, uid: podUID } = pod.metadata;
  return `container has runAsNonRoot and image will run as root (pod: "${name}_${namespace}(${podUID})", container: ${container.name})`;
}
