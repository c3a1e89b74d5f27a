import type { Job } from '../../../api/batch_v1.js';
import type { Pod } from '../../../api/core_v1.js';
import { Jobs, Pods } from '../../../kinds/index.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { ApiError } from '../../../machinery/meta/status.js';
import { parseTimestamp, timestamp, type Millis } from '../../../machinery/time/time.js';
import type { Context, Result } from '../../../runtime/controller.js';
import { writeCustomStatus } from '../../custom-status.js';
import { checkTimeoutOf, envOf, type Env } from '../env.js';
import { runExperiment } from '../experiment.js';
import { faultsOfRun, removeFaults } from '../chaos/faults.js';
import type { Ground } from '../ground.js';
import { removeHelpers } from '../helpers/helpers.js';
import { makeJob } from './job.js';
import {
  ChaosEngines,
  ChaosExperiments,
  experimentsOf,
  type ChaosEngine,
  type ChaosExperiment,
  type EngineExperiment,
  type ExperimentStatus,
} from '../objects.js';
import { forgetReports, phaseOf, podOf, resultOf } from '../result/result.js';
import { whyForbidden } from './rights.js';
import { tellOfRunner, type RunnerReason } from './runner-events.js';
import { runnerNameOf } from './runner-pod.js';
import { abortExperiment } from '../result/tell.js';

const WAITING = 'Waiting for Job Creation';
const RUNNING = 'Running';
const JOB_SUFFIX = 6;

export const isWaiting = ({ status }: ExperimentStatus): boolean => status === WAITING;
export const isRunning = ({ status }: ExperimentStatus): boolean => status === RUNNING;

/** Models chaos-runner's InitialPatchEngine. */
export function patchInitially(context: Context, engine: ChaosEngine): void {
  if (whyForbidden(context.client, engine, 'update', 'chaosengines.litmuschaos.io') !== undefined) return;
  const experiments = experimentsOf(engine).map(({ name }): ExperimentStatus => ({
    ...{ name, runner: runnerNameOf(engine), experimentPod: 'Yet to be launched' },
    ...{ status: WAITING, verdict: 'N/A', lastUpdateTime: timestamp(context.now) },
  }));
  writeCustomStatus(context, ChaosEngines, engine, { ...engine.status, experiments });
}

/** What one experiment is made of. */
interface Part {
  readonly context: Context;
  readonly engine: ChaosEngine;
  readonly experiment: EngineExperiment;
  readonly current: ExperimentStatus;
  readonly env: Env;
}

/** The runner's loop: one experiment after another. Models chaos-runner/bin/runner.go. */
export function stepRunner(context: Context, engine: ChaosEngine): Result | void {
  const current = (engine.status?.experiments ?? []).find((one) => isWaiting(one) || isRunning(one));
  if (!current) return;
  const experiment = experimentsOf(engine).find(({ name }) => name === current.name);
  const namespace = engine.metadata.namespace ?? '';
  const installed = context.client.get(ChaosExperiments, { namespace, name: current.name });
  if (!experiment || !installed) return notFound(context, engine, current);
  const env = envOf(installed.spec?.definition?.env, experiment.spec?.components?.env, [...checkTimes(experiment)]);
  const part: Part = { context, engine, experiment, current, env };
  const job = findJob(context, engine, current.name);
  if (!job && isWaiting(current)) return launch(part, installed);
  const wait = watch(part, job);
  return wait === undefined ? undefined : { requeueAfter: wait };
}

function* checkTimes({ spec }: EngineExperiment): Generator<{ name: string; value: string }> {
  const { delay, timeout } = spec?.components?.statusCheckTimeouts ?? {};
  if (delay) yield { name: 'STATUS_CHECK_DELAY', value: String(delay) };
  if (timeout) yield { name: 'STATUS_CHECK_TIMEOUT', value: String(timeout) };
}

const findJob = ({ client }: Context, { metadata }: ChaosEngine, experiment: string): Job | undefined =>
  client
    .list(Jobs, metadata.namespace)
    .find(
      (job) =>
        job.metadata.labels?.['chaosUID'] === metadata.uid &&
        job.metadata.name?.startsWith(`${experiment}-`) === true &&
        job.metadata.name.length === experiment.length + 1 + JOB_SUFFIX &&
        job.metadata.deletionTimestamp === undefined,
    );

function launch(part: Part, installed: ChaosExperiment): void {
  const { context, engine, current, experiment } = part;
  const job = `${current.name}-${context.random.suffix(JOB_SUFFIX)}`;
  tellOfRunner(context, engine, current.name, 'ExperimentDependencyCheck', job);
  if (whyForbidden(context.client, engine, 'create', 'jobs.batch') !== undefined)
    return skip(part, 'ExperimentDependencyCheck');
  try {
    context.client.create(Jobs, makeJob(job, engine, experiment, installed));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return skip(part, 'ExperimentDependencyCheck');
  }
  tellOfRunner(context, engine, current.name, 'ExperimentJobCreate', job);
}

