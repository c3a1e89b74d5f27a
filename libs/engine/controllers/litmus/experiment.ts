import { Faults } from '../../kinds/index.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import type { Target } from '../../faults/index.js';
import { parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';
import type { Context } from '../../runtime/controller.js';
import { createEvent } from '../plain-event.js';
import type { ChaosEngine, EngineExperiment, ExperimentStatus } from './objects.js';
import { awaited, findUnknownProbe, probesOf, runProbes, type ProbePhase } from './probes.js';
import { beginResult, endResult, noteProbes, resultOf, type Run } from './result.js';
import { parentOf, podsOf, splitList, targetsOf, whyNotRunning, type AppDetails } from './targets.js';
import { translateExperiment, type Env, type Injection } from './translate.js';

export const ENGINE = 'terrarium.dev/litmus';
const JOB = 'terrarium.dev/litmus-job';
const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 86_400;
const MAX_ROUNDS = 1_000;
/** STATUS_CHECK_DELAY and STATUS_CHECK_TIMEOUT. */
const CHECK_DELAY: Millis = 2 * SECOND;
const CHECK_TIMEOUT: Millis = 180 * SECOND;

/** The verdict of an experiment that is over; a number: to be looked at again after so many ms; undefined: it runs. */
export type Progress = { readonly verdict: string } | Millis | undefined;

interface Ground extends Run {
  readonly context: Context;
  readonly spec: EngineExperiment;
  readonly env: Env;
  readonly job: string;
  readonly since: Millis;
  readonly faults: readonly Fault[];
}

export const envOf = (...lists: readonly (readonly { name: string; value?: string }[] | undefined)[]): Env =>
  new Map(lists.flatMap((list) => list ?? []).map(({ name, value = '' }) => [name, value]));

/** The faults of an engine's experiments, the first ones first. */
export const faultsOf = ({ client }: Context, { metadata }: ChaosEngine): Fault[] =>
  client
    .list(Faults)
    .filter((fault) => fault.metadata.annotations?.[ENGINE] === `${metadata.namespace}/${metadata.name}`)
    .sort((a, b) => roundOf(a) - roundOf(b));
const roundOf = ({ metadata }: Fault): number => Number(metadata.name?.split('.').at(-1) ?? 0);

/** The Job whose pod runs an experiment. */
export const jobOf = ({ experimentPod }: ExperimentStatus): string => experimentPod.split('-').slice(0, -1).join('-');

/** One step of an experiment whose pod runs. Models litmus-go/experiments/generic. */
export function runExperiment(
  context: Context,
  engine: ChaosEngine,
  spec: EngineExperiment,
  env: Env,
  status: ExperimentStatus,
): Progress {
  const { experimentPod, lastUpdateTime } = status;
  const job = jobOf(status);
  const faults = faultsOf(context, engine).filter(({ metadata }) => metadata.annotations?.[JOB] === job);
  const run: Run = { engine, experiment: spec.name, pod: experimentPod, instance: env.get('INSTANCE_ID') ?? '' };
  const ground = { ...run, context, spec, env, job, since: parseTimestamp(lastUpdateTime), faults };
  const injection = translateExperiment(spec.name, env);
  const unknown = typeof injection === 'string' ? injection : findUnknownProbe(spec);
  if (resultOf(context, run)?.status?.experimentStatus.phase !== 'Running')
    beginResult(context, run, awaited(probesOf(spec)));
  if (unknown !== undefined || typeof injection === 'string') return fail(ground, 'GENERIC_ERROR', json(unknown ?? ''));
  const last = faults.at(-1);
  if (!last) return begin(ground, injection);
  if (last.status.phase === 'Failed') return fail(ground, 'TARGET_SELECTION_ERROR', json('no target pods found'));
  return last.status.phase === 'Finished' ? goOn(ground, injection, last) : undefined;
}

const json = (reason: string): string => JSON.stringify({ errorCode: 'GENERIC_ERROR', phase: 'PreChaos', reason });

function begin(ground: Ground, injection: Injection): Progress {
  const checked = check(ground, 'PreChaos', ground.since);
  return checked ?? inject(ground, injection, 0);
}

function goOn(ground: Ground, injection: Injection, last: Fault): Progress {
  const { context, faults } = ground;
  const ended = last.status.endTime === undefined ? context.now : parseTimestamp(last.status.endTime);
  const began = parseTimestamp(faults[0]?.status.startTime ?? last.status.endTime ?? '');
  if (injection.interval !== undefined) {
    const wrong = whyNotRunning(context.client, ground.engine);
    if (wrong !== undefined && context.now - ended < CHECK_TIMEOUT) return CHECK_DELAY;
    if (wrong !== undefined) return fail(ground, 'STATUS_CHECKS_ERROR', wrong);
    const isLeft = context.now - began < secondsOf(ground.env) * SECOND && faults.length < MAX_ROUNDS;
    if (isLeft) return inject(ground, injection, faults.length);
  }
  return check(ground, 'PostChaos', ended) ?? finish(ground, injection);
}

const secondsOf = (env: Env): number =>
  Math.min(MAX_SECONDS, Math.max(1, Number(env.get('TOTAL_CHAOS_DURATION')) || DEFAULT_SECONDS));

/** Undefined: all is well. */
function check(ground: Ground, phase: ProbePhase, since: Millis): Progress {
  const { context, engine, spec } = ground;
  const isDefault = engine.spec?.defaultHealthCheck === true;
  const event = `${phase}Check`;
  const wrong = isDefault ? whyNotRunning(context.client, engine) : undefined;
  if (wrong !== undefined && context.now - since < CHECK_TIMEOUT) return CHECK_DELAY;
  if (wrong !== undefined) {
    tellOfEngine(ground, event, 'AUT: Not Running', 'Warning');
    return fail(ground, 'STATUS_CHECKS_ERROR', wrong);
  }
  const said = isDefault ? ['AUT: Running'] : [];
  const probes = probesOf(spec);
  if (probes.length > 0) {
    const before = resultOf(context, ground)?.status?.probeStatuses ?? [];
    const { statuses, error } = runProbes(context.client, probes, before, phase);
    noteProbes(context, ground, statuses);
    const words = [...said, `Probes: ${error === undefined ? 'Successful' : 'Unsuccessful'}`].join(', ');
    tellOfEngine(ground, event, words, error === undefined ? 'Normal' : 'Warning');
    return error === undefined ? undefined : fail(ground, 'K8S_PROBE_ERROR', error);
  }
  tellOfEngine(ground, event, said[0] ?? 'Skipped the default checks', 'Normal');
  return undefined;
}

function inject(ground: Ground, injection: Injection, round: number): Progress {
  const { context, engine, job, env, experiment } = ground;
  const target = injection.selects === 'nodes' ? nodesOf(env) : aimedAt(ground);
  if (!target) {
    const reason = injection.selects === 'nodes' ? 'provide TARGET_NODE' : 'provide one of the appLabel or TARGET_PODS';
    return fail(ground, 'TARGET_SELECTION_ERROR', JSON.stringify({ errorCode: 'TARGET_SELECTION_ERROR', reason }));
  }
  const on = injection.selects === 'nodes' ? `${target.nodes?.join()} node` : 'application pod';
  tellOfEngine(ground, 'ChaosInject', `Injecting ${experiment} chaos on ${on}`, 'Normal');
  const { namespace, name } = engine.metadata;
  context.client.create(Faults, {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Fault',
    metadata: {
      name: `litmus.${namespace}.${job}.${round}`,
      annotations: { [ENGINE]: `${namespace}/${name}`, [JOB]: job },
    },
    spec: {
      ...{ type: injection.type, target: { ...target, ...injection.lists } },
      duration: `${injection.interval ?? secondsOf(env)}s`,
      ...(injection.parameters ? { parameters: injection.parameters } : {}),
    },
    status: {},
  });
  return undefined;
}

function nodesOf(env: Env): Target | undefined {
  const nodes = splitList(env.get('TARGET_NODE') || env.get('TARGET_NODES') || '');
  return nodes.length > 0 ? { nodes } : undefined;
}

/** The pods of now; undefined: nothing says which. One of them, where no share is given. */
function aimedAt({ context, engine, env }: Ground): Target | undefined {
  const targets = targetsOf(engine);
  const named = splitList(env.get('TARGET_PODS') ?? '');
  const namespace = targets[0]?.namespace ?? engine.metadata.namespace ?? '';
  if (named.length > 0) return { pods: named.map((name) => `${namespace}/${name}`) };
  if (targets.length === 0) return undefined;
  const pods = targets.flatMap((target: AppDetails) =>
    podsOf(context.client, target).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
  );
  const percent = Number(env.get('PODS_AFFECTED_PERC'));
  const isNamed = targets.every(({ kind }) => kind === 'pod');
  const share = percent > 0 ? { mode: 'percent' as const, value: Math.min(100, percent) } : { mode: 'one' as const };
  // A fault without a pod that it could choose fails, and so does the experiment.
  return { pods: pods.length > 0 ? pods : [`${namespace}/`], ...(isNamed ? {} : share) };
}

function finish(ground: Ground, { marks, selects }: Injection): Progress {
  const { context, experiment, faults } = ground;
  const names = [...new Set(faults.flatMap(({ status }) => status.targets ?? []))];
  const verdict = endResult(context, ground, {
    ...{ phase: 'Completed', verdict: 'Pass' },
    targets: selects === 'nodes' ? names.map((name) => mark(name, marks)) : markedPods(ground, names, marks),
  });
  tellOfEngine(ground, 'Summary', `${experiment} experiment has been ${verdict}ed`, 'Normal');
  return { verdict };
}

/** 'node/worker-1' as a result names it. */
const mark = (target: string, chaosStatus: string): { chaosStatus: string; kind: string; name: string } => ({
  ...{ chaosStatus, kind: target.split('/')[0] ?? '', name: target.split('/').at(-1) ?? '' },
});

/** pod-delete names what has made the pods, since they are gone. */
function markedPods(
  { context, engine, experiment }: Ground,
  names: readonly string[],
  marks: string,
): readonly { chaosStatus: string; kind: string; name: string }[] {
  if (experiment !== 'pod-delete') return names.map((name) => mark(name, marks));
  const pods = targetsOf(engine).flatMap((target) => podsOf(context.client, target));
  const parents = pods.flatMap((pod) => parentOf(context.client, pod) ?? []);
  return [...new Map(parents.map((one) => [`${one.kind}/${one.name}`, one])).values()].map((one) => ({
    chaosStatus: marks,
    ...one,
  }));
}

/** Models litmus-go/pkg/result's RecordAfterFailure. */
function fail(ground: Ground, errorCode: string, reason: string): Progress {
  const { context, experiment } = ground;
  const verdict = endResult(context, ground, { phase: 'Error', verdict: 'Error', error: { errorCode, reason } });
  tellOfEngine(ground, 'Summary', `experiment: ${experiment}, Result: ${verdict}`, 'Warning');
  return { verdict };
}

/** An experiment that is stopped. Models litmus-go's AbortWatcher. */
export function abortExperiment(context: Context, run: Run): void {
  const error = {
    errorCode: 'EXPERIMENT_ABORTED',
    reason: 'Chaos injection stopped!',
  };
  if (resultOf(context, run)) endResult(context, run, { phase: 'Stopped', verdict: 'Stopped', error });
  tellOfEngine({ ...run, context }, 'Summary', `${run.experiment} experiment has been aborted`, 'Warning');
}

/** One event for each reason of an experiment. Models litmus-go/pkg/events. */
function tellOfEngine(
  { context, engine, experiment, pod }: Pick<Ground, 'context' | keyof Run>,
  reason: string,
  message: string,
  type: 'Normal' | 'Warning',
): void {
  const name = `${reason}${experiment}${engine.metadata.uid ?? ''}`;
  createEvent(context, engine, { name, component: pod, type, reason, message });
}
