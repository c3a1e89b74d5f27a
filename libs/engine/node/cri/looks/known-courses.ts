import type { Container, Pod } from '../../../api/core_v1.js';
import type { ContainerExit } from '../../../kernel/container.js';
import { isMirrorPod } from '../../../kinds/core/pod/mirror.js';
import { Faults, Services } from '../../../kinds/index.js';
import { lastingEffects } from '../../../kinds/terrarium/fault/active.js';
import { configurationOf } from '../../../kinds/terrarium/noderuntime/kind.js';
import { memoize } from '../../../machinery/memoize.js';
import type { Millis } from '../../../machinery/time/time.js';
import { findStart, type Network } from '../../kubelet/container/process.js';
import type { Image } from '../image.js';
import type { MachinesOptions, PodView } from '../pods/pod-view.js';
import { troublesOf } from '../pods/troubles.js';
import { soleRunOf, type Run } from '../records/course.js';
import { readMachine } from '../records/machine-record.js';
import type { Forecast } from './forecast.js';

/** Command lines of one image that are remembered. */
const MAX_COURSES = 200;
const MAX_KEY_LENGTH = 4_096;
/** Variables of more Services may be too long for a command line. */
const MAX_SERVICES = 200;
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
/** A command line does not depend on it. */
const NO_NETWORK: Network = { resolves: () => false, connects: () => false };

/** How a run ends, so long after its start. */
interface Course {
  readonly exit: ContainerExit;
  readonly afterMs: Millis;
}

/** What a run is started with. */
interface Command {
  readonly image: Image;
  /** Equal for runs of the image that go the same way. */
  readonly key: string;
}

/** A run whose command line tells how it goes on. */
type TellingRun = Command & Pick<Run, 'startedAt'>;

/**
 * How runs end whose command lines alone tell that, once a machine has run one of them: a CronJob's pods, all of which
 * do the same. Nobody makes a machine for another one until somebody looks into it, and then it is made as ever. A
 * course depends on nothing of the cluster but what its key says, so that it is no state of it.
 */
export class KnownCourses {
  /** Of a container's last run; without a command: another than its line tells how that goes on. */
  private readonly commands = new WeakMap<Container, { readonly containerID: string; readonly command?: Command }>();
  private readonly courses = new WeakMap<Image, Map<string, Course>>();
  /** Of a command line's words with zeros between. */
  private readonly isTelling: (words: string) => boolean;

  constructor(private readonly options: Pick<MachinesOptions, 'images' | 'state'>) {
    const { programs } = options.images;
    this.isTelling = memoize(MAX_COURSES, (words) => programs?.isSelfContained?.(words.split('\0')) === true);
  }

  /** How a run that has begun goes on; undefined: its machine tells. */
  find(view: PodView, containerID: string): Forecast | undefined {
    const run = this.tellingRunOf(view, containerID);
    const course = run && this.courses.get(run.image)?.get(run.key);
    if (!course) return undefined;
    const exit = { ...course.exit, at: run.startedAt + course.afterMs };
    return { exit, listening: [{ at: 0, ports: [] }], knownUntil: Infinity };
  }

  /** Whether that is so of all that runs in a pod. */
  areKnown(view: PodView): boolean {
    const [status, ...more] = view.statuses.values();
    return more.length === 0 && this.find(view, status?.containerID ?? '') !== undefined;
  }

  /** Notes how a run goes on, for those of the same command line. */
  remember(view: PodView, containerID: string, { exit, listening, knownUntil, heavyAt }: Forecast): void {
    const isPlain = knownUntil === Infinity && heavyAt === undefined && listening.every(({ ports }) => !ports.length);
    const run = exit && isPlain ? this.tellingRunOf(view, containerID) : undefined;
    if (!exit || !run) return;
    let known = this.courses.get(run.image);
    if (!known) this.courses.set(run.image, (known = new Map()));
    if (known.size >= MAX_COURSES) known.clear();
    known.set(run.key, { exit, afterMs: exit.at - run.startedAt });
  }

  /** Whether a run's command line tells all that it does: it uses next to nothing, and asks nobody. */
  isSelfContained(view: PodView, containerID: string): boolean {
    return this.tellingRunOf(view, containerID) !== undefined;
  }

  /** The first run of a pod that has one container, that nobody stops, and in which nothing else is done. */
  private tellingRunOf(view: PodView, containerID: string): TellingRun | undefined {
    const { pod, statuses, records } = view;
    const run = isPlainPod(pod) ? soleRunOf(pod, statuses, records) : undefined;
    if (run?.containerID !== containerID) return undefined;
    const command = this.commandOf(pod, run);
    return command && !this.isDisturbed(pod) ? { ...command, startedAt: run.startedAt } : undefined;
  }

  private commandOf(pod: Pod, run: Run): Command | undefined {
    const { container, containerID } = run;
    const known = this.commands.get(container);
    if (known?.containerID === containerID) return known.command;
    const { images, state } = this.options;
    const found = isPlainContainer(container) ? findStart(images, run, { pod, read: state }, NO_NETWORK) : undefined;
    const key = found && this.keyOf(found);
    const command = found && key !== undefined ? { image: found.image, key } : undefined;
    this.commands.set(container, { containerID, ...(command ? { command } : {}) });
    return command;
  }

  private keyOf({ image, start }: NonNullable<ReturnType<typeof findStart>>): string | undefined {
    const { argv, container } = start;
    if (image.keeps || image.isAuthored || !image.files || !this.isTelling(argv.join('\0'))) return undefined;
    if (image.start(start) !== undefined) return undefined;
    const { env, workingDir, terminationMessagePath } = container;
    const key = JSON.stringify([argv, env, workingDir, terminationMessagePath, container.image]);
    return key.length <= MAX_KEY_LENGTH ? key : undefined;
  }

  /** Somebody has acted on its machine, a fault on its node or itself, or its node is set up in another way. */
  private isDisturbed(pod: Pod): boolean {
    const { state } = this.options;
    const node = pod.spec.nodeName ?? '';
    return (
      readMachine(state, pod) !== undefined ||
      (state.list(Faults).length > 0 && this.isFaulty(pod)) ||
      configurationOf(state, node).podPidsLimit !== undefined ||
      state.list(Services, pod.metadata.namespace).length > MAX_SERVICES
    );
  }

  private isFaulty(pod: Pod): boolean {
    const { state } = this.options;
    return troublesOf(state, pod) !== undefined || lastingEffects(state, 'pressure').length > 0;
  }
}

/** Its containers see nothing of others, of their node, or of another kernel. */
function isPlainPod(pod: Pod): boolean {
  const { hostPID, hostIPC, hostNetwork, shareProcessNamespace, runtimeClassName, securityContext, resources } =
    pod.spec;
  if (hostPID || hostIPC || hostNetwork || shareProcessNamespace || runtimeClassName || resources) return false;
  return isEmpty(securityContext) && !isMirrorPod(pod);
}

/** Nothing is mounted that it may run or meet, no limit holds it up, and its variables are known. */
function isPlainContainer(container: Container): boolean {
  const { lifecycle, stdin, tty, securityContext, envFrom, env, volumeDevices, volumeMounts, resources } = container;
  if (lifecycle || stdin || tty || envFrom?.length || volumeDevices?.length || !isEmpty(securityContext)) return false;
  if (resources?.limits || resources?.claims) return false;
  return (
    (env ?? []).every(({ valueFrom }) => valueFrom === undefined) &&
    (volumeMounts ?? []).every(({ mountPath }) => mountPath === ACCOUNT)
  );
}

function isEmpty(object: object | undefined): boolean {
  for (const _ in object) return false;
  return true;
}
