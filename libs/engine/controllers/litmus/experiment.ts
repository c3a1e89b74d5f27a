import type { Millis } from '../../machinery/time/time.js';
import { goOn, inject, namesOfTargets } from './chaos/chaos.js';
import { checkDelayOf, checkTimeoutOf } from './env.js';
import type { Ground, Progress } from './ground.js';
import { awaited, findUnknownProbe, mergeReport, probesOf } from './result/probes.js';
import { codeOf, HELPER, parseReport, PROBES } from './result/report.js';
import {
  beginResult,
  endResult,
  noteProbes,
  phaseOf,
  podOf,
  resultOf,
  setPhase,
  settle,
  settledAt,
} from './result/result.js';
import { errorOf, formatError, whyNotRunning, type ChaosError } from './chaos/targets.js';
import { tellOfExperiment } from './result/tell.js';
import { translateExperiment, type Injection } from './chaos/translate.js';

type CheckPhase = 'PreChaos' | 'PostChaos';

/** One step of an experiment whose pod runs. Models litmus-go/experiments/generic. */
export function runExperiment(ground: Ground): Progress {
  const { context, env, spec } = ground;
  const result = resultOf(context, ground);
  // Its program has not begun yet, or may not write the result.
  if (podOf(result) !== ground.pod) return undefined;
  const phase = phaseOf(result);
  if (phase === 'Over') return { verdict: result?.status?.experimentStatus.verdict ?? 'Awaited' };
  if (phase === undefined) beginResult(context, ground, awaited(probesOf(spec)));
  const injection = translateExperiment(spec.name, env);
  const unknown = typeof injection === 'string' ? injection : (findUnknownProbe(spec) ?? findSidecar(ground));
  if (unknown !== undefined || typeof injection === 'string')
    return fail(ground, 'PreChaos', errorOf('GENERIC_ERROR', unknown ?? ''));
  const begin = (): Progress => {
    setPhase(context, ground, 'DuringChaos');
    return withFailure(ground, inject(ground, injection, 0));
  };
  const finish = (): Progress => end(ground, injection);
  if (phase === 'PreChaos' || phase === 'PostChaos')
    return takeReport(ground, phase, phase === 'PreChaos' ? begin : finish);
  if (phase === 'Settled') return check(ground, 'PostChaos', settledAt(result), finish);
  if (phase !== 'DuringChaos') return check(ground, 'PreChaos', ground.since, begin);
  const outcome = goOn(ground, injection);
  if (typeof outcome !== 'object' || 'errorCode' in outcome) return withFailure(ground, outcome);
  settle(context, ground, outcome.endedAt);
  return check(ground, 'PostChaos', outcome.endedAt, finish);
}

const findSidecar = ({ engine: { spec } }: Ground): string | undefined =>
  spec?.components?.sidecar?.length ? 'a sidecar of an experiment is not simulated' : undefined;

const withFailure = (ground: Ground, outcome: ChaosError | Millis | undefined): Progress =>
  typeof outcome === 'object' ? fail(ground, 'ChaosInject', outcome) : outcome;

/** The application runs; then its probes do, if there are any; then all goes on. */
function check(ground: Ground, phase: CheckPhase, since: Millis, next: () => Progress): Progress {
  const { context, engine, env, spec } = ground;
  const isDefault = engine.spec?.defaultHealthCheck === true;
  const wrong = isDefault ? whyNotRunning(context.client, engine) : undefined;
  if (wrong && context.now - since < checkTimeoutOf(env)) return checkDelayOf(env);
  if (wrong) {
    tellOfExperiment(ground, `${phase}Check`, 'AUT: Not Running', 'Warning');
    return fail(ground, phase, wrong);
  }
  if (probesOf(spec).length > 0) {
    setPhase(context, ground, phase);
    return undefined;
  }
  tellOfExperiment(ground, `${phase}Check`, isDefault ? 'AUT: Running' : 'Skipped the default checks', 'Normal');
  return next();
}

/** What the experiment's program has found. */
function takeReport(ground: Ground, phase: CheckPhase, next: () => Progress): Progress {
  const { context, engine } = ground;
  const result = resultOf(context, ground);
  const report = parseReport(result?.metadata.annotations?.[PROBES]);
  if (report?.phase !== phase) return undefined;
  noteProbes(context, ground, mergeReport(result?.status?.probeStatuses ?? [], report));
  const said = engine.spec?.defaultHealthCheck === true ? ['AUT: Running'] : [];
  const isWell = report.error === undefined;
  const words = [...said, `Probes: ${isWell ? 'Successful' : 'Unsuccessful'}`].join(', ');
  tellOfExperiment(ground, `${phase}Check`, words, isWell ? 'Normal' : 'Warning');
  if (report.error === undefined) return next();
  // A probe that has failed is a verdict, and no error.
  const isFailure = /_PROBE_FAILURE|PROBE_TIMEOUT/.test(report.error);
  return record(
    ground,
    isFailure ? undefined : { errorCode: codeOf(report.error), reason: report.error },
    report.isStopped,
  );
}

function end(ground: Ground, injection: Injection): Progress {
  const { context, experiment } = ground;
  const targets = namesOfTargets(ground, injection);
  const verdict = endResult(context, ground, { phase: 'Completed', verdict: 'Pass', targets });
  tellOfExperiment(ground, 'Summary', `${experiment} experiment has been ${verdict}ed`, 'Normal');
  return { verdict };
}

/** What helpers of pods have found wrong stands in the result as their own words. */
function fail(ground: Ground, phase: string, error: ChaosError): Progress {
  const { errorCode } = error;
  const own = errorCode === 'HELPER_POD_FAILED_ERROR' ? helperError(ground) : undefined;
  if (errorCode === 'HELPER_POD_FAILED_ERROR') return record(ground, own);
  return record(ground, { errorCode, reason: formatError(error, phase) });
}

function helperError(ground: Ground): { readonly errorCode: string; readonly reason: string } | undefined {
  const reason = resultOf(ground.context, ground)?.metadata.annotations?.[HELPER];
  return reason === undefined ? undefined : { errorCode: codeOf(reason), reason };
}

/** Models litmus-go/pkg/result's RecordAfterFailure. */
function record(
  ground: Ground,
  error: { readonly errorCode: string; readonly reason: string } | undefined,
  isStopped = false,
): Progress {
  const { context, experiment } = ground;
  const verdict = endResult(context, ground, { phase: 'Error', verdict: 'Error', error, isStopped });
  tellOfExperiment(ground, 'Summary', `experiment: ${experiment}, Result: ${verdict}`, 'Warning');
  return { verdict };
}
