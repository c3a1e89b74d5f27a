import type { ChaosResult } from '../../../engine/controllers/litmus/objects.js';
import { ENDED, HELPER, MAX_PROBES, PHASE, POD, PROBES } from '../../../engine/controllers/litmus/report.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import type { ApiObject, Session } from '../kubectl/session/session.js';
import { task, type Task } from '../kubectl/session/task.js';
import { attempt, envOf, LITMUS, nextLook, POLL, secondsOf } from './api.js';
import { defineChaosProgram } from './client.js';
import { error, info } from './log.js';
import { ATTEMPTS, beginRun, dropPod, isOngoing, isVerdict, tellOfProbe, type Finished } from './probes/attempt.js';
import { asPlain, asState, modeOf, newProbeState, withProbe, type Stage, type State } from './probes/state.js';
import { findDurationFault, pollingOf, timeoutsOf } from './probes/timeouts.js';
import { formatError, type Probe, type ProbeError } from './probes/types.js';
import { markVerdict } from './probes/verdict.js';

/** TOTAL_CHAOS_DURATION, where nothing says it. */
const DURATION = 30;
const STAGES: readonly Stage[] = ['begun', 'PreChaos', 'DuringChaos', 'PostChaos'];

const nameOfResult = (session: Session): string =>
  [envOf(session, 'CHAOSENGINE'), envOf(session, 'EXPERIMENT_NAME'), envOf(session, 'INSTANCE_ID')]
    .filter((part) => part !== '')
    .join('-');
const pathOf = (session: Session, kind: string, name = ''): string =>
  `${LITMUS}/namespaces/${envOf(session, 'CHAOS_NAMESPACE')}/${kind}${name === '' ? '' : `/${name}`}`;
const resultPath = (session: Session): string => pathOf(session, 'chaosresults', nameOfResult(session));
const enginePath = (session: Session): string => pathOf(session, 'chaosengines', envOf(session, 'CHAOSENGINE'));

/**
 * go-runner's `experiments`: it begins the ChaosResult, runs the probes as the pod's service account, and ends when
 * there is a verdict; what it injects is the controller's. One probe runs after the other. Models
 * litmus-go/bin/experiment, experiments/generic and pkg/probe. Left out: experiments without an engine.
 */
