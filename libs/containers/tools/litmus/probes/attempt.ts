import type { Plain } from '../../../../engine/kernel/process/program.js';
import type { Session } from '../../kubectl/session/session.js';
import { task, type Task } from '../../kubectl/session/task.js';
import { error, info } from '../log.js';
import { checkProbePod, createProbePod, deleteProbePod, execIn, inputsOf, judgeCommand, podNameOf } from './cmd.js';
import { runHttpProbe } from './http.js';
import { runK8sProbe } from './k8s.js';
import { asPlain, fillIn, modeOf, withProbe, type State } from './state.js';
import { attemptsOf, timeoutsOf } from './timeouts.js';
import { formatError, isFailure, type Outcome, type Probe } from './types.js';

/** A command that takes longer is killed. */
const MAX_COMMAND = 600_000;
const POD_DELAY = 2_000;
const POD_TIMEOUT = 180_000;

/** One run of a probe: all of its attempts. */
export type Run = {
  state: State;
  at: number;
  attempt: number;
  /** When this attempt has begun. */
  startedAt: number;
  /** Of the probe's pod. */
  podUntil: number;
};

const asRun = (data: Plain): Run => data as unknown as Run;
const probeOf = ({ state, at }: Run): Probe => state.probes[at]!;

/** Begins a run of a probe; `finish` gets what has come of it. */
export const beginRun = (session: Session, state: State, at: number, delay: number): readonly Task[] => {
  if (delay > 0) {
    const text = state.probes[at]!.runProperties?.initialDelay ?? '';
    info(session, `[Wait]: Waiting for ${text} before probe execution`);
  }
  const run: Run = { state, at, attempt: 0, startedAt: 0, podUntil: 0 };
  return [task('attempt', asPlain(run), delay)];
};

export const ATTEMPTS = { attempt, ran, podName, probePod, awaitPod };

/** What a run has found, for the one who has begun it. */
export type Finished = { state: State; at: number; outcome: Outcome };

function attempt(session: Session, data: Plain): readonly Task[] {
  const run: Run = { ...asRun(data), startedAt: session.now };
  const probe = probeOf(run);
  const { state } = run;
  switch (probe.type.toLowerCase()) {
    case 'httpprobe':
      return conclude(session, run, runHttpProbe(session, probe, fillIn(probe['httpProbe/inputs']?.url ?? '', state)));
    case 'k8sprobe': {
      const inputs = probe['k8sProbe/inputs'] ?? {};
      const names = ['fieldSelector', 'labelSelector', 'resourceNames'] as const;
      const filled = Object.fromEntries(names.map((name) => [name, fillIn(inputs[name] ?? '', state)]));
      return conclude(session, run, runK8sProbe(session, probe, { ...inputs, ...filled }));
    }
    default:
      return runCommand(session, run);
  }
}

function runCommand(session: Session, run: Run): readonly Task[] {
  const { source, command = '' } = inputsOf(probeOf(run));
  const filled = fillIn(command, run.state);
  const after = task('ran', asPlain(run));
  if (!source) {
    const argv = ['/bin/sh', '-c', filled];
    session.child = { argv, missing: 'fork/exec /bin/sh: no such file or directory', keepsOutput: MAX_COMMAND, after };
    return [];
  }
  const { pod = '' } = run.state.states[run.at] ?? {};
  if (pod === '') return [task('podName', asPlain(run))];
  const begun = execIn(session, pod, filled);
  if (!('path' in begun)) return conclude(session, run, begun);
  session.stream = { path: begun.path, stdin: false, tty: false, tellsExit: false, output: 'collected', after };
  return [];
}

function ran(session: Session, data: Plain): readonly Task[] {
  const { code, output = '', errors = '' } = data as { code: number; output?: string; errors?: string };
  const run = asRun(data);
  return conclude(session, run, judgeCommand(session, probeOf(run), { code, output, errors }));
}

/** The name is drawn in a task of its own, which is not done again. */
function podName(session: Session, data: Plain): readonly Task[] {
  const run = asRun(data);
  const state = withProbe(run.state, run.at, { pod: podNameOf(session) });
  return [task('probePod', asPlain({ ...run, state }))];
}

function probePod(session: Session, data: Plain): readonly Task[] {
  const run = asRun(data);
  const probe = probeOf(run);
  const failed = createProbePod(session, probe, inputsOf(probe).source ?? {}, run.state.states[run.at]!.pod);
  if (failed) return give({ ...run, state: withProbe(run.state, run.at, { pod: '' }) }, failed);
  info(session, '[Status]: Checking the status of the probe pod');
  return [task('awaitPod', asPlain({ ...run, podUntil: session.now + POD_TIMEOUT }), POD_DELAY)];
}

