import type { Container, Pod } from '../../api/core_v1.js';
import type { ContainerExit } from '../../kernel/container.js';
import type { FileRow, FileTree } from '../../kernel/files/tree.js';
import type { Protocol } from '../../kernel/netfilter/index.js';
import type { LoggedQuestion } from '../../kernel/sockets/logged-question.js';
import type { Client } from '../../machinery/client.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../machinery/requests/http.js';
import type { Millis } from '../../machinery/time/time.js';
import { podAt } from '../cni/pod-at.js';
import { findStart, startedSummary, type ContainerRun, type Network as Net } from '../kubelet/container/process.js';
import type { ValueSource } from '../kubelet/container/value-source.js';
import { redirectsOf } from '../network/redirects.js';
import type { Image, Process } from './image.js';
import { forecast, type Forecast } from './looks/forecast.js';
import { measurePod, type PodMeasure } from './looks/measure.js';
import { hasUnkeptWrites, isOftenKept, leavesTraces, mayWriteAtBeginning, nextKeep } from './looks/shared-writes.js';
import { tryCommand, type CommandOutcome } from './looks/run-command.js';
import { tryStop } from './looks/trial.js';
import { tryOut } from './looks/try-out.js';
import { questionsTo } from './looks/tracks.js';
import { hasOpenPort } from './pods/ports/listeners.js';
import { hasNeighbours, NO_PORTS, takenPortsOf } from './pods/ports/taken-ports.js';
import { troublesOf } from './pods/troubles.js';
import { forgetCourse, runUntil, type HookName } from './pods/follow.js';
import { askedTime, type LoadedMachine } from './pods/loaded-machine.js';
import { exitCodeOf, machineProcess } from './pods/machine-process.js';
import type { PodView } from './pods/pod-view.js';
import { hasImageFiles, isEndlessRun, mayRefuseMounts, startFailureOf } from './pods/run-starts.js';
import { summaryOf } from './pods/start-spec.js';
import { stopSignalOf } from './pods/stop-signal.js';
import { fallsBackToLog, terminationMessageOf } from './pods/termination-message.js';
import { exactRun, runsOf, type Run } from './records/course.js';
import { readMachine } from './records/machine-record.js';
import { askMachineNow, tryRequest } from './servers/ask-machine.js';
import { LoadedMachines } from './loaded-machines.js';

export type { LoadedMachine } from './pods/loaded-machine.js';
export type { MachinesOptions, PodView } from './pods/pod-view.js';
export type { HookName } from './pods/follow.js';

const ENDLESS: Forecast = { listening: [], knownUntil: Infinity };
/** The exit code of a command that cannot be started. */
const NOT_EXECUTABLE = 126;

/** What a run's image says of its main program. Without a summary, a machine runs it. */
interface FoundProgram {
  readonly source: ValueSource;
  readonly containerID: string;
  readonly image: Image;
  readonly summary: Process | undefined;
}

/** What the kubelet, the ways in and the network ask of the machines of one cluster's pods, and do to them. */
export class Machines extends LoadedMachines {
  private lastFound: FoundProgram | undefined;

  /** Whether the log of a container's server has lines of what it is asked. */
  logsRequests(view: PodView, container: string): boolean {
    return summaryOf(view, container, this.options.images, this.options.state)?.process.logsRequests === true;
  }

  /** Whether the files of a container's image are known. */
  hasFiles(view: PodView, container: string): boolean {
    return hasImageFiles(view, container, this.options.images);
  }

  /** Whether a program of a pod's machine accepts packets at a port, as far as a look sees. */
  hasSocketAt(pod: Pod, port: number, protocol: Protocol, now: Millis): boolean {
    const view = this.viewOf(pod);
    // What it is led to answers, if anything does.
    if (redirectsOf(pod)?.inbound(port) !== undefined) return true;
    const loaded = this.mode.besides(() => this.look(view, now));
    return hasOpenPort(loaded, port, protocol);
  }

