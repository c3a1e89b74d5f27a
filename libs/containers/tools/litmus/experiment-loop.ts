import type { ChaosResult } from '../../../engine/controllers/litmus/objects.js';
import { PHASE, POD } from '../../../engine/controllers/litmus/result/report.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import type { Session } from '../kubectl/session/session.js';
import { task, type Task } from '../kubectl/session/task.js';
import { attempt, envOf, nextLook } from './api.js';
import { error, info } from './log.js';
import { durationOf, resultPath } from './paths.js';
import { beginRun, dropPod, isOngoing, isVerdict, tellOfProbe } from './probes/attempt.js';
import { fatalOf } from './probes/runs.js';
import { asPlain, asState, modeOf, type Stage, type State, withProbe } from './probes/state.js';
import { timeoutsOf } from './probes/timeouts.js';
import { markVerdict } from './probes/verdict.js';

/** The controller begins at once; a pod that a Job makes after its engine has gone on is none of its experiments'. */
const BEGINNING = 600_000;
const STAGES: readonly Stage[] = ['begun', 'PreChaos', 'DuringChaos', 'PostChaos'];

/** Runs what is due, and waits for what is next. */
export function loop(session: Session, data: Plain): readonly Task[] {
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
  if (phase === '' && session.now > state.expectedAt + BEGINNING) {
    error(session, '[Abort]: no engine runs the experiment any more');
    return [];
  }
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
    const until = session.now + durationOf(session) * 1_000;
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