function awaitPod(session: Session, data: Plain): readonly Task[] {
  const run = asRun(data);
  const { pod } = run.state.states[run.at]!;
  const found = checkProbePod(session, pod);
  if (found === 'runs') return [task('attempt', asPlain(run))];
  if (found === 'waits' && session.now < run.podUntil) return [task('awaitPod', asPlain(run), POD_DELAY)];
  const reason = 'pod is not in [[Running]] states';
  return give(run, found === 'waits' ? { error: { errorCode: 'STATUS_CHECKS_ERROR', reason } } : found);
}

/** Tries again, or it stays so. Models retry.Try and TryWithTimeout. */
function conclude(session: Session, run: Run, found: Outcome): readonly Task[] {
  const probe = probeOf(run);
  const { probeTimeout, interval } = timeoutsOf(probe);
  const isHttp = probe.type.toLowerCase() === 'httpprobe';
  const isLate =
    !isHttp && found.error === undefined && probeTimeout > 0 && session.now - run.startedAt >= probeTimeout;
  const outcome: Outcome = isLate ? { error: { errorCode: 'TIMEOUT', reason: 'action timeout' } } : found;
  if (outcome.error && run.attempt + 1 < attemptsOf(probe))
    return [task('attempt', asPlain({ ...run, attempt: run.attempt + 1 }), interval)];
  if (isHttp) return give(run, outcome, interval);
  if (outcome.error) {
    info(session, `name: ${probe.name}, err: ${formatError(outcome.error)}`);
    if (probe.type.toLowerCase() === 'k8sprobe')
      error(session, `the ${probe.name} k8s probe has Failed, err: ${formatError(outcome.error)}`);
  }
  if (outcome.error?.errorCode !== 'TIMEOUT') return give(run, outcome);
  const errorCode = probe.type.toLowerCase() === 'cmdprobe' ? 'CMD_PROBE_FAILURE' : 'K8S_PROBE_FAILURE';
  return give(run, { error: { errorCode, reason: 'probe failed due to timeout', target: `{name: ${probe.name}}` } });
}

const give = ({ state, at }: Run, outcome: Outcome, delay = 0): readonly Task[] => [
  task('finished', asPlain({ state, at, outcome }), delay),
];

/** The pod of a probe that is over goes. */
export function dropPod(session: Session, state: State, at: number): State {
  const { pod = '' } = state.states[at] ?? {};
  if (pod === '') return state;
  deleteProbePod(session, pod);
  return withProbe(state, at, { pod: '' });
}

/** A line of what a probe is: its fields as Go prints structures. */
export function tellOfProbe(session: Session, probe: Probe, phase: string): void {
  const { runProperties: run = {} } = probe;
  const type = probe.type.toLowerCase().replace('probe', '');
  const { command, comparator = {}, source } = inputsOf(probe);
  const k8s = probe['k8sProbe/inputs'] ?? {};
  const own: Readonly<Record<string, object>> = {
    http: { URL: probe['httpProbe/inputs']?.url },
    k8s: {
      Inputs: `&${printStruct(
        ...[k8s.group, k8s.version, k8s.resource, k8s.resourceNames, k8s.namespace],
        ...[k8s.fieldSelector, k8s.labelSelector, k8s.operation],
      )}`,
    },
    cmd: {
      ...{ Command: command, Comparator: printStruct(comparator.type, comparator.criteria, comparator.value) },
      Source: source ? `&${printStruct(source.image)}` : '<nil>',
    },
  };
  const properties = printStruct(
    ...[run.probeTimeout, run.interval, run.retry ?? 0, run.attempt ?? 0, run.probePollingInterval, 0],
    ...[run.initialDelay, run.evaluationTimeout, run.verbosity, run.stopOnFailure ?? false],
  );
  info(session, `[Probe]: The ${type} probe information is as follows`, {
    ...{ Name: probe.name, ...own[type] },
    ...{ 'Run Properties': properties, Mode: probe.mode, Phase: phase },
  });
}

const printStruct = (...fields: readonly (string | number | boolean | undefined)[]): string =>
  `{${fields.map((field) => field ?? '').join(' ')}}`;

/** Whether an outcome is a verdict, and not an error that ends the experiment. */
export const isVerdict = ({ error: wrong }: Outcome): boolean => wrong === undefined || isFailure(wrong);
export const isOngoing = (probe: Probe): boolean => ['continuous', 'onchaos'].includes(modeOf(probe));