  /** What a name server in a pod has logged of the questions of machines, in their order. */
  questionsTo(uid: string, now: Millis): LoggedQuestion[] {
    return questionsTo(uid, this.connected(now), now);
  }

  /** The files that a volume of a pod lies in: of a hostPath, its node's disk. */
  volumeFiles(view: PodView, name: string, now: Millis): FileTree | undefined {
    return this.at(view, now).trees.volume(name)?.tree;
  }

  /** What will become of a running container, as far as it follows from its pod's machine at a time. */
  forecast(view: PodView, containerID: string, now: Millis): Forecast {
    const told = this.courses.find(view, containerID);
    if (told) return told;
    if (this.isEndless(view, containerID, now)) return ENDLESS;
    const loaded = this.at(view, now);
    const known = loaded.forecasts.get(containerID);
    if (known && now < known.knownUntil) return known;
    const made = this.runAhead(view, loaded, containerID);
    loaded.forecasts.set(containerID, made);
    this.courses.remember(view, containerID, made);
    return made;
  }

  /**
   * Why the main process of a run that is about to begin cannot be started, in runc's words. `view`: with that run,
   * when it is to be looked at next, so that its machine is made once.
   */
  findStartFailure(view: PodView, run: Run, source: ValueSource, network: Net): string | undefined {
    const found = this.findProgram(run, source, network);
    if (!found || (found.summary && !mayRefuseMounts(run.container, found.image))) return undefined;
    if (this.courses.find(view, run.containerID)) return undefined;
    if (!found.summary && this.isLookedAtNext(view, run)) return this.startFailureIn(view, run);
    return startFailureOf(view, run, found.image.files ?? {}, this.options, () => this.optionsOf(view));
  }

  /** Ports that a run which is about to begin finds taken: of a server that its image sums up, those that it binds. */
  findTakenPorts(view: PodView, run: ContainerRun, source: ValueSource, network: Net): readonly number[] {
    if (!hasNeighbours(view.pod)) return NO_PORTS;
    const found = this.findProgram(run, source, network);
    const ports = found ? takenPortsOf(view, run, found.summary, this.options, this) : NO_PORTS;
    // From here on its image says something else.
    if (ports.length > 0) this.lastFound = undefined;
    return ports;
  }

  /** A program that is known to go on for ever is not; a postStart hook is part of the input that begins it. */
  private isLookedAtNext(view: PodView, { container, containerID }: Run): boolean {
    if (container.lifecycle?.postStart || isEndlessRun(view, containerID, this.options)) return false;
    return runsOf(view.pod, view.statuses, view.records).some((run) => run.containerID === containerID);
  }

  /** Starts the run in its pod's machine; one in which a start has failed is made again. */
  private startFailureIn(view: PodView, { containerID, startedAt }: Run): string | undefined {
    const failure = this.at(view, startedAt).failures.get(containerID);
    if (failure !== undefined) this.drop(view.pod.metadata.uid ?? '');
    return failure;
  }

  /** How a container that gets its stop signal at a time ends within its grace period; undefined: it does not. */
  stopping(view: PodView, containerID: string, now: Millis, at: Millis, graceMs: Millis): ContainerExit | undefined {
    const loaded = this.at(view, now);
    if (!loaded.runs.has(containerID)) return undefined;
    const key = `stop ${containerID} ${at} ${graceMs}`;
    const run = runsOf(view.pod, view.statuses, view.records).find((one) => one.containerID === containerID);
    const signal = stopSignalOf(run?.image ?? '', this.options.images);
    return tryOut(this, view, loaded, key, (copy) => tryStop(copy, containerID, signal, at, graceMs)).result;
  }

