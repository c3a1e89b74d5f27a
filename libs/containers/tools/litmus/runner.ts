import { parseTimestamp } from '../../../engine/machinery/time/time.js';
import type { EngineExperiment, ExperimentStatus } from '../../../engine/controllers/litmus/objects.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import type { ApiObject, Session } from '../kubectl/session/session.js';
import { task, type Task } from '../kubectl/session/task.js';
import { attempt, envOf, findDenial, LITMUS, nextLook, POLL } from './api.js';
import { defineChaosProgram } from './client.js';
import { error, info } from './log.js';

const WAITING = 'Waiting for Job Creation';

/** How far each experiment has come, as the log tells it. */
type Step = 'none' | 'prepared' | 'started' | 'over';
type RunnerState = { steps: { [experiment: string]: Step } };

const enginePath = (session: Session): string =>
  `${LITMUS}/namespaces/${envOf(session, 'CHAOS_NAMESPACE')}/chaosengines/${envOf(session, 'CHAOSENGINE')}`;

/**
 * chaos-runner: it tells of what the controller does for it, as its account may, and ends when all experiments have.
 * Models chaos-runner/bin/runner.go.
 */
export const runner = defineChaosProgram({ run: begin, tasks: { poll }, lastWords: [] });

function begin(session: Session): readonly Task[] | void {
  const found = attempt(() => session.get(enginePath(session)));
  if (found.failure !== undefined)
    return fail(session, `unable to get ChaosEngineUID, error: ${notGot(session, found.failure)}`);
  const experiments = envOf(session, 'EXPERIMENT_LIST').split(',');
  info(session, 'Experiments details are as follows', {
    ...{
      'Experiments List': experiments,
      'Engine Name': envOf(session, 'CHAOSENGINE'),
      Targets: envOf(session, 'TARGETS'),
    },
    'Service Account Name': envOf(session, 'CHAOS_SVC_ACC'),
    'Engine Namespace': envOf(session, 'CHAOS_NAMESPACE'),
  });
  const denial = findDenial(session, 'update', 'chaosengines.litmuschaos.io');
  if (denial !== undefined)
    return fail(session, `unable to patch Initial ExperimentStatus in ChaosEngine, error: ${denial}`);
  const steps = Object.fromEntries(experiments.map((name): [string, Step] => [name, 'none']));
  return [task('poll', { steps }, POLL)];
}

const notGot = (session: Session, why: string): string =>
  `unable to get ChaosEngine name: ${envOf(session, 'CHAOSENGINE')}, in namespace: ${envOf(session, 'CHAOS_NAMESPACE')}, error: ${why}`;

function fail(session: Session, message: string): void {
  error(session, message);
}

function poll(session: Session, data: Plain): readonly Task[] {
  const state = data as RunnerState;
  const { object, failure } = attempt(() => session.get(enginePath(session)));
  if (object === undefined) {
    error(session, notGot(session, failure));
    return failure.includes('not found') ? [] : [task('poll', state, POLL)];
  }
  const all = statusesOf(object);
  const steps: RunnerState['steps'] = {};
  for (const [name, before] of Object.entries(state.steps)) {
    const found = all.find((one) => one.name === name);
    steps[name] = found ? tell(session, object, found, before) : before;
  }
  const isOver = Object.values(steps).every((step) => step === 'over');
  return isOver ? [] : [task('poll', { steps }, nextLook(session.now, expectedEnd(object, session.now)) - session.now)];
}

/** When the experiment that runs ought to be over. */
function expectedEnd(engine: ApiObject, now: number): number {
  const running = statusesOf(engine).find(({ status }) => status === 'Running');
  const { experiments = [] } = (engine['spec'] ?? {}) as { experiments?: readonly EngineExperiment[] };
  const env = experiments.find(({ name }) => name === running?.name)?.spec?.components?.env ?? [];
  const seconds = Number(env.find(({ name }) => name === 'TOTAL_CHAOS_DURATION')?.value ?? 0) || 0;
  return running ? parseTimestamp(running.lastUpdateTime) + seconds * 1_000 : now;
}

const statusesOf = (engine: ApiObject): readonly ExperimentStatus[] =>
  (engine['status'] as { experiments?: readonly ExperimentStatus[] } | undefined)?.experiments ?? [];

/** What has happened to an experiment since the last look. */
function tell(session: Session, engine: ApiObject, status: ExperimentStatus, before: Step): Step {
  const { name, experimentPod } = status;
  if (before === 'over' || status.status === WAITING) return before;
  const job = experimentPod.slice(0, Math.max(0, experimentPod.lastIndexOf('-')));
  const steps = before === 'none' ? prepare(session, status, job) : before;
  if (status.status === 'Running') return steps;
  if (status.status === 'Completed') {
    info(session, `Chaos Pod Completed, Experiment Name: ${name}, with Job Name: ${job}`);
    info(session, `Chaos Engine has been updated with result, Experiment Name: ${name}`);
    tellOfJob(session, engine, job);
  }
  return 'over';
}

function prepare(session: Session, { name, status }: ExperimentStatus, job: string): Step {
  if (status === 'ChaosExperiment Not Found') {
    const namespace = envOf(session, 'CHAOS_NAMESPACE');
    const why = `chaosexperiments.litmuschaos.io "${name}" not found`;
    error(
      session,
      `unable to get ChaosExperiment name: ${name}, in namespace: ${namespace}, error: unable to list Chaos Experiment Name: ${name},in Namespace: ${namespace}, error: ${why}`,
    );
    return 'over';
  }
  info(session, 'Getting the ENV Variables');
  info(session, `Preparing to run Chaos Experiment: ${name}`);
  if (status !== 'Skipped') {
    info(session, `Started Chaos Experiment Name: ${name}, with Job Name: ${job}`);
    return 'started';
  }
  const denial = findDenial(session, 'create', 'jobs.batch') ?? findDenial(session, 'list', 'pods');
  error(
    session,
    denial?.startsWith('jobs')
      ? `unable to construct chaos experiment job, error: unable to launch ChaosExperiment Job, error: ${denial}`
      : `unable to Watch the chaos container, error: unable to get the chaos pod, error: ${denial ?? 'chaos pod is in Pending state'}`,
  );
  return 'started';
}

function tellOfJob(session: Session, engine: ApiObject, job: string): void {
  const { jobCleanUpPolicy = '' } = (engine['spec'] ?? {}) as { jobCleanUpPolicy?: string };
  if (jobCleanUpPolicy !== 'delete') {
    info(session, `[skip]: skipping the job deletion as jobCleanUpPolicy is set to {${jobCleanUpPolicy}}`);
    return;
  }
  info(session, `deleting the job as jobCleanPolicy is set to ${jobCleanUpPolicy}`);
  info(session, `${job} job is deleted successfully`);
}
