import { Faults } from '../../kinds/index.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import { addFinalizer, removeFinalizer } from '../../machinery/meta/finalizers.js';
import { keyOf } from '../../machinery/meta/object.js';
import { parseTimestamp, SECOND, timestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, NO_KEYS, watch, type Context, type Result } from '../../runtime/controller.js';
import { servedKind, writeCustomStatus } from '../custom-status.js';
import { abortExperiment, ENGINE, envOf, faultsOf, jobOf, runExperiment } from './experiment.js';
import {
  ChaosEngines,
  ChaosExperiments,
  type ChaosEngine,
  type EngineExperiment,
  type ExperimentStatus,
} from './objects.js';
import { tellOfRunner } from './runner-events.js';

const FINALIZER = 'chaosengine.litmuschaos.io/finalizer';
const MAX_EXPERIMENTS = 20;
/** Until a pod runs: the runner's, and that of an experiment's Job. */
const POD_START: Millis = 3 * SECOND;
const WAITING = 'Waiting for Job Creation';
const RUNNING = 'Running';
const JOB_SUFFIX = 6;
const POD_SUFFIX = 5;

/**
 * Runs ChaosEngines of LitmusChaos, once its CRDs are applied: the operator, the runner and the experiments, one after
 * another, are this controller; Faults are what they do. Models litmuschaos/chaos-operator, chaos-runner and litmus-go.
 * Left out: the pods of runners, experiments and helpers, sidecars, ramp times, serial mode, probes but k8sProbe at
 * the start and the end, and experiments that translate.ts does not name.
 */
export const controller = defineController<Fault>({
  name: 'litmus',
  component: 'terrarium',
  actor: 'system:serviceaccount:litmus:litmus',
  eventSource: 'chaos-operator',
  for: {
    kind: Faults,
    keys: ({ metadata }) => {
      const [namespace, name] = (metadata.annotations?.[ENGINE] ?? '').split('/');
      return namespace && name ? [{ namespace, name }] : NO_KEYS;
    },
  },
  watches: [watch<ChaosEngine>({ kind: ChaosEngines })],
  reconcile(context, key): Result | void {
    const engine = context.client.get(ChaosEngines, key);
    if (!engine) return;
    const state = engine.spec?.engineState || 'active';
    const { engineStatus } = engine.status ?? {};
    if (engine.metadata.deletionTimestamp) return stop(context, engine);
    if (state === 'stop') return engineStatus === 'initialized' ? stop(context, engine) : undefined;
    if (engineStatus === 'initialized') return step(context, engine);
    return start(context, engine);
  },
});

const experimentsOf = ({ spec }: ChaosEngine): readonly EngineExperiment[] =>
  (spec?.experiments ?? []).slice(0, MAX_EXPERIMENTS);

/** Also again, after it was stopped or has completed. */
function start(context: Context, engine: ChaosEngine): void {
  const before = engine.status?.engineStatus;
  if (before === 'stopped') context.event(engine, 'Normal', 'RestartInProgress', 'ChaosEngine is restarted');
  const held = setFinalizer(context, engine, true);
  const words = `Identifying app under test & launching ${engine.metadata.name}-runner`;
  context.event(engine, 'Normal', 'ChaosEngineInitialized', words);
  const experiments = experimentsOf(engine).map(({ name }): ExperimentStatus => ({
    ...{ name, runner: `${engine.metadata.name}-runner`, experimentPod: 'Yet to be launched' },
    ...{ status: WAITING, verdict: 'N/A', lastUpdateTime: timestamp(context.now) },
  }));
  writeCustomStatus(context, ChaosEngines, held, { engineStatus: 'initialized', experiments });
}

/** The runner's loop: one experiment after another. */
function step(context: Context, engine: ChaosEngine): Result | void {
  const statuses = engine.status?.experiments ?? [];
  const current = statuses.find(({ status }) => status === WAITING || status === RUNNING);
  if (!current) return complete(context, engine);
  const left = parseTimestamp(current.lastUpdateTime) + POD_START - context.now;
  if (left > 0) return { requeueAfter: left };
  const experiment = experimentsOf(engine).find(({ name }) => name === current.name);
  const definition = context.client.get(ChaosExperiments, {
    namespace: engine.metadata.namespace ?? '',
    name: current.name,
  });
  if (!experiment || !definition) return skip(context, engine, current);
  if (current.status === WAITING) return launch(context, engine, current);
  const env = envOf(definition.spec?.definition?.env, experiment.spec?.components?.env);
  const progress = runExperiment(context, engine, experiment, env, current);
  if (typeof progress === 'number') return { requeueAfter: progress };
  if (!progress) return;
  setStatus(context, engine, { ...current, status: 'Completed', verdict: progress.verdict });
  tellOfRunner(context, engine, current.name, 'ExperimentJobCleanUp', jobOf(current));
}