  /** The outcome of a command in a container, which leaves no trace there: a probe's. */
  tryCommand(
    view: PodView,
    containerID: string,
    argv: readonly string[],
    at: Millis,
    timeoutMs: Millis,
  ): CommandOutcome {
    const loaded = this.at(view, at);
    if (!loaded.runs.has(containerID)) return { code: 1, output: 'container not running', tookMs: 0 };
    const key = `exec ${containerID} ${at} ${timeoutMs} ${argv.join('\0')}`;
    const { result, asksOthers } = tryOut(this, view, loaded, key, (copy) =>
      tryCommand(copy, containerID, argv, timeoutMs),
    );
    return asksOthers ? { ...result, asksOthers } : result;
  }

  /** Until when nothing happens in a pod's machine by itself. */
  quietUntil(view: PodView, at: Millis): Millis {
    return this.at(view, at).machine.nextWake() ?? Infinity;
  }

  /** What a pod uses of its node; undefined: it was not looked into, and is not weighed. */
  usageOf(view: PodView, now: Millis): PodMeasure | undefined {
    const { state } = this.options;
    const { pod } = view;
    const running = runningOf(view);
    const isLight = ({ container, containerID }: Run): boolean =>
      this.isSummedUp(view, container.name) || isEndlessRun(view, containerID, this.options);
    if (!readMachine(state, pod) && running.every(isLight) && !troublesOf(state, pod)) return undefined;
    return measurePod(pod, this.at(view, now), running);
  }

  /** What a pod's programs have used: undefined of servers that their images sum up, and that nothing has asked. */
  knownUsageOf(view: PodView, now: Millis): PodMeasure | undefined {
    const { state } = this.options;
    const { pod } = view;
    const running = runningOf(view);
    const isAsked = this.hasLoaded(pod) || readMachine(state, pod) !== undefined || troublesOf(state, pod);
    if (!isAsked && running.every(({ container }) => this.isSummedUp(view, container.name))) return undefined;
    return measurePod(pod, this.at(view, now), running);
  }

  /** Whether a container is a server that its image sums up. */
  isSummedUp(view: PodView, container: string): boolean {
    return summaryOf(view, container, this.options.images, this.options.state) !== undefined;
  }

  /** What any pod uses, which is looked into. `isAsking`: a program of its own does, in the middle of a step. */
  measure(view: PodView, now: Millis, isAsking: boolean): PodMeasure {
    const { pod } = view;
    const running = runningOf(view);
    const loaded = isAsking ? this.inStepOf(pod) : undefined;
    return measurePod(pod, loaded ?? this.at(view, now), running);
  }

  /** The answer of a server in a pod's machine to an HTTP request, which leaves no trace there. */
  ask(view: PodView, request: PodHttpRequest, now: Millis): PodHttpAnswer | { readonly error: string } {
    const key = `ask ${now} ${JSON.stringify(request)}`;
    const podIP = view.pod.status.podIP ?? '';
    return tryOut(this, view, this.at(view, now), key, (copy) => tryRequest(copy, request, podIP, now)).result;
  }

  /**
   * The process of a container: its image's summary, or what its pod's machine makes of it. Undefined when its image is
   * not known any more. `isRead`: for who reads its log, which a proxy writes as others' requests come.
   */
  processOf(
    view: PodView,
    run: ContainerRun,
    source: ValueSource,
    network: Net,
    now: Millis,
    isRead = false,
  ): Process | undefined {
    const found = this.findProgram(run, source, network);
    if (!found) return undefined;
    const { summary } = found;
    const isPassedOn = isRead && summary?.program !== undefined;
    if (summary && !isPassedOn && !readMachine(this.options.state, view.pod)) return summary;
    const runs = runsOf(view.pod, view.statuses, view.records);
    return machineProcess(this, view, exactRun(run, runs), now, summary);
  }

  /** A sync asks of a run that begins whether it can, and next what it is: the second time the answer is known. */
  private findProgram(run: ContainerRun, source: ValueSource, network: Net): FoundProgram | undefined {
    const { containerID } = run;
    if (this.lastFound?.source === source && this.lastFound.containerID === containerID) return this.lastFound;
    const found = findStart(this.options.images, run, source, network);
    if (!found) return undefined;
    const program = { source, containerID, image: found.image, summary: startedSummary(found, source) };
    // What a run keeps is known only once it has begun.
    this.lastFound = found.image.keeps ? undefined : program;
    return program;
  }

