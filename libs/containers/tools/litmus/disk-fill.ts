import { quantityValue } from '../../../engine/machinery/quantity/quantity.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import type { ApiObject, Session } from '../kubectl/session/session.js';
import { task, type Task } from '../kubectl/session/task.js';
import { attempt, envOf, findDenial, secondsOf } from './api.js';
import { asHelper, asPlain, fail, type Helper } from './helper-state.js';
import { info, warn } from './log.js';
import { describeTarget, getPod, podPath, type Target } from './target.js';

const FILE = '/home/diskfill';
const KILOBYTE = 1_000;
const MEBIBYTE = 1_024;

/**
 * disk-fill: a file in the target container, by the API's exec, where upstream's helper writes it from outside.
 * Models chaoslib/litmus/disk-fill/helper.
 */
export const FILL_TASKS = { measure, measured, fillNext, filled, revert, removed };

const whereOf = ({ name, namespace, container }: Target): string =>
  `{podName: ${name}, namespace: ${namespace}, container: ${container}}`;

/** What the container has written already. */
function measure(session: Session, data: Plain): readonly Task[] | void {
  const state = asHelper(data);
  const target = state.targets[state.at];
  if (!target) return [task('fillNext', asPlain({ ...state, at: 0 }))];
  return run(session, state, target, ['du', '-s', '-x', '/'], 'measured', 'HELPER_ERROR');
}

function measured(session: Session, data: Plain): readonly Task[] | void {
  const state = asHelper(data);
  const target = state.targets[state.at]!;
  const { output = '' } = data as { output?: string };
  const used = Number.parseInt(output, 10) || 0;
  info(session, `used ephemeral storage space: ${used}KB`);
  const found = getPod(session, target);
  if ('error' in found) return fail(session, found.error);
  const limit = limitOf(found.pod, target.container);
  const mebibytes = Number(envOf(session, 'EPHEMERAL_STORAGE_MEBIBYTES', '0')) || 0;
  if (limit === 0 && mebibytes === 0) {
    const reason =
      'either provide ephemeral storage limit inside target container or define EPHEMERAL_STORAGE_MEBIBYTES ENV';
    return fail(session, {
      errorCode: 'HELPER_ERROR',
      reason,
      target: `{podName: ${target.name}, namespace: ${target.namespace}}`,
    });
  }
  const percent = Number(envOf(session, 'FILL_PERCENTAGE', '80')) || 0;
  const size = (limit === 0 ? mebibytes * MEBIBYTE : Math.floor((limit * percent) / 100)) - used;
  info(session, '[Info]: Details of application under chaos injection', {
    ...{ PodName: target.name, Namespace: target.namespace, 'SizeToFill(KB)': size, TargetContainer: target.container },
  });
  return [task('measure', asPlain({ ...clean(state), at: state.at + 1, sizes: [...state.sizes, size] }))];
}

/** In KB: the limit of the container. */
function limitOf(pod: ApiObject, name: string): number {
  const { containers = [] } = (pod['spec'] ?? {}) as {
    containers?: readonly { name: string; resources?: { limits?: Readonly<Record<string, string>> } }[];
  };
  const limit = containers.find((one) => one.name === name)?.resources?.limits?.['ephemeral-storage'];
  return limit === undefined ? 0 : Math.ceil(quantityValue(limit) / KILOBYTE);
}

function fillNext(session: Session, data: Plain): readonly Task[] | void {
  const state = asHelper(data);
  const target = state.targets[state.at];
  const seconds = secondsOf(session, 'TOTAL_CHAOS_DURATION', 60);
  if (!target) {
    info(session, `[Chaos]: Waiting for ${seconds}s`);
    return [task('revert', asPlain({ ...state, at: 0, begunAt: session.now }), seconds * 1_000)];
  }
  const size = state.sizes[state.at] ?? 0;
  if (size <= 0) {
    warn(session, 'No required free space found!');
    return [task('fillNext', asPlain({ ...state, at: state.at + 1 }))];
  }
  const block = secondsOf(session, 'DATA_BLOCK_SIZE', 256);
  info(session, `[Fill]: Filling ephemeral storage, size: ${size}KB`);
  const count = Math.floor(size / block);
  info(session, `dd: {sudo dd if=/dev/urandom of=/proc/1/root${FILE} bs=${block}K count=${count}}`);
  // Zeros cost nothing to write, and a hole is as large as what is in it.
  const command = ['dd', 'if=/dev/zero', `of=${FILE}`, `bs=${block}K`, 'count=1', `seek=${Math.max(0, count - 1)}`];
  return run(session, state, target, command, 'filled', 'CHAOS_INJECT_ERROR');
}

