import type { Pod } from '../../../api/core_v1.js';
import { Jobs, Pods } from '../../../kinds/index.js';
import { addFinalizer, removeFinalizer } from '../../../machinery/meta/finalizers.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { ApiError } from '../../../machinery/meta/status.js';
import { parseTimestamp, SECOND, timestamp, type Millis } from '../../../machinery/time/time.js';
import type { Context, Result } from '../../../runtime/controller.js';
import { servedKind, writeCustomStatus } from '../../custom-status.js';
import { deleteAll } from '../../delete-all.js';
import { restUntilRetry } from '../../retry-by-events.js';
import { envOf } from '../env.js';
import { faultsOf, removeFaults } from '../chaos/faults.js';
import { ChaosEngines, ChaosExperiments, experimentsOf, type ChaosEngine, type ExperimentStatus } from '../objects.js';
import { forgetReports } from '../result/result.js';
import { isRunning, isWaiting, patchInitially, stepRunner } from './runner.js';
import { makeRunnerPod, RUNNER, runnerNameOf } from './runner-pod.js';
import { abortExperiment } from '../result/tell.js';
import { findTargetFault } from '../chaos/targets.js';

const FINALIZER = 'chaosengine.litmuschaos.io/finalizer';
const FAILED = 'ChaosResourcesOperationFailed';
/** Retries of controller-runtime; an event's times have whole seconds. */
const BACK_OFF = { first: SECOND, longest: 1_000 * SECOND };
/** Until the runner has asked for the engine. */
const RUNNER_START: Millis = SECOND;
/** Pods that are stopped are waited for so long. */
const TERMINATION: Millis = 180 * SECOND;

/** Also again, after it was stopped or has completed. Models reconcileForRestartAfterAbort and initEngine. */
export function start(context: Context, engine: ChaosEngine): void {
  const before = engine.status?.engineStatus;
  if (before) removeResources(context, engine);
  if (before === 'stopped') context.event(engine, 'Normal', 'RestartInProgress', 'ChaosEngine is restarted');
  const held = setFinalizer(context, engine, true);
  const words = `Identifying app under test & launching ${runnerNameOf(engine)}`;
  context.event(engine, 'Normal', 'ChaosEngineInitialized', words);
  writeCustomStatus(context, ChaosEngines, held, { engineStatus: 'initialized', experiments: [] });
}

/** The runner's pod is there, and does something, or has done it. Models reconcileForCreationAndRunning. */
export function keepRunning(context: Context, engine: ChaosEngine): Result | void {
  const { client, now } = context;
  const runner = client.get(Pods, { namespace: engine.metadata.namespace ?? '', name: runnerNameOf(engine) });
  if (!runner) return createRunner(context, engine);
  if (runner.metadata.deletionTimestamp) return undefined;
  const state = runner.status.containerStatuses?.find(({ name }) => name === RUNNER)?.state ?? {};
  if (state.terminated?.reason === 'Completed') return complete(context, engine);
  if (!state.running) return undefined;
  const left = parseTimestamp(state.running.startedAt ?? '') + RUNNER_START - now;
  if (left > 0) return { requeueAfter: left };
  if ((engine.status?.experiments ?? []).length === 0) return patchInitially(context, engine);
  return stepRunner(context, engine);
}

