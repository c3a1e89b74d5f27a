import { bytesOf } from '../../../kernel/bytes.js';
import { StartFailure } from '../../../kernel/container.js';
import type { Machine } from '../../../kernel/machine.js';
import type { Millis } from '../../../machinery/time/time.js';
import { cgroupLimitsOf } from '../../kubelet/kuberuntime/container-config.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import type { Run } from '../records/course.js';
import { askedTime, type LoadedMachine } from './loaded-machine.js';
import type { MachineRecord } from '../records/machine-record.js';
import type { MachinesOptions, PodView } from './pod-view.js';
import { troublesOf } from './troubles.js';
import { specOf } from './start-spec.js';
import { stopSignalOf } from './stop-signal.js';

/** A call of Machine.run ends after so many steps: so often one load calls it. */
const MAX_RUNS = 200;

export type HookName = 'postStart' | 'preStop';

/** Brings a machine to a time: starts, stops and ends containers when their kubelet did. */
export function follow(
  loaded: LoadedMachine,
  view: PodView,
  runs: readonly Run[],
  now: Millis,
  run: RunMachine,
  options: MachinesOptions,
): boolean {
  const { machine } = loaded;
  for (const { at, act } of actsOf(loaded, view, runs, now, options)) {
    if (!run(machine, at)) return false;
    act(Math.max(at, machine.now));
    forgetCourse(loaded);
  }
  if (!run(machine, now)) return false;
  disturb(loaded, view, runs, now, options);
  loaded.ranTo = { asked: now, reached: machine.now };
  updateLimits(loaded, view, runs);
  return true;
}

/** A resize in place shows in the cgroup of the container that runs on. */
function updateLimits({ machine, runs: started }: LoadedMachine, view: PodView, runs: readonly Run[]): void {
  for (const { container, containerID } of runs) {
    if (!started.has(containerID) || !machine.container(containerID).running) continue;
    const resources = view.statuses.get(container.name)?.resources ?? container.resources;
    machine.setLimits(containerID, cgroupLimitsOf(resources, view.pod.spec.resources));
  }
}

function actsOf(
  loaded: LoadedMachine,
  view: PodView,
  runs: readonly Run[],
  now: Millis,
  options: MachinesOptions,
): { readonly at: Millis; act(at: Millis): void }[] {
  const { machine } = loaded;
  const acts: { at: Millis; act(at: Millis): void }[] = [];
  for (const run of runs) {
    const { containerID: id, startedAt, hookAt, stoppedAt, endsAt } = run;
    if (startedAt <= now && !loaded.runs.has(id) && !loaded.failures.has(id))
      acts.push({ at: startedAt, act: (at) => start(loaded, view, run, at, options) });
    const signal =
      (name: 'TERM' | 'KILL') =>
      (at: Millis): void => {
        loaded.stopped.add(`${name} ${id}`);
        if (!loaded.runs.has(id) || !machine.container(id).running) return;
        machine.signal(id, name === 'TERM' ? stopSignalOf(run.image, options.images) : name, at);
      };
    if (hookAt !== undefined && hookAt <= now && !loaded.stopped.has(`HOOK ${id}`))
      acts.push({ at: hookAt, act: (at) => runHook(loaded, run, 'preStop', at) });
    if (stoppedAt !== undefined && stoppedAt <= now && !loaded.stopped.has(`TERM ${id}`))
      acts.push({ at: stoppedAt, act: signal('TERM') });
    if (endsAt !== undefined && endsAt <= now && !loaded.stopped.has(`KILL ${id}`))
      acts.push({ at: endsAt, act: signal('KILL') });
  }
  for (const at of new Set(troublesOf(options.state, view.pod)?.times))
    if (at > machine.now && at <= now) acts.push({ at, act: (then) => disturb(loaded, view, runs, then, options) });
  return acts.sort((a, b) => a.at - b.at);
}

function start(loaded: LoadedMachine, view: PodView, run: Run, at: Millis, options: MachinesOptions): void {
  try {
    const spec = specOf(run, view.pod, loaded.trees, options);
    if (!spec) return void loaded.failures.set(run.containerID, 'the image is not known');
    loaded.machine.start(spec, at);
    loaded.runs.add(run.containerID);
    disturb(loaded, view, [run], at, options);
    runHook(loaded, run, 'postStart', at);
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    loaded.failures.set(run.containerID, error.message);
  }
}

/** What faults do to containers begins and ends. */
function disturb(
  loaded: LoadedMachine,
  { pod }: PodView,
  runs: readonly Run[],
  at: Millis,
  { state }: MachinesOptions,
): void {
  const { machine } = loaded;
  const troubles = troublesOf(state, pod);
  for (const { container, containerID } of runs) {
    if (!loaded.runs.has(containerID)) continue;
    const [wanted, known] = [troubles?.at(container, at), machine.troubleOf(containerID)];
    if (wanted === known || deepEqual(wanted, known) || !machine.container(containerID).running) continue;
    machine.disturb(containerID, wanted, at);
    forgetCourse(loaded);
  }
}

/** Whether a machine in memory may go on to a time; else it is made again. */
export function isUsable(
  found: LoadedMachine,
  record: MachineRecord | undefined,
  runs: readonly Run[],
  now: Millis,
): boolean {
  const { machine } = found;
  const recordedAt = record?.at ?? -Infinity;
  // Work takes time: what was written down, and what was run, may be a little ahead of the time that was asked for.
  const isAhead = now < askedTime(found) && machine.now > recordedAt;
  if (found.record !== record || isAhead) return false;
  const ids = new Set([...runs.map((run) => run.containerID), ...(record?.runs ?? [])]);
  for (const id of found.runs) if (!ids.has(id)) return false;
  // Another process may have started a container before this moment.
  return !runs.some(
    ({ containerID, startedAt }) => !found.runs.has(containerID) && startedAt < machine.now && startedAt >= recordedAt,
  );
}

/** Begins the command of a container's lifecycle hook; nobody reads what it prints. */
function runHook(loaded: LoadedMachine, { container, containerID }: Run, name: HookName, at: Millis): void {
  const { machine, runs, stopped, hooks, failures } = loaded;
  if (name === 'preStop') stopped.add(`HOOK ${containerID}`);
  const command = container.lifecycle?.[name]?.exec?.command;
  if (!command || !runs.has(containerID) || !machine.container(containerID).running) return;
  try {
    const session = machine.exec(containerID, { argv: command.map(bytesOf), terminal: false, stdin: false }, at);
    hooks.set(`${name} ${containerID}`, session);
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    hooks.set(`${name} ${containerID}`, undefined);
    failures.set(`${name} ${containerID}`, error.message);
  }
}

/** Something acts on the machine: what was known of its future does not hold any more. */
export function forgetCourse({ forecasts, trials }: LoadedMachine): void {
  forecasts.clear();
  trials.clear();
}

/** False: it has not come so far. */
export type RunMachine = (machine: Machine, until: Millis) => boolean;

/** All calls together make so many steps. */
export function runAtMost(steps: number): RunMachine {
  let left = steps;
  return (machine, until) => {
    if (left <= 0) return false;
    const isDone = machine.run(until, left);
    left = machine.state.budget;
    return isDone;
  };
}

export function runUntil(machine: Machine, until: Millis): true {
  for (let i = 0; i < MAX_RUNS && !machine.run(until); i++);
  return true;
}
