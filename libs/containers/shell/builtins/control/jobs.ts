import type { Builtin, WaitingBuiltin } from '../../interpreter/builtin.js';
import { ShellFailure } from '../../interpreter/failure.js';
import {
  deathOf,
  describeJob,
  findJob,
  hasJobControl,
  jobStatus,
  reapChildren,
  removeJob,
} from '../../interpreter/processes/jobs.js';
import type { Shell } from '../../interpreter/shell.js';
import { type Bytes, errorCodeOf, SIGNALS, type Signal, waitForChild } from '../../kernel.js';
import type { Job } from '../../state/state.js';
import { builtinFailure, parseOptions } from '../arguments.js';
import { kill, killOnNode, listSignals, signalOf } from './kill.js';

const jobs: Builtin = (shell, argv) => {
  const { options, operands } = parseOptions(shell, argv, shell.isBash ? 'lnprs' : 'lp');
  reapChildren(shell);
  const { state } = shell;
  const listed =
    operands.length > 0
      ? operands.map((word) => findJob(shell, word))
      : state.jobs.filter((job) => job.id > 0 && !job.isDisowned);
  for (const [i, job] of listed.entries()) {
    if (!job) {
      if (shell.isBash) shell.complain(`jobs: ${operands[i]}: no such job`);
      else
        throw builtinFailure(
          shell,
          'jobs',
          shell.isDash ? `No such job: ${operands[i]}` : `${operands[i]}: no such job`,
          2,
        );
      return 1;
    }
    if (options['r'] !== undefined && job.state !== 'running') continue;
    if (options['s'] !== undefined && job.state !== 'stopped') continue;
    if (options['p'] !== undefined) shell.write(1, `${job.pids[0]}\n`);
    else shell.write(1, describeJob(shell, job, options['l'] !== undefined) + '\n');
    job.isAnnounced = true;
  }
  if (operands.length === 0) state.jobs = state.jobs.filter((job) => job.state !== 'done' || !job.isAnnounced);
  return 0;
};

const wait: Builtin = (shell, argv) => {
  shell.push({ type: 'builtin', name: 'wait', argv: [...argv], data: { waited: 0 } });
};

/** wait, wait PID..., wait -n. */
const waitForJobs: WaitingBuiltin = (shell, frame) => {
  const { state } = shell;
  reapChildren(shell);
  const { options, operands } = parseOptions(shell, frame.argv, shell.isBash ? 'fnp:' : '');
  if (state.pending.length > 0) {
    shell.pop(128 + SIGNALS[state.pending[0]!]);
    return;
  }
  if (options['n'] !== undefined) return waitForNext(shell, operands, options['p']);
  if (operands.length === 0) {
    if (state.jobs.some((job) => job.state === 'running' && job.id >= 0 && !job.isDisowned)) return waitForChild;
    state.jobs = state.jobs.filter((job) => job.state === 'stopped');
    shell.pop(0);
    return;
  }
  let status = 0;
  for (const word of operands) {
    const job = /^(?:%|\d+$)/.test(word) ? findJob(shell, word) : undefined;
    if (!job) {
      complainNoChild(shell, word);
      status = /^(?:%|\d+$)/.test(word) ? 127 : shell.isBash ? 1 : 2;
      continue;
    }
    const pid = Number(word);
    const ended = word.startsWith('%') ? (job.state === 'done' ? jobStatus(job) : undefined) : job.ended[pid];
    if (ended === undefined && job.state !== 'stopped') return waitForChild;
    status = ended ?? 128 + SIGNALS[job.signal || 'TSTP'];
    announceKilled(shell, job);
  }
  shell.pop(status);
};

