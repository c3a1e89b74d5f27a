import { ENDED, HELPER, MAX_PROBES, PHASE, POD, PROBES } from '../../../engine/controllers/litmus/result/report.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import type { ApiObject, Session } from '../kubectl/session/session.js';
import { task, type Task } from '../kubectl/session/task.js';
import { attempt, envOf } from './api.js';
import { defineChaosProgram } from './client.js';
import { loop } from './experiment-loop.js';
import { error, info } from './log.js';
import { durationOf, enginePath, nameOfResult, pathOf, resultPath } from './paths.js';
import { ATTEMPTS } from './probes/attempt.js';
import { RUNS } from './probes/runs.js';
import { asPlain, newProbeState, type State } from './probes/state.js';
import { findDurationFault } from './probes/timeouts.js';
import { formatError, type Probe, type ProbeError } from './probes/types.js';

/**
 * go-runner's `experiments`: it begins the ChaosResult, runs the probes as the pod's service account, and ends when
 * there is a verdict; what it injects is the controller's. One probe runs after the other. Models
 * litmus-go/bin/experiment, experiments/generic and pkg/probe. Left out: experiments without an engine.
 */
export const experiment = defineChaosProgram({
  run: begin,
  tasks: { ...ATTEMPTS, ...RUNS, start, loop },
  lastWords: [
    '[Chaos]: Chaos Experiment Abortion started because of terminated signal received',
    '[ABORT]: Updated chaosresult post stop',
  ],
});

function begin(session: Session, name: string): readonly Task[] {
  info(session, `Experiment Name: ${name}`);
  info(session, `[PreReq]: Getting the ENV for the ${envOf(session, 'EXPERIMENT_NAME')} experiment`);
  const found = attempt(() => session.get(enginePath(session)));
  if (found.failure !== undefined)
    return stopWith(session, `Unable to initialize the probes, err: could not get chaosengine --- ${found.failure}`);
  const probes = probesIn(session, found.object);
  const fault = findDurationFault(probes);
  if (fault !== undefined)
    return stopWith(session, `Unable to initialize the probes, err: could not initialize probe --- ${fault}`);
  const state: State = {
    ...{ phase: '', stage: 'begun', queue: [], owesReport: false, probes },
    ...{ states: probes.map(newProbeState), pollAt: 0, expectedAt: session.now },
  };
  return [task('start', asPlain(state))];
}

function stopWith(session: Session, message: string): readonly Task[] {
  error(session, message);
  return [];
}

function probesIn(session: Session, engine: ApiObject): Probe[] {
  const { experiments = [] } = (engine['spec'] ?? {}) as {
    experiments?: readonly { name: string; spec?: { probe?: readonly Probe[] } }[];
  };
  const own = experiments.find(({ name }) => name === envOf(session, 'EXPERIMENT_NAME'));
  return [...(own?.spec?.probe ?? [])].slice(0, MAX_PROBES);
}

/** The result, which the controller goes on from. Models result.ChaosResult. */
function start(session: Session, data: Plain): readonly Task[] {
  const name = envOf(session, 'EXPERIMENT_NAME');
  info(session, `[PreReq]: Updating the chaos result of ${name} experiment (SOT)`);
  const why = beginResult(session);
  if (why !== undefined) return stopWith(session, `Unable to Create the Chaos Result, err: ${formatError(why)}`);
  info(session, 'The application information is as follows\n', {
    ...{
      Targets: `[${envOf(session, 'TARGETS')}]`,
      'Chaos Duration': durationOf(session),
    },
    'Container Runtime': envOf(session, 'CONTAINER_RUNTIME', 'containerd'),
  });
  if (envOf(session, 'DEFAULT_HEALTH_CHECK', 'true') === 'true')
    info(session, '[Status]: Verify that the AUT (Application Under Test) is running (pre-chaos)');
  return [task('loop', data)];
}

function beginResult(session: Session): ProbeError | undefined {
  const target = `{name: ${nameOfResult(session)}, namespace: ${envOf(session, 'CHAOS_NAMESPACE')}}`;
  const pod = envOf(session, 'POD_NAME');
  const path = `/api/v1/namespaces/${envOf(session, 'CHAOS_NAMESPACE')}/pods/${pod}`;
  const own = attempt(() => session.get(path));
  if (own.failure !== undefined)
    return { errorCode: 'GENERIC_ERROR', reason: `failed to get experiment pod :${own.failure}`, target };
  const labels = { ...own.object.metadata?.labels, chaosUID: envOf(session, 'CHAOS_UID') };
  const fresh = { [POD]: pod, [PHASE]: null, [PROBES]: null, [HELPER]: null, [ENDED]: null };
  const known = attempt(() => session.get(resultPath(session)));
  const failed = (reason: string): ProbeError => ({ errorCode: 'CHAOS_RESULT_CRUD_ERROR', reason, target });
  if (known.failure !== undefined && known.status !== 404) return failed(`failed to get result: ${known.failure}`);
  const made = attempt(() =>
    known.object === undefined
      ? session.post(pathOf(session, 'chaosresults'), newResult(session, labels, pod))
      : session.patch(resultPath(session), { metadata: { labels, annotations: fresh } }),
  );
  return made.failure === undefined ? undefined : failed(made.failure);
}

function newResult(session: Session, labels: object, pod: string): object {
  const instance = envOf(session, 'INSTANCE_ID');
  return {
    ...{ apiVersion: 'litmuschaos.io/v1alpha1', kind: 'ChaosResult' },
    metadata: { name: nameOfResult(session), labels, annotations: { [POD]: pod } },
    spec: {
      ...{ engine: envOf(session, 'CHAOSENGINE'), experiment: envOf(session, 'EXPERIMENT_NAME') },
      ...(instance === '' ? {} : { instance }),
    },
  };
}