export const experiment = defineChaosProgram({
  run: begin,
  tasks: { ...ATTEMPTS, start, loop, finished, report },
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
    ...{ states: probes.map(newProbeState), pollAt: 0, expectedAt: 0 },
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
      'Chaos Duration': secondsOf(session, 'TOTAL_CHAOS_DURATION', DURATION),
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

/** Runs what is due, and waits for what is next. */
function loop(session: Session, data: Plain): readonly Task[] {
  const state = asState(data);
  const { now } = session;
  const [queued, ...queue] = state.queue;
  if (queued !== undefined) {
    const probe = state.probes[queued]!;
    tellOfProbe(session, probe, state.stage);
    return beginRun(session, { ...state, queue }, queued, timeoutsOf(probe).initialDelay);
  }
  if (state.owesReport) return [task('report', asPlain({ ...state, owesReport: false }))];
  const due = state.states.findIndex(({ nextAt }) => nextAt !== null && nextAt <= now);
  if (due >= 0) {
    const { endAt } = state.states[due]!;
    if (endAt === null || now < endAt) return beginRun(session, state, due, 0);
    info(session, `[Chaos]: Time is up for the ${state.probes[due]!.name} probe`);
    return [task('loop', asPlain(withProbe(state, due, { nextAt: null })))];
  }
  if (now >= state.pollAt) return look(session, { ...state, pollAt: nextLook(now, state.expectedAt) });
  const next = Math.min(state.pollAt, ...state.states.flatMap(({ nextAt }) => (nextAt === null ? [] : [nextAt])));
  return [task('loop', data, Math.max(1, next - now))];
}

/** How far the controller has come. */
function look(session: Session, state: State): readonly Task[] {
  const { object, failure } = attempt(() => session.get(resultPath(session)));
  if (object === undefined) {
    error(session, `failed to get chaosresult, err: ${failure}`);
    return failure.includes('not found') ? [] : [task('loop', asPlain(state))];
  }
  const result = object as unknown as ChaosResult;
  const { annotations = {} } = result.metadata;
  const phase = annotations[PHASE] ?? '';
  if (annotations[POD] !== envOf(session, 'POD_NAME') || phase === 'Over') return end(session, state, result);
  if (phase === state.phase) return [task('loop', asPlain(state))];
  const stage = STAGES.indexOf(phase === 'Settled' ? 'PostChaos' : (phase as Stage));
  let next: State = { ...state, phase };
  for (const passed of STAGES.slice(STAGES.indexOf(state.stage) + 1, stage + 1)) next = enter(session, next, passed);
  // Probes after the chaos run when the application is back.
  if (phase === 'PostChaos') next = afterChaos(session, next);
  return [task('loop', asPlain(next))];
}

/** A part of the experiment begins. Models RunProbes, and what the log of an experiment tells in between. */
function enter(session: Session, before: State, stage: Stage): State {
  const state: State = { ...before, stage };
  const places = state.probes.map((_, at) => at);
  const withMode = (...modes: readonly string[]): number[] =>
    places.filter((at) => modes.includes(modeOf(state.probes[at]!)));
  if (stage === 'PreChaos' && state.phase === 'PreChaos')
    return {
      ...activate(session, state, withMode('continuous'), null),
      queue: withMode('sot', 'edge'),
      owesReport: true,
    };
  const name = envOf(session, 'EXPERIMENT_NAME');
  if (stage === 'DuringChaos') {
    info(session, '[Info]: The chaos tunables are:', {
      ...{
        Sequence: envOf(session, 'SEQUENCE', 'parallel'),
        PodsAffectedPerc: envOf(session, 'PODS_AFFECTED_PERC', '0'),
      },
    });
    const until = session.now + secondsOf(session, 'TOTAL_CHAOS_DURATION', DURATION) * 1_000;
    return {
      ...activate(session, state, withMode('onchaos'), until),
      expectedAt: until,
      pollAt: nextLook(session.now, until),
    };
  }
  if (stage === 'PostChaos') {
    info(session, `[Confirmation]: ${name} chaos has been injected successfully`);
    if (envOf(session, 'DEFAULT_HEALTH_CHECK', 'true') === 'true')
      info(session, '[Status]: Verify that the AUT (Application Under Test) is running (post-chaos)');
  }
  return state;
}

/** Probes that are repeated from now on. */
function activate(session: Session, before: State, places: readonly number[], endAt: number | null): State {
  let state = before;
  for (const at of places) {
    tellOfProbe(session, state.probes[at]!, state.stage);
    const delay = timeoutsOf(state.probes[at]!).initialDelay;
    state = withProbe(state, at, { nextAt: session.now + delay, endAt });
  }
  return state;
}

/** Those that were repeated have a verdict now; others are run. */
function afterChaos(session: Session, before: State): State {
  let state = before;
  for (const [at, probe] of before.probes.entries()) {
    if (!isOngoing(probe)) continue;
    const { error: wrong, description, nextAt } = state.states[at]!;
    if (nextAt !== null) info(session, `Stopping ${probe.name} continuous Probe`);
    state = withProbe(state, at, { nextAt: null });
    const outcome = wrong === null ? { description } : { error: wrong };
    if (isVerdict(outcome)) state = markVerdict(session, state, at, outcome, 'PostChaos');
    state = dropPod(session, state, at);
  }
  const fatal = fatalOf(state);
  const queue = state.probes.flatMap((probe, at) => (['eot', 'edge'].includes(modeOf(probe)) ? [at] : []));
  return { ...state, queue: fatal === undefined ? queue : [], owesReport: true };
}

/** Of probes that are repeated: what ends the experiment. */
function fatalOf({ probes, states }: State): string | undefined {
  const fatal = states.flatMap(({ error: wrong }, at) => {
    const stops = probes[at]!.runProperties?.stopOnFailure === true;
    return wrong !== null && isOngoing(probes[at]!) && (stops || !isVerdict({ error: wrong }))
      ? [formatError(wrong)]
      : [];
  });
  return fatal.length > 0 ? `[${fatal.join(',')}]` : undefined;
}

/** What has come of one run of a probe. */
function finished(session: Session, data: Plain): readonly Task[] {
  const { state, at, outcome } = data as unknown as Finished;
  const probe = state.probes[at]!;
  const kept = outcome.error ? {} : { register: outcome.register ?? '' };
  if (isOngoing(probe)) return goOnWith(session, withProbe(state, at, kept), at, outcome.error ?? null, outcome);
  let next = withProbe(state, at, kept);
  if (isVerdict(outcome)) next = markVerdict(session, next, at, outcome, state.stage);
  next = dropPod(session, next, at);
  const ends = outcome.error !== undefined && (!isVerdict(outcome) || probe.runProperties?.stopOnFailure === true);
  if (!ends) return [task('loop', asPlain(next))];
  const wrong = formatError({ ...outcome.error, phase: state.stage });
  error(session, `Probes Failed, err: probes failed --- ${wrong}`);
  return tell(session, { ...next, queue: [], owesReport: false }, wrong);
}

function goOnWith(
  session: Session,
  state: State,
  at: number,
  wrong: ProbeError | null,
  outcome: Finished['outcome'],
): readonly Task[] {
  const probe = state.probes[at]!;
  if (wrong === null) {
    const description = outcome.error ? '' : outcome.description;
    // The chaos is over meanwhile.
    const isOver = state.states[at]!.nextAt === null;
    const nextAt = isOver ? null : session.now + pollingOf(probe);
    return [task('loop', asPlain(withProbe(state, at, { description, nextAt })))];
  }
  const told = { ...wrong, phase: state.stage === 'DuringChaos' ? 'ChaosInject' : state.stage };
  const type = probe.type.toLowerCase().replace('probe', '');
  error(session, `The ${probe.name} ${type} probe has been Failed, err: ${formatError(told)}`);
  const next = withProbe(state, at, { error: told, nextAt: null, description: wrong.reason });
  if (probe.runProperties?.stopOnFailure !== true) return [task('loop', asPlain(next))];
  return stopEngine(session, markVerdict(session, next, at, { error: told }, 'PostChaos'), formatError(told));
}

/** Models stopChaosEngine. */
function stopEngine(session: Session, state: State, wrong: string): readonly Task[] {
  writeReport(session, { ...state, stage: 'PostChaos' }, 'Stopped', wrong);
  const { failure } = attempt(() => session.patch(enginePath(session), { spec: { engineState: 'stop' } }));
  if (failure !== undefined) {
    const reason = `failed to patch the chaosengine to \`stop\` state, ${failure}`;
    error(session, `unable to patch chaosengine to stop, err: ${formatError({ errorCode: 'GENERIC_ERROR', reason })}`);
  }
  return [task('loop', asPlain({ ...state, pollAt: session.now + POLL }))];
}

function report(session: Session, data: Plain): readonly Task[] {
  const state = asState(data);
  return tell(session, state, state.stage === 'PostChaos' ? fatalOf(state) : undefined);
}

function tell(session: Session, state: State, wrong: string | undefined): readonly Task[] {
  writeReport(session, state, state.stage, wrong);
  return [task('loop', asPlain({ ...state, pollAt: session.now + POLL }))];
}

function writeReport(session: Session, { states }: State, phase: string, wrong: string | undefined): void {
  const isStopped = states.some((one) => one.isStopped);
  const text = JSON.stringify({
    ...{ phase, probes: states.map(({ verdict, description }) => ({ verdict, description })) },
    ...(wrong === undefined ? {} : { error: wrong }),
    ...(isStopped ? { isStopped } : {}),
  });
  const { failure } = attempt(() =>
    session.patch(resultPath(session), { metadata: { annotations: { [PROBES]: text } } }),
  );
  if (failure !== undefined) error(session, `failed to update chaosresult, err: ${failure}`);
}

/** There is a verdict. */
function end(session: Session, before: State, result: ChaosResult): readonly Task[] {
  const { verdict = '', errorOutput } = result.status?.experimentStatus ?? {};
  let state = before;
  for (const at of before.probes.keys()) state = dropPod(session, state, at);
  if (errorOutput) error(session, `Chaos injection failed, err: ${errorOutput.reason}`);
  else if (verdict !== 'Stopped') {
    if (state.stage !== 'PostChaos') enter(session, { ...state, phase: 'Over' }, 'PostChaos');
    info(session, `[The End]: Updating the chaos result of ${envOf(session, 'EXPERIMENT_NAME')} experiment (EOT)`);
  }
  return [];
}