/** Models createRunnerPod. */
function createRunner(context: Context, engine: ChaosEngine): Result | void {
  const { client } = context;
  if (findTargetFault(engine) !== undefined) return setState(context, engine, 'stop');
  const rest = restUntilRetry(context, engine, FAILED, BACK_OFF);
  if (rest > 0) return { requeueAfter: rest };
  const [first] = experimentsOf(engine);
  const namespace = engine.metadata.namespace ?? '';
  const installed = first && client.get(ChaosExperiments, { namespace, name: first.name });
  try {
    if (installed) return void client.create(Pods, makeRunnerPod(engine, installed));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  context.event(engine, 'Warning', FAILED, '(chaos start) Unable to get chaos resources');
  return { requeueAfter: restUntilRetry(context, engine, FAILED, BACK_OFF) || BACK_OFF.longest };
}

/** Models updateEngineForComplete. */
function complete(context: Context, engine: ChaosEngine): void {
  writeCustomStatus(context, ChaosEngines, engine, { ...engine.status, engineStatus: 'completed' });
  setState(context, engine, 'stop');
  const words = 'ChaosEngine completed, will delete or retain the resources according to jobCleanUpPolicy';
  context.event(engine, 'Normal', 'ChaosEngineCompleted', words);
}

/** Models gracefullyRemoveDefaultChaosResources: the runner goes when nothing is to be retained. */
export function cleanUp({ client }: Context, engine: ChaosEngine): void {
  if (engine.spec?.jobCleanUpPolicy !== 'delete') return;
  const own = chaosPods({ client }, engine).filter(({ metadata }) => metadata.labels?.['app'] === engine.metadata.name);
  deleteAll(client, Pods, own);
}

/** An engine that is stopped or deleted recovers, and what it ran is aborted. Models reconcileForDelete. */
export function stop(context: Context, engine: ChaosEngine): Result | void {
  const wasRunning = engine.status?.engineStatus === 'initialized';
  removeFaults(context, faultsOf(context, engine), engine.metadata.deletionTimestamp !== undefined);
  const pods = chaosPods(context, engine);
  if (pods.some(({ metadata }) => metadata.deletionTimestamp === undefined)) {
    removeResources(context, engine);
    if (wasRunning) abortAll(context, engine);
  }
  const last = Math.max(
    0,
    ...chaosPods(context, engine).map(({ metadata }) => parseTimestamp(metadata.deletionTimestamp ?? '')),
  );
  const left = last + TERMINATION - context.now;
  if (last > 0 && left > 0) return { requeueAfter: left };
  if (wasRunning && (engine.status?.experiments ?? []).length > 0)
    context.event(engine, 'Normal', 'ChaosEngineStopped', 'Chaos resources deleted successfully');
  const experiments = (engine.status?.experiments ?? []).map((one): ExperimentStatus =>
    isRunning(one) || isWaiting(one)
      ? { ...one, status: 'Forcefully Aborted', verdict: 'Stopped', lastUpdateTime: timestamp(context.now) }
      : one,
  );
  if (wasRunning) writeCustomStatus(context, ChaosEngines, engine, { engineStatus: 'stopped', experiments });
  setFinalizer(context, context.client.get(ChaosEngines, keyOf(engine)) ?? engine, false);
}

function abortAll(context: Context, engine: ChaosEngine): void {
  for (const { name, experimentPod } of (engine.status?.experiments ?? []).filter(isRunning)) {
    const spec = experimentsOf(engine).find((one) => one.name === name);
    const instance = envOf(spec?.spec?.components?.env).get('INSTANCE_ID') ?? '';
    const run = { engine, experiment: name, pod: experimentPod, instance };
    abortExperiment(context, run);
    forgetReports(context, run);
  }
}

const chaosPods = ({ client }: Pick<Context, 'client'>, { metadata }: ChaosEngine): Pod[] =>
  client.list(Pods, metadata.namespace).filter((pod) => pod.metadata.labels?.['chaosUID'] === metadata.uid);

/** Models forceRemoveChaosResources. */
function removeResources(context: Context, engine: ChaosEngine): void {
  const { client } = context;
  const { metadata, spec } = engine;
  const seconds = spec?.terminationGracePeriodSeconds;
  const options = { propagationPolicy: 'Background', ...(seconds ? { gracePeriodSeconds: seconds } : {}) };
  const jobs = client
    .list(Jobs, metadata.namespace)
    .filter((job) => job.metadata.labels?.['chaosUID'] === metadata.uid);
  deleteAll(client, Jobs, jobs, options);
  deleteAll(client, Pods, chaosPods(context, engine), options);
}

function setState({ client }: Context, engine: ChaosEngine, engineState: string): void {
  const stored = client.get(ChaosEngines, keyOf(engine)) ?? engine;
  client.update(servedKind(client, ChaosEngines), { ...stored, spec: { ...stored.spec, engineState } });
}

function setFinalizer({ client }: Context, engine: ChaosEngine, isHeld: boolean): ChaosEngine {
  const next = isHeld ? addFinalizer(engine, FINALIZER) : removeFinalizer(engine, FINALIZER);
  return next === engine ? engine : client.update(servedKind(client, ChaosEngines), next);
}
