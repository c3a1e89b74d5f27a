import { parseTimestamp, timestamp, type Millis } from '../../../machinery/time/time.js';
import type { Context } from '../../../runtime/controller.js';
import { servedKind, writeCustomStatus } from '../../custom-status.js';
import { createEvent } from '../../plain-event.js';
import { ChaosResults, type ChaosEngine, type ChaosResult, type ProbeStatus, type ResultStatus } from '../objects.js';
import { ENDED, HELPER, PHASE, POD, PROBES, type Phase } from './report.js';

/** Of one experiment of an engine, while it runs. */
export interface Run {
  readonly engine: ChaosEngine;
  readonly experiment: string;
  /** The experiment's pod: where its events come from. */
  readonly pod: string;
  /** INSTANCE_ID, which tells results of several runs apart. */
  readonly instance: string;
}

const MARKS = ['injected', 'reverted', 'targeted'];
const NO_RUNS: ResultStatus['history'] = { passedRuns: 0, failedRuns: 0, stoppedRuns: 0 };

const keyOf = ({ engine: { metadata }, experiment, instance }: Run): { namespace: string; name: string } => ({
  namespace: metadata.namespace ?? '',
  name: [metadata.name, experiment, ...(instance === '' ? [] : [instance])].join('-'),
});

export const resultOf = ({ client }: Context, run: Run): ChaosResult | undefined =>
  client.get(ChaosResults, keyOf(run));

/** The result at the start, which the experiment's program has made: what has been before counts. */
export function beginResult(context: Context, run: Run, probes: readonly ProbeStatus[]): void {
  const result = resultOf(context, run);
  if (!result) return;
  write(context, run, {
    experimentStatus: { phase: 'Running', verdict: 'Awaited', probeSuccessPercentage: 'Awaited' },
    ...(probes.length > 0 ? { probeStatuses: probes } : {}),
    history: result.status?.history ?? NO_RUNS,
  });
  annotate(context, run, { [PHASE]: 'Starting', [PROBES]: undefined, [HELPER]: undefined });
  tellOfResult(context, run, 'Awaited', `experiment: ${run.experiment}, Result: Awaited`, 'Normal');
}

/** How far the run has come; undefined: it has not begun. */
export const phaseOf = (result: ChaosResult | undefined): Phase | undefined =>
  result?.metadata.annotations?.[PHASE] as Phase | undefined;

export const setPhase = (context: Context, run: Run, phase: Phase): void => annotate(context, run, { [PHASE]: phase });

/** The chaos was over at this time. */
export const settle = (context: Context, run: Run, endedAt: Millis): void =>
  annotate(context, run, { [PHASE]: 'Settled', [ENDED]: timestamp(endedAt) });

export const settledAt = (result: ChaosResult | undefined): Millis =>
  parseTimestamp(result?.metadata.annotations?.[ENDED] ?? '');

/** The pod whose run the result is of. */
export const podOf = (result: ChaosResult | undefined): string | undefined => result?.metadata.annotations?.[POD];

/** The run is over, and its program has ended. */
export const forgetReports = (context: Context, run: Run): void =>
  annotate(context, run, Object.fromEntries([POD, PHASE, PROBES, HELPER, ENDED].map((name) => [name, undefined])));

/** 'pod/web-1: injected', as helpers mark what they act on. Models litmus-go/pkg/result's AnnotateChaosResult. */
export const markTargets = (context: Context, run: Run, targets: readonly string[], mark: string): void =>
  annotate(context, run, Object.fromEntries(targets.map((target) => [target, mark])));

export const hasMarks = (context: Context, run: Run): boolean =>
  Object.values(resultOf(context, run)?.metadata.annotations ?? {}).some((value) => MARKS.includes(value));

function annotate(context: Context, run: Run, changes: Readonly<Record<string, string | undefined>>): void {
  const result = resultOf(context, run);
  if (!result) return;
  const annotations: Record<string, string> = { ...result.metadata.annotations };
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) delete annotations[name];
    else annotations[name] = value;
  const { annotations: _before, ...metadata } = result.metadata;
  const kept = Object.keys(annotations).length > 0 ? { annotations } : {};
  context.client.update(servedKind(context.client, ChaosResults), { ...result, metadata: { ...metadata, ...kept } });
}