/** Models WatchChaosContainerForCompletion. A number: to be looked at again after so many ms. */
function watch(part: Part, job: Job | undefined): Millis | undefined {
  const { context, engine, current, env } = part;
  if (whyForbidden(context.client, engine, 'list', 'pods') !== undefined)
    return void skip(part, 'ChaosContainerWatchNotPermitted');
  const pods = job ? podsOfJob(context, job) : [];
  const pod = pods.find(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (isRunning(current) && pod?.metadata.name !== current.experimentPod) leave(part, pod);
  const since = parseTimestamp(
    pod?.metadata.creationTimestamp ?? job?.metadata.creationTimestamp ?? current.lastUpdateTime,
  );
  if (!pod || (pod.status.phase ?? 'Pending') === 'Pending') {
    const left = since + checkTimeoutOf(env) - context.now;
    return left > 0 ? left : void skip(part, 'ChaosContainerWatchNotPermitted');
  }
  if (pod.status.phase === 'Failed' && phaseOf(resultOf(context, runOf(part, pod))) !== 'Over') {
    leave(part, undefined);
    return void skip(part, 'ChaosContainerWatchNotPermitted');
  }
  if (isWaiting(current) || pod.metadata.name !== current.experimentPod) {
    const experimentPod = pod.metadata.name ?? '';
    setStatus(context, engine, { ...current, experimentPod, status: RUNNING, verdict: 'Awaited' });
  }
  return follow(part, pod, job!);
}

const podsOfJob = ({ client }: Context, { metadata }: Job): Pod[] =>
  client.list(Pods, metadata.namespace).filter((pod) => pod.metadata.labels?.['job-name'] === metadata.name);

const runOf = ({ context, engine, experiment, env, current }: Part, pod: Pod): Ground => ({
  ...{ context, engine, env, spec: experiment, experiment: experiment.name, pod: pod.metadata.name ?? '' },
  instance: env.get('INSTANCE_ID') ?? '',
  since: isRunning(current) ? parseTimestamp(current.lastUpdateTime) : context.now,
});

/** The pod of a run has gone, or failed: what it did ends. */
function leave({ context, engine, experiment, env, current }: Part, next: Pod | undefined): void {
  const run = {
    engine,
    experiment: experiment.name,
    pod: current.experimentPod,
    instance: env.get('INSTANCE_ID') ?? '',
  };
  if (podOf(resultOf(context, run)) !== run.pod) return;
  const ground: Ground = { ...run, context, env, spec: experiment, since: context.now };
  removeFaults(context, faultsOfRun(ground), false);
  removeHelpers(ground, true);
  if (phaseOf(resultOf(context, run)) !== 'Over') abortExperiment(context, run);
  if (next) forgetReports(context, run);
}

/** The experiment goes on; when its pod has ended, the runner cleans up. */
function follow(part: Part, pod: Pod, job: Job): Millis | undefined {
  const { context, engine, current } = part;
  const ground = runOf(part, pod);
  if (!isPodTerminal(pod)) {
    const progress = runExperiment(ground);
    return typeof progress === 'number' ? progress : undefined;
  }
  removeFaults(context, faultsOfRun(ground), false);
  const result = resultOf(context, ground);
  const isOwn = podOf(result) === ground.pod;
  const verdict = (isOwn ? result?.status?.experimentStatus.verdict : undefined) ?? 'Awaited';
  if (isOwn) forgetReports(context, ground);
  setStatus(context, engine, { ...current, experimentPod: ground.pod, status: 'Completed', verdict });
  if (engine.spec?.jobCleanUpPolicy === 'delete')
    context.client.delete(Jobs, keyOf(job), { propagationPolicy: 'Foreground' });
  tellOfRunner(context, engine, current.name, 'ExperimentJobCleanUp', job.metadata.name ?? '');
  return undefined;
}

function notFound(context: Context, engine: ChaosEngine, current: ExperimentStatus): void {
  tellOfRunner(context, engine, current.name, 'ExperimentNotFound', '');
  setStatus(context, engine, {
    ...current,
    ...{ experimentPod: 'N/A', status: 'ChaosExperiment Not Found', verdict: 'Fail' },
  });
}

/** Models ExperimentSkipped and ExperimentSkippedPatchEngine. */
function skip({ context, engine, current }: Part, reason: RunnerReason): void {
  tellOfRunner(context, engine, current.name, reason, '', true);
  setStatus(context, engine, { ...current, experimentPod: 'N/A', status: 'Skipped', verdict: 'Fail' });
}

function setStatus(context: Context, engine: ChaosEngine, next: ExperimentStatus): void {
  const stored = context.client.get(ChaosEngines, keyOf(engine)) ?? engine;
  const lastUpdateTime = timestamp(context.now);
  const experiments = (stored.status?.experiments ?? []).map((one) =>
    one.name === next.name ? { ...next, lastUpdateTime } : one,
  );
  writeCustomStatus(context, ChaosEngines, stored, { ...stored.status, experiments });
}