  /**
   * A program that never ends by itself needs no look ahead, as long as nothing else runs in its machine and it leaves
   * nothing that outlives its pod.
   */
  private isEndless(view: PodView, containerID: string, now: Millis): boolean {
    return this.goesOnForEver(view, containerID, now) && !this.isFollowed(view, containerID, now);
  }

  /** Whether what it leaves is seen though nobody looks: what it does at its beginning. */
  private isFollowed(view: PodView, containerID: string, now: Millis): boolean {
    return mayWriteAtBeginning(view, containerID, now) && !isOftenKept(this.at(view, now).record);
  }

  private goesOnForEver(view: PodView, containerID: string, now: Millis): boolean {
    if (!isEndlessRun(view, containerID, this.options)) return false;
    return !readMachine(this.options.state, view.pod) || this.runsAlone(view, containerID, now);
  }

  /** What has acted on the machine has left nothing behind that could end the container. */
  private runsAlone(view: PodView, containerID: string, now: Millis): boolean {
    const { machine, runs } = this.at(view, now);
    return runs.has(containerID) && machine.container(containerID).running && machine.runsAlone(containerID);
  }

  /** No container of a pod waits for the API server, nor ends by itself: its machine runs when somebody looks. */
  private isEndlessPod(view: PodView, now: Millis): boolean {
    return runningOf(view).every(({ containerID }) => this.isEndless(view, containerID, now));
  }

  private runAhead(view: PodView, loaded: LoadedMachine, containerID: string): Forecast {
    const { machine } = loaded;
    if (!loaded.runs.has(containerID)) return { listening: [], knownUntil: Infinity };
    const copy = this.copyOf(view, loaded);
    const together = machine.nextWakeTogether();
    const asked = askedTime(loaded);
    const { wroteAt = Infinity, ...course } = this.mode.forecasting((waitsSince) =>
      forecast(copy, containerID, () => (waitsSince() > asked ? waitsSince() : Infinity), together),
    );
    const writesAt = hasUnkeptWrites(loaded) ? asked : wroteAt;
    // What it leaves on its node is written down when it does, and then it is looked at again.
    const keptAt = Math.max(writesAt, nextKeep(loaded.record), asked + 1);
    return { ...course, knownUntil: Math.min(course.knownUntil, keptAt) };
  }

  /** Lets a program that waits for the API server go on, and writes its machine down. False: none waits. */
  answerWaiting(client: Client, view: PodView, now: Millis): boolean {
    if (this.courses.areKnown(view) || this.isEndlessPod(view, now)) return false;
    if (!this.at(view, now).isWaiting) return false;
    this.acting(view, now, (loaded) => this.store(client, view.pod, loaded));
    return true;
  }

  /**
   * Writes a machine down that has changed its node's disk or a volume by itself, so that it takes effect though nobody
   * looks. False: it has not, or not long enough ago.
   */
  keepWrites(client: Client, view: PodView, now: Millis): boolean {
    if (!leavesTraces(view.pod)) return false;
    // Where something has acted on the machine, it may have ended since, with its last writes not written down.
    const hasActed = readMachine(this.options.state, view.pod) !== undefined;
    if (!hasActed && this.isEndlessPod(view, now)) return false;
    const loaded = this.at(view, now);
    if (!hasUnkeptWrites(loaded) || now < nextKeep(loaded.record)) return false;
    this.store(client, view.pod, loaded, { kept: (loaded.record?.kept ?? 0) + 1 });
    return true;
  }