function waitForNext(
  shell: Shell,
  operands: readonly Bytes[],
  variable: Bytes | undefined,
): ReturnType<WaitingBuiltin> {
  const { state } = shell;
  const wanted =
    operands.length > 0 ? operands.map((word) => findJob(shell, word)) : state.jobs.filter((job) => !job.isDisowned);
  const done = wanted.find((job) => job?.state === 'done');
  if (done) {
    if (variable !== undefined) shell.set(variable, undefined, String(done.pids.at(-1)));
    removeJob(shell, done);
    shell.pop(jobStatus(done));
    return;
  }
  if (wanted.some((job) => job?.state === 'running')) return waitForChild;
  shell.pop(127);
}

/** dash and busybox name the signal that killed a job when it is waited for. */
function announceKilled(shell: Shell, job: Job): void {
  if (shell.isBash || job.signal === '' || job.isAnnounced || job.state !== 'done') return;
  job.isAnnounced = true;
  if (job.signal !== 'INT' && job.signal !== 'PIPE') shell.write(2, `${deathOf(job.signal)}\n`);
}

function complainNoChild(shell: Shell, word: Bytes): void {
  if (shell.isBash) {
    if (word.startsWith('%')) shell.complain(`wait: ${word}: no such job`);
    else if (/^\d+$/.test(word)) shell.complain(`wait: pid ${word} is not a child of this shell`);
    else shell.complain(`wait: \`${word}': not a pid or valid job spec`);
  } else if (!/^\d+$/.test(word)) {
    const noJob = shell.isDash ? `No such job: ${word}` : `${word}: no such job`;
    throw builtinFailure(shell, 'wait', word.startsWith('%') ? noJob : `Illegal number: ${word}`, 2);
  }
}

/** The job of fg, bg or disown. Throws ShellFailure. */
function jobArgument(shell: Shell, argv: readonly Bytes[]): Job {
  const word = argv[1] ?? '%+';
  const job = findJob(shell, word.startsWith('%') || /^\d+$/.test(word) ? word : `%${word}`);
  if (job) return job;
  const shown = argv[1] ?? 'current';
  if (shell.isBash) throw new ShellFailure(`${argv[0]}: ${shown}: no such job`, 1, 'command');
  throw builtinFailure(shell, argv[0]!, argv[1] === undefined ? 'No current job' : `No such job: ${shown}`, 2);
}

const fg: Builtin = (shell, argv) => {
  if (!hasJobControl(shell)) {
    if (!shell.isBash) jobArgument(shell, argv);
    if (shell.isBash) shell.complain('fg: no job control');
    else throw builtinFailure(shell, 'fg', `job ${argv[1] ?? '(null)'} not created under job control`, 2);
    return 1;
  }
  const job = jobArgument(shell, argv);
  shell.write(1, `${job.text}\n`);
  shell.sys.setForeground(0, job.group);
  resume(shell, job);
  job.isBackground = false;
  shell.push({ type: 'wait-job', job: job.pids[0]!, isForeground: true });
};

const bg: Builtin = (shell, argv) => {
  if (!hasJobControl(shell)) {
    if (!shell.isBash) jobArgument(shell, argv);
    if (shell.isBash) shell.complain('bg: no job control');
    else throw builtinFailure(shell, 'bg', `job ${argv[1] ?? '(null)'} not created under job control`, 2);
    return 1;
  }
  const job = jobArgument(shell, argv);
  job.isBackground = true;
  resume(shell, job);
  shell.write(1, shell.isBash ? `[${job.id}]+ ${job.text} &\n` : `[${job.id}] ${job.text}\n`);
  return 0;
};

function resume(shell: Shell, job: Job): void {
  job.state = 'running';
  job.isAnnounced = false;
  try {
    shell.sys.kill(-job.group, 'CONT');
  } catch (error) {
    errorCodeOf(error);
  }
}

const disown: Builtin = (shell, argv) => {
  const { options, operands } = parseOptions(shell, argv, 'arh');
  if (options['a'] !== undefined) for (const job of shell.state.jobs) job.isDisowned = true;
  else if (operands.length === 0) jobArgument(shell, ['disown']).isDisowned = true;
  else for (const word of operands) jobArgument(shell, ['disown', word]).isDisowned = true;
  return 0;
};

