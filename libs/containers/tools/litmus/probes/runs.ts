import { PROBES } from '../../../../engine/controllers/litmus/result/report.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import type { Session } from '../../kubectl/session/session.js';
import { task, type Task } from '../../kubectl/session/task.js';
import { attempt, POLL } from '../api.js';
import { error } from '../log.js';
import { enginePath, resultPath } from '../paths.js';
import { dropPod, type Finished, isOngoing, isVerdict } from './attempt.js';
import { asPlain, asState, type State, withProbe } from './state.js';
import { pollingOf } from './timeouts.js';
import { formatError, type ProbeError } from './types.js';
import { markVerdict } from './verdict.js';

/** What follows a probe's run, and what the controller is told of all. */
export const RUNS = { finished, report };

/** Of probes that are repeated: what ends the experiment. */
export function fatalOf({ probes, states }: State): string | undefined {
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
