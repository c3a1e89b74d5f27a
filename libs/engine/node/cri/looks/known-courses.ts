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

/** What a run is started with, when nothing else tells how it goes on. */
interface CommandRun {
  readonly containerID: string;
  readonly image: Image;
  /** Equal for runs that go the same way; undefined: it is not known to do that. */
  readonly key: string | undefined;
}

/**
 * How runs end whose command lines alone tell that, once a machine has run one of them: a CronJob's pods, all of which
 * do the same. Nobody makes a machine for another one until somebody looks into it, and then it is made as ever. A
 * course depends on nothing of the cluster but what its key says, so that it is no state of it.
 */
export class KnownCourses {
  private readonly runs = new WeakMap<Container, CommandRun>();
  private readonly courses = new WeakMap<Image, Map<string, Course>>();

  /** Of a command line's words with zeros between. */
  private readonly isTelling: (words: string) => boolean;

  constructor(private readonly options: Pick<MachinesOptions, 'images' | 'state'>) {
    const { programs } = options.images;
    this.isTelling = memoize(MAX_COURSES, (words) => programs?.isSelfContained?.(words.split('\0')) === true);
  }

  /** How a run that has begun goes on; undefined: its machine tells. */
  find(view: PodView, containerID: string): Forecast | undefined {
    const run = this.onlyRunOf(view, containerID);
    const { key, image } = (run && this.commandOf(view, run)) ?? {};
    const course = key !== undefined && image && this.courses.get(image)?.get(key);
    if (!course || !run || this.isDisturbed(view)) return undefined;
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
    const run = exit && isPlain ? this.onlyRunOf(view, containerID) : undefined;
    const { key, image } = (run && this.commandOf(view, run)) ?? {};
    if (!exit || !run || key === undefined || !image || this.isDisturbed(view)) return;
    let known = this.courses.get(image);
    if (!known) this.courses.set(image, (known = new Map()));
    if (known.size >= MAX_COURSES) known.clear();
    known.set(key, { exit, afterMs: exit.at - run.startedAt });
  }

  /** Whether a run's command line tells all that it does: it uses next to nothing, and asks nobody. */
  isSelfContained(view: PodView, containerID: string): boolean {
    const run = this.onlyRunOf(view, containerID);
    return run !== undefined && this.commandOf(view, run).key !== undefined && !this.isDisturbed(view);
  }

  /** The first run of a pod that has one container, and that nobody stops. */
  private onlyRunOf({ pod, statuses, records }: PodView, containerID: string): Run | undefined {
    if (!this.options.images.programs?.isSelfContained || !isPlainPod(pod)) return undefined;
    const run = soleRunOf(pod, statuses, records);
    return run?.containerID === containerID ? run : undefined;
  }

  private commandOf({ pod }: PodView, run: Run): CommandRun {
    const { container, containerID } = run;
    const known = this.runs.get(container);
    if (known?.containerID === containerID) return known;
    const found = isPlainContainer(container)
      ? findStart(this.options.images, run, { pod, read: this.options.state }, NO_NETWORK)
      : undefined;
    const made = { containerID, image: found?.image ?? NO_IMAGE, key: found && this.keyOf(found) };
    this.runs.set(container, made);
    return made;
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
  private isDisturbed({ pod }: PodView): boolean {
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

const NO_IMAGE: Image = { repositories: [], tags: /^$/, layers: [], config: {}, start: () => undefined };

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
