import type { Context } from '../../runtime/controller.js';
import { servedKind, writeCustomStatus } from '../custom-status.js';
import { createEvent } from '../plain-event.js';
import {
  API_VERSION,
  ChaosResults,
  type ChaosEngine,
  type ChaosResult,
  type ProbeStatus,
  type ResultStatus,
} from './objects.js';

/** Of one experiment of an engine, while it runs. */
export interface Run {
  readonly engine: ChaosEngine;
  readonly experiment: string;
  /** The experiment's pod: where its events come from. */
  readonly pod: string;
  /** INSTANCE_ID, which tells results of several runs apart. */
  readonly instance: string;
}

const NO_RUNS: ResultStatus['history'] = { passedRuns: 0, failedRuns: 0, stoppedRuns: 0 };

const keyOf = ({ engine: { metadata }, experiment, instance }: Run): { namespace: string; name: string } => ({
  namespace: metadata.namespace ?? '',
  name: [metadata.name, experiment, ...(instance === '' ? [] : [instance])].join('-'),
});

export const resultOf = ({ client }: Context, run: Run): ChaosResult | undefined =>
  client.get(ChaosResults, keyOf(run));

/** The result at the start: what has been before counts. Models litmus-go/pkg/result. */
export function beginResult(context: Context, run: Run, probes: readonly ProbeStatus[]): void {
  const { client } = context;
  const { metadata } = run.engine;
  const key = keyOf(run);
  const labels = { chaosUID: metadata.uid ?? '', 'app.kubernetes.io/part-of': 'litmus', name: run.experiment };
  const spec = {
    engine: metadata.name,
    experiment: run.experiment,
    ...(run.instance ? { instance: run.instance } : {}),
  };
  const result =
    client.get(ChaosResults, key) ??
    client.create(servedKind(client, ChaosResults), {
      apiVersion: API_VERSION,
      kind: 'ChaosResult',
      metadata: { ...key, labels },
      spec,
    });
  write(context, run, {
    experimentStatus: { phase: 'Running', verdict: 'Awaited', probeSuccessPercentage: 'Awaited' },
    ...(probes.length > 0 ? { probeStatuses: probes } : {}),
    history: result.status?.history ?? NO_RUNS,
  });
  tellOfResult(context, run, 'Awaited', `experiment: ${run.experiment}, Result: Awaited`, 'Normal');
}

/** What probes have found meanwhile. */
export function noteProbes(context: Context, run: Run, probes: readonly ProbeStatus[]): void {
  const status = resultOf(context, run)?.status;
  if (status && probes.length > 0) write(context, run, { ...status, probeStatuses: probes });
}

export interface Ending {
  readonly phase: 'Completed' | 'Error' | 'Stopped';
  readonly verdict: 'Pass' | 'Error' | 'Stopped';
  readonly error?: { readonly errorCode: string; readonly reason: string };
  readonly targets?: NonNullable<ResultStatus['history']['targets']>;
}

/** The result at the end, and its verdict: probes that have failed decide. */
export function endResult(context: Context, run: Run, { phase, verdict, error, targets }: Ending): string {
  const status = resultOf(context, run)?.status;
  const probes = status?.probeStatuses ?? [];
  const passed = probes.filter((one) => one.status.verdict === 'Passed').length;
  const isFailed = phase === 'Completed' && probes.some((one) => one.status.verdict === 'Failed');
  const given = isFailed ? 'Fail' : verdict;
  const share = probes.length > 0 && given !== 'Error' ? `${Math.floor((passed * 100) / probes.length)}` : '0';
  const history = status?.history ?? NO_RUNS;
  write(context, run, {
    experimentStatus: {
      phase: isFailed ? 'Completed_With_Probe_Failure' : phase,
      verdict: given,
      probeSuccessPercentage: given === 'Pass' ? '100' : share,
      ...(error ? { errorOutput: error } : {}),
    },
    ...(probes.length > 0 ? { probeStatuses: given === 'Pass' ? probes : probes.map(withoutAwaited) } : {}),
    history: {
      passedRuns: history.passedRuns + (given === 'Pass' ? 1 : 0),
      failedRuns: history.failedRuns + (given === 'Fail' ? 1 : 0),
      stoppedRuns: history.stoppedRuns + (given === 'Stopped' ? 1 : 0),
      ...(targets?.length ? { targets } : {}),
    },
  });
  const isAborted = given === 'Stopped';
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