const trap: Builtin = (shell, argv) => {
  const { options, operands } = parseOptions(shell, argv, shell.isBash ? 'lp' : '');
  const { state, sys } = shell;
  if (options['l'] !== undefined) return listSignals(shell, []);
  if (operands.length === 0 || options['p'] !== undefined) {
    for (const name of Object.keys(state.traps).sort((a, b) => orderOf(a) - orderOf(b))) {
      if (operands.length > 0 && !operands.some((word) => trapName(shell, word) === name)) continue;
      const shown = shell.isBash && isSignalName(name) ? `SIG${name}` : name;
      shell.write(1, `trap -- ${quoteForTrap(state.traps[name]!)} ${shown}\n`);
    }
    return 0;
  }
  const isReset = operands[0] === '-' || operands.length === 1 || /^\d+$/.test(operands[0]!);
  const action = isReset ? undefined : operands[0]!;
  const names = isReset && operands[0] !== '-' ? operands : operands.slice(1);
  let status = 0;
  for (const word of names) {
    const name = trapName(shell, word);
    if (name === undefined) {
      if (shell.isBash) shell.complain(`trap: ${word}: invalid signal specification`);
      else if (shell.isDash) shell.write(2, `trap: ${word}: bad trap\n`);
      else shell.complainOf('trap', `${word}: invalid signal specification`);
      status = 1;
      continue;
    }
    if (action === undefined) delete state.traps[name];
    else state.traps[name] = action;
    if (name === 'EXIT' && shell.isBash) catchFatal(shell, action !== undefined);
    const signal = signalOf(name);
    if (!signal || signal === 'KILL' || signal === 'STOP') continue;
    sys.handleSignal(signal, action === undefined ? defaultAction(shell, signal) : action === '' ? 'ignore' : 'catch');
  }
  return status;
};

/** bash runs its EXIT trap also when one of these ends it. */
function catchFatal(shell: Shell, isCaught: boolean): void {
  if (shell.state.isInteractive) return;
  for (const signal of ['HUP', 'INT', 'TERM'] as const) {
    if (shell.state.traps[signal] === undefined && shell.sys.signalAction(signal) !== 'ignore') {
      shell.sys.handleSignal(signal, isCaught ? 'catch' : 'default');
    }
  }
}

/** An interactive shell catches these and does nothing with them. */
const IDLE = new Set<Signal>(['INT', 'TERM', 'QUIT', 'TSTP', 'TTIN', 'TTOU']);

const defaultAction = (shell: Shell, signal: Signal): 'default' | 'catch' =>
  shell.state.isInteractive && IDLE.has(signal) ? 'catch' : 'default';

const quoteForTrap = (text: Bytes): Bytes => `'${text.replaceAll("'", "'\\''")}'`;
const orderOf = (name: string): number => (name === 'EXIT' ? 0 : (SIGNALS[name as Signal] ?? 100));

/** What bash runs at places of a script, not at a signal. */
const PLACES: ReadonlySet<string> = new Set(['ERR', 'DEBUG', 'RETURN']);
const isSignalName = (name: string): boolean => name !== 'EXIT' && !PLACES.has(name);

function trapName(shell: Shell, word: Bytes): string | undefined {
  const name = word.toUpperCase().replace(/^SIG/, '');
  if (name === 'EXIT' || word === '0') return 'EXIT';
  if (shell.isBash && PLACES.has(name)) return name;
  return signalOf(word) || undefined;
}

export const jobBuiltins: Readonly<Record<string, Builtin>> = { jobs, wait, fg, bg, kill, trap };
export const bashJobBuiltins: Readonly<Record<string, Builtin>> = { disown };
export const waitingJobs: Readonly<Record<string, WaitingBuiltin>> = { wait: waitForJobs, kill: killOnNode };