/** What the annotations mark, which the history has from now on. Models litmus-go/pkg/result's GetChaosStatus. */
function takeMarks(context: Context, run: Run): NonNullable<ResultStatus['history']['targets']> {
  const marked = Object.entries(resultOf(context, run)?.metadata.annotations ?? {}).filter(([, value]) =>
    MARKS.includes(value),
  );
  annotate(context, run, Object.fromEntries(marked.map(([key]) => [key, undefined])));
  return marked.map(([key, chaosStatus]) => {
    const [kind = '', name = ''] = key.split('/');
    // A fault that has ended has recovered.
    return { chaosStatus: chaosStatus === 'injected' ? 'reverted' : chaosStatus, kind, name };
  });
}

/** What probes have found meanwhile. */
export function noteProbes(context: Context, run: Run, probes: readonly ProbeStatus[]): void {
  const status = resultOf(context, run)?.status;
  if (status && probes.length > 0) write(context, run, { ...status, probeStatuses: probes });
}

export interface Ending {
  readonly phase: 'Completed' | 'Error' | 'Stopped';
  readonly verdict: 'Pass' | 'Error' | 'Stopped';
  readonly error?: { readonly errorCode: string; readonly reason: string } | undefined;
  readonly targets?: NonNullable<ResultStatus['history']['targets']>;
  /** A probe that has failed stops all. */
  readonly isStopped?: boolean | undefined;
}

/** The result at the end, and its verdict: probes that have failed decide. Models updateResultAttributes. */
export function endResult(context: Context, run: Run, ending: Ending): string {
  const { phase, verdict, error, targets = [], isStopped } = ending;
  const marked = takeMarks(context, run);
  const status = resultOf(context, run)?.status;
  const probes = status?.probeStatuses ?? [];
  const passed = probes.filter((one) => one.status.verdict === 'Passed').length;
  const hasFailed = probes.some((one) => one.status.verdict === 'Failed');
  const given = hasFailed ? (isStopped ? 'Stopped' : 'Fail') : verdict;
  const share = probes.length > 0 && given !== 'Error' ? `${Math.floor((passed * 100) / probes.length)}` : '0';
  const history = status?.history ?? NO_RUNS;
  const all = [...targets, ...marked];
  write(context, run, {
    experimentStatus: {
      phase: hasFailed ? (isStopped ? 'Stopped' : 'Completed_With_Probe_Failure') : phase,
      verdict: given,
      probeSuccessPercentage: given === 'Pass' ? '100' : share,
      ...(error ? { errorOutput: error } : {}),
    },
    ...(probes.length > 0 ? { probeStatuses: given === 'Pass' ? probes : probes.map(withoutAwaited) } : {}),
    history: {
      passedRuns: history.passedRuns + (given === 'Pass' ? 1 : 0),
      failedRuns: history.failedRuns + (given === 'Fail' ? 1 : 0),
      stoppedRuns: history.stoppedRuns + (given === 'Stopped' ? 1 : 0),
      ...(all.length > 0 ? { targets: all } : {}),
    },
  });
  annotate(context, run, { [PHASE]: 'Over' });
  const isAborted = verdict === 'Stopped';
  const message = isAborted
    ? `${run.experiment} experiment has been aborted`
    : `experiment: ${run.experiment}, Result: ${given}`;
  tellOfResult(context, run, isAborted ? 'Abort' : given, message, given === 'Pass' ? 'Normal' : 'Warning');
  return given;
}

const withoutAwaited = (probe: ProbeStatus): ProbeStatus =>
  probe.status.verdict === 'Awaited'
    ? { ...probe, status: { verdict: 'N/A', description: 'Either probe is not executed or not evaluated' } }
    : probe;

function write(context: Context, run: Run, status: ResultStatus): void {
  const result = resultOf(context, run);
  if (result) writeCustomStatus(context, ChaosResults, result, status);
}

function tellOfResult(context: Context, run: Run, reason: string, message: string, type: 'Normal' | 'Warning'): void {
  const result = resultOf(context, run);
  const name = `${reason}${run.pod}`;
  if (result) createEvent(context, result, { name, component: run.pod, type, reason, message });
}