function launch(context: Context, engine: ChaosEngine, current: ExperimentStatus): void {
  const job = `${current.name}-${context.random.suffix(JOB_SUFFIX)}`;
  tellOfRunner(context, engine, current.name, 'ExperimentDependencyCheck', job);
  tellOfRunner(context, engine, current.name, 'ExperimentJobCreate', job);
  const experimentPod = `${job}-${context.random.suffix(POD_SUFFIX)}`;
  setStatus(context, engine, { ...current, experimentPod, status: RUNNING, verdict: 'Awaited' });
}

function skip(context: Context, engine: ChaosEngine, current: ExperimentStatus): void {
  tellOfRunner(context, engine, current.name, 'ExperimentNotFound', '');
  setStatus(context, engine, {
    ...current,
    ...{ experimentPod: 'N/A', status: 'ChaosExperiment Not Found', verdict: 'Fail' },
  });
}

function setStatus(context: Context, engine: ChaosEngine, next: ExperimentStatus): void {
  const stored = context.client.get(ChaosEngines, keyOf(engine)) ?? engine;
  const lastUpdateTime = timestamp(context.now);
  const experiments = (stored.status?.experiments ?? []).map((one) =>
    one.name === next.name ? { ...next, lastUpdateTime } : one,
  );
  writeCustomStatus(context, ChaosEngines, stored, { ...stored.status, experiments });
}

function complete(context: Context, engine: ChaosEngine): void {
  writeCustomStatus(context, ChaosEngines, engine, { ...engine.status, engineStatus: 'completed' });
  const stored = context.client.get(ChaosEngines, keyOf(engine)) ?? engine;
  context.client.update(servedKind(context.client, ChaosEngines), {
    ...stored,
    spec: { ...stored.spec, engineState: 'stop' },
  });
  const words = 'ChaosEngine completed, will delete or retain the resources according to jobCleanUpPolicy';
  context.event(engine, 'Normal', 'ChaosEngineCompleted', words);
}

/** An engine that is stopped or deleted recovers, and what it ran is aborted. */
function stop(context: Context, engine: ChaosEngine): void {
  const { client } = context;
  const isRunning = engine.status?.engineStatus === 'initialized';
  for (const { metadata, status } of faultsOf(context, engine))
    if (status.phase !== 'Finished' || engine.metadata.deletionTimestamp)
      client.delete(Faults, { namespace: '', name: metadata.name ?? '' });
  const experiments = (engine.status?.experiments ?? []).map((one): ExperimentStatus => {
    if (one.status === RUNNING) {
      const spec = experimentsOf(engine).find(({ name }) => name === one.name);
      const instance = envOf(spec?.spec?.components?.env).get('INSTANCE_ID') ?? '';
      abortExperiment(context, { engine, experiment: one.name, pod: one.experimentPod, instance });
    }
    return one.status === RUNNING || one.status === WAITING
      ? { ...one, status: 'Forcefully Aborted', verdict: 'Stopped', lastUpdateTime: timestamp(context.now) }
      : one;
  });
  if (isRunning) context.event(engine, 'Normal', 'ChaosEngineStopped', 'Chaos resources deleted successfully');
  if (isRunning) writeCustomStatus(context, ChaosEngines, engine, { engineStatus: 'stopped', experiments });
  setFinalizer(context, client.get(ChaosEngines, keyOf(engine)) ?? engine, false);
}

function setFinalizer({ client }: Context, engine: ChaosEngine, isHeld: boolean): ChaosEngine {
  const next = isHeld ? addFinalizer(engine, FINALIZER) : removeFinalizer(engine, FINALIZER);
  return next === engine ? engine : client.update(servedKind(client, ChaosEngines), next);
}