/** A pod that is evicted meanwhile takes its container with it: the command's end is not told. */
function filled(session: Session, data: Plain): readonly Task[] | void {
  const state = asHelper(data);
  const target = state.targets[state.at]!;
  const { code } = data as { code: number };
  if (code !== 0 && !isEvicted(session, target))
    return fail(session, {
      errorCode: 'CHAOS_INJECT_ERROR',
      reason: `dd: exit status ${code}`,
      target: whereOf(target),
    });
  info(session, `successfully injected chaos on target: ${describeTarget(target)}`);
  return [task('fillNext', asPlain({ ...clean(state), at: state.at + 1 }))];
}

function isEvicted(session: Session, target: Target): boolean {
  const found = getPod(session, target);
  return 'pod' in found && (found.pod['status'] as { reason?: string } | undefined)?.reason === 'Evicted';
}

/** The file goes, or the pod that was evicted for it. Models revertDiskFill. */
function revert(session: Session, data: Plain): readonly Task[] | void {
  const state = asHelper(data);
  const target = state.targets[state.at];
  if (state.at === 0) info(session, '[Chaos]: Stopping the experiment');
  if (!target) return undefined;
  const found = getPod(session, target);
  if ('error' in found) return fail(session, { ...found.error, errorCode: 'CHAOS_REVERT_ERROR' });
  if (!isEvicted(session, target))
    return run(session, state, target, ['rm', '-rf', FILE], 'removed', 'CHAOS_REVERT_ERROR');
  warn(session, 'Target pod is evicted, deleting the pod');
  const { failure } = attempt(() => session.send('DELETE', podPath(target), undefined, ''));
  if (failure === undefined) return next(session, state, target);
  const reason = `failed to delete target pod after eviction :${failure}`;
  return fail(session, {
    errorCode: 'CHAOS_REVERT_ERROR',
    reason,
    target: `{podName: ${target.name},namespace: ${target.namespace}}`,
  });
}

function removed(session: Session, data: Plain): readonly Task[] | void {
  const state = asHelper(data);
  const target = state.targets[state.at]!;
  const { code } = data as { code: number };
  if (code === 0) return next(session, clean(state), target);
  const reason = `failed to cleanup ephemeral storage: exit status ${code}`;
  return fail(session, {
    errorCode: 'CHAOS_REVERT_ERROR',
    reason,
    target: `{podName: ${target.name},namespace: ${target.namespace}}`,
  });
}

function next(session: Session, state: Helper, target: Target): readonly Task[] {
  info(session, `successfully reverted chaos on target: ${describeTarget(target)}`);
  return [task('revert', asPlain({ ...state, at: state.at + 1 }))];
}

/** Without what a session has left in it. */
const clean = ({ kind, targets, at, sizes, begunAt }: Helper): Helper => ({ kind, targets, at, sizes, begunAt });

/** A command in the target container. */
function run(
  session: Session,
  state: Helper,
  target: Target,
  command: readonly string[],
  after: string,
  errorCode: string,
): readonly Task[] | void {
  const denial = findDenial(session, 'create', 'pods/exec');
  if (denial !== undefined) return fail(session, { errorCode, reason: denial, target: whereOf(target) });
  const words = command.map((word) => `command=${encodeURIComponent(word)}`);
  const query = [...words, `container=${encodeURIComponent(target.container)}`, 'stdout=true', 'stderr=true'].join('&');
  session.stream = {
    ...{ path: `${podPath(target)}/exec?${query}`, stdin: false, tty: false, tellsExit: false },
    ...{ output: 'collected', after: task(after, asPlain(state)) },
  };
  return undefined;
}
