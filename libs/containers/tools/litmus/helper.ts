import type { Plain } from '../../../engine/kernel/process/program.js';
import type { Session } from '../kubectl/session/session.js';
import { task, type Task } from '../kubectl/session/task.js';
import { envOf, secondsOf } from './api.js';
import { defineChaosProgram } from './client.js';
import { FILL_TASKS } from './disk-fill.js';
import { asHelper, asPlain, fail, type Helper } from './helper-state.js';
import { info } from './log.js';
import { containerIdOf, describeTarget, getPod, parseTargets, statusOf, type Target } from './target.js';

const KINDS = ['network-chaos', 'stress-chaos', 'dns-chaos', 'container-kill', 'disk-fill'];
const POLL = 2_000;

/**
 * go-runner's `helpers`: one finds its targets, and stays until the chaos is over, which is the controller's (a Fault);
 * disk-fill's is its own. Models litmus-go/bin/helper and the helpers of chaoslib.
 */
export const helper = defineChaosProgram({
  run: begin,
  tasks: { prepare, inject, waitForEnd, killAgain, validate, ...FILL_TASKS },
  lastWords: [
    '[Chaos]: Killing process started because of terminated signal received',
    '[Abort]: Chaos Revert Started',
    '[Abort]: Chaos Revert Completed',
  ],
});

function begin(session: Session, kind: string): readonly Task[] | void {
  info(session, `Helper Name: ${kind}`);
  info(session, '[PreReq]: Getting the ENV variables');
  if (!KINDS.includes(kind)) return fail(session, { errorCode: 'HELPER_ERROR', reason: `${kind} is not simulated` });
  const targets = parseTargets(envOf(session, 'TARGETS'), kind === 'network-chaos' ? 4 : 3);
  if (!Array.isArray(targets)) return fail(session, targets);
  const state: Helper = { kind, targets, at: 0, sizes: [], begunAt: session.now };
  return [task('prepare', asPlain(state))];
}

/** One target after the other is found. */
function prepare(session: Session, data: Plain): readonly Task[] | void {
  const state = asHelper(data);
  const target = state.targets[state.at];
  if (!target) return [task(state.kind === 'disk-fill' ? 'measure' : 'inject', asPlain({ ...state, at: 0 }))];
  if (state.kind === 'container-kill') info(session, `Injecting chaos on target: ${describeTarget(target)}`);
  const found = getPod(session, target);
  if ('error' in found) return fail(session, found.error);
  const id = containerIdOf(session, target, found.pod);
  if (typeof id !== 'string') return fail(session, id);
  info(session, `Container ID: ${id}`);
  return [task('prepare', asPlain({ ...state, at: state.at + 1 }))];
}

const durationOf = (session: Session): number => secondsOf(session, 'TOTAL_CHAOS_DURATION', 30) * 1_000;

/** What is done to the targets is the controller's Fault; here is what the log tells of it. */
function inject(session: Session, data: Plain): readonly Task[] {
  const state = asHelper(data);
  if (state.kind === 'container-kill') return [task('killAgain', data)];
  for (const target of state.targets) {
    const command = COMMANDS[state.kind]?.(session);
    if (command !== undefined) info(session, command);
    if (state.kind === 'network-chaos')
      info(session, `chaos injected successfully on {pod: ${target.name}, container: ${target.container}}`);
    info(session, `successfully injected chaos on target: ${describeTarget(target)}`);
  }
  const seconds = durationOf(session) / 1_000;
  info(
    session,
    state.kind === 'network-chaos' ? `[Chaos]: Waiting for ${seconds}s` : '[Wait]: Waiting for chaos completion',
  );
  return [task('waitForEnd', data, durationOf(session))];
}

const COMMANDS: Readonly<Record<string, (session: Session) => string>> = {
  'network-chaos': (session) =>
    `sudo nsenter --net=/proc/1/ns/net tc qdisc replace dev ${envOf(session, 'NETWORK_INTERFACE', 'eth0')} root ${envOf(session, 'NETEM_COMMAND')}`,
};

function waitForEnd(session: Session, data: Plain): void {
  const { kind, targets } = asHelper(data);
  info(session, kind === 'network-chaos' ? '[Chaos]: Duration is over, reverting chaos' : '[Info]: Reverting Chaos');
  for (const target of targets) info(session, `successfully reverted chaos on target: ${describeTarget(target)}`);
}

/** A round of container-kill: what is killed is the controller's. */
function killAgain(session: Session, data: Plain): readonly Task[] | void {
  const state = asHelper(data);
  if (session.now - state.begunAt >= durationOf(session)) {
    info(session, `[Completion]: ${envOf(session, 'EXPERIMENT_NAME')} chaos has been completed`);
    return;
  }
  for (const target of state.targets) tellOfContainer(session, target);
  const interval = secondsOf(session, 'CHAOS_INTERVAL', 10);
  info(session, `[Wait]: Wait for the chaos interval ${interval}s`);
  return [task('validate', data, interval * 1_000)];
}

function tellOfContainer(session: Session, target: Target): void {
  const found = getPod(session, target);
  info(session, '[Info]: Details of application under chaos injection', {
    ...{ PodName: target.name, ContainerName: target.container },
    RestartCountBefore: 'pod' in found ? statusOf(found.pod, target.container)?.restartCount : '',
  });
}

/** The containers run again. Models validate; how often they have started anew is told. */
function validate(session: Session, data: Plain): readonly Task[] | void {
  const state = asHelper(data);
  const timeout = secondsOf(session, 'STATUS_CHECK_TIMEOUT', 180) * 1_000;
  const since = state.waitsSince ?? session.now;
  for (const target of state.targets) {
    const found = getPod(session, target);
    if ('error' in found) return fail(session, found.error);
    const status = statusOf(found.pod, target.container);
    if (status?.ready !== true && session.now - since < timeout)
      return [task('validate', asPlain({ ...state, waitsSince: since }), POLL)];
    const where = `{podName: ${target.name}, namespace: ${target.namespace}, container: ${target.container}}`;
    if (status?.ready !== true)
      return fail(session, {
        errorCode: 'HELPER_ERROR',
        reason: 'target container is  not in running state',
        target: where,
      });
    info(session, `restartCount of target container after chaos injection: ${status.restartCount ?? 0}`);
  }
  const { waitsSince: _over, ...next } = state;
  return [task('killAgain', asPlain(next))];
}