  /**
   * Lets what runs beside the main program of a pod's only container do what it does for others by now, and writes its
   * machine down. Returns when it has to be looked at next; Infinity: nothing goes on by itself.
   */
  followBeside(client: Client, view: PodView, now: Millis): Millis {
    const [container] = view.statuses.values();
    const containerID = container?.containerID ?? '';
    const isDone = this.runsAlone(view, containerID, now);
    if (isDone || !this.answerWaiting(client, view, now)) this.keepWrites(client, view, now);
    if (isDone) {
      const loaded = this.at(view, now);
      return hasUnkeptWrites(loaded) ? nextKeep(loaded.record) : Infinity;
    }
    return this.forecast(view, containerID, now).knownUntil;
  }

  /**
   * Lets the command of a lifecycle hook do what it does at its beginning, also in other pods. Returns its exit code;
   * undefined while it runs. A command that cannot be started has 126.
   */
  performHook(client: Client, view: PodView, containerID: string, name: HookName, now: Millis): number | undefined {
    return this.acting(view, now, (loaded) => {
      const { machine, hooks, hasContacts } = loaded;
      if (hasContacts || this.mode.hasPeers) this.store(client, view.pod, loaded);
      const key = `${name} ${containerID}`;
      if (!hooks.has(key)) return undefined;
      const session = hooks.get(key);
      if (session === undefined) return NOT_EXECUTABLE;
      const { exit } = machine.output(session);
      return exit && exitCodeOf(exit);
    });
  }

  /**
   * Sends a kubelet's HTTP request to an address of the cluster, and writes down what it did to the server's machine.
   * `from`: the pod whose kubelet asks. An answer that takes time is not waited for: undefined.
   */
  send(
    client: Client,
    from: PodView,
    address: string,
    request: PodHttpRequest,
    now: Millis,
  ): PodHttpAnswer | { readonly error: string } | undefined {
    const { state, dial } = this.options;
    const isOwn = address === from.pod.status.podIP;
    const pod = isOwn ? from.pod : podAt(state, address);
    const refused = { error: `dial tcp ${address}:${request.port}: connect: connection refused` };
    if (!pod) return { error: `dial tcp ${address}:${request.port}: connect: no route to host` };
    const view = isOwn ? from : this.viewOf(pod);
    switch (this.listenerOf(pod, request.port, now, view)) {
      case 'summary':
        return dial(pod, request, now);
      case 'none':
        return refused;
      case 'machine':
        return this.acting(view, now, (loaded) => {
          const answer = askMachineNow(loaded.machine, request, address, now);
          forgetCourse(loaded);
          this.store(client, pod, loaded);
          return answer;
        });
    }
  }

  /** Lets a machine that was acted on do what it does at this moment. */
  run(loaded: LoadedMachine, now: Millis): void {
    forgetCourse(loaded);
    runUntil(loaded.machine, now);
  }

  /**
   * Keeps what an ended container has left behind and what does not follow from the pod any more: changed volumes, and
   * the log of a program that was in contact with others. `endsAt`: of a container that is told to have ended as it
   * starts, which is later.
   */
  keepEnd(client: Client, view: PodView, now: Millis, endsAt = now): void {
    if (this.courses.areKnown(view)) return;
    const loaded = this.at(view, Math.max(now, endsAt));
    const taken = new Map<string, FileRow[]>();
    for (const { tree } of loaded.trees.volumes()) {
      const rows = tree.takeChanges();
      if (rows.length > 0) taken.set(tree.id, rows);
    }
    if (taken.size > 0 || loaded.hasContacts) this.store(client, view.pod, loaded, { taken });
  }

  /** The termination message of an ended container. Models containerd's and the kubelet's getTerminationMessage. */
  terminationMessage(view: PodView, container: Container, containerID: string, failed: boolean, now: Millis): string {
    if (!fallsBackToLog(container, failed) && this.courses.find(view, containerID)) return '';
    return terminationMessageOf(this.at(view, now), container, containerID, failed);
  }
}

/** The runs that have not ended as far as the pod tells. */
const runningOf = ({ pod, statuses, records }: PodView): Run[] =>
  runsOf(pod, statuses, records).filter((run) => run.endsAt === undefined);
