import {
  type Bytes,
  type ChildStatus,
  SIGNALS,
  type Signal,
  SystemError,
  type Wait,
  waitForChild,
} from '../../kernel.js';
import type { FrameOf } from '../../state/frame.js';
import type { Job } from '../../state/state.js';
import { finishCommand } from '../errors.js';
import type { Shell } from '../shell.js';

/** Whether jobs are process groups of their own: interactive shells, `set -m`. */
export const hasJobControl = (shell: Shell): boolean => shell.option('m');

export function addJob(shell: Shell, pids: number[], text: Bytes, isBackground: boolean): Job {
  const { state } = shell;
  const id = isBackground ? 1 + Math.max(0, ...state.jobs.filter((job) => job.id > 0).map((job) => job.id)) : 0;
  const job: Job = {
    id,
    group: hasJobControl(shell) ? pids[0]! : 0,
    pids,
    ended: {},
    state: 'running',
    signal: '',
    text,
    isBackground,
    isAnnounced: false,
    isDisowned: false,
  };
  state.jobs.push(job);
  return job;
}

export const statusOf = (child: ChildStatus): number =>
  child.state === 'exited' ? child.code : 128 + SIGNALS[child.signal ?? 'TERM'];

/** Takes the news of all children that have ended or stopped. */
export function reapChildren(shell: Shell): void {
  for (;;) {
    let child: ChildStatus | undefined;
    try {
      child = shell.sys.wait(-1, { stopped: hasJobControl(shell) });
    } catch (error) {
      if (error instanceof SystemError) return;
      throw error;
    }
    if (!child) return;
    noteChild(shell, child);
  }
}

function noteChild(shell: Shell, child: ChildStatus): void {
  const job = shell.state.jobs.find((candidate) => candidate.pids.includes(child.pid));
  if (!job) return;
  if (child.state === 'stopped') {
    job.state = 'stopped';
    job.signal = child.signal ?? 'TSTP';
    job.isAnnounced = false;
    return;
  }
  if (child.state === 'continued') {
    job.state = 'running';
    return;
  }
  job.ended[child.pid] = statusOf(child);
  if (child.pid === job.pids.at(-1)) job.signal = child.state === 'killed' ? (child.signal ?? 'TERM') : '';
  if (!job.pids.every((pid) => job.ended[pid] !== undefined)) return;
  job.state = 'done';
  job.isAnnounced = false;
}

export const jobStatus = (job: Job): number => job.ended[job.pids.at(-1)!] ?? 0;

export function removeJob(shell: Shell, job: Job): void {
  shell.state.jobs = shell.state.jobs.filter((candidate) => candidate !== job);
}

/** Waits for a job in the foreground. */
export function waitForJob(shell: Shell, frame: FrameOf<'wait-job'>): Wait | void {
  reapChildren(shell);
  const { state } = shell;
  const job = state.jobs.find((candidate) => candidate.pids[0] === frame.job);
  if (!job) {
    shell.pop(127);
    return;
  }
  if (job.state === 'running') return waitForChild;
  shell.pop();
  if (hasJobControl(shell)) takeTerminal(shell);
  if (job.state === 'stopped') {
    stopJob(shell, job);
    return;
  }
  removeJob(shell, job);
  state.pipeStatus = job.pids.map((pid) => job.ended[pid] ?? 0);
  const status = shell.option('pipefail') ? (state.pipeStatus.filter((one) => one !== 0).at(-1) ?? 0) : jobStatus(job);
  announceDeath(shell, job);
  if (job.signal === 'INT' && state.isInteractive) shell.unwind({ kind: 'abort' });
  state.status = status;
  if (state.frames.at(-1)?.type !== 'pipeline') finishCommand(shell, status);
}

function stopJob(shell: Shell, job: Job): void {
  const { state } = shell;
  job.isBackground = true;
  if (job.id === 0) job.id = 1 + Math.max(0, ...state.jobs.map((other) => other.id));
  job.isAnnounced = true;
  shell.write(2, `\n${describeJob(shell, job)}\n`);
  state.status = 128 + SIGNALS[job.signal || 'TSTP'];
  shell.unwind({ kind: 'abort' });
}

/** The shell's own group is in the foreground again. */
export function takeTerminal(shell: Shell): void {
  try {
    shell.sys.setForeground(0, shell.sys.groupOf(shell.sys.pid));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}

const DEATHS: Partial<Record<Signal, string>> = {
  HUP: 'Hangup',
  QUIT: 'Quit',
  ILL: 'Illegal instruction',
  TRAP: 'Trace/breakpoint trap',
  ABRT: 'Aborted',
  BUS: 'Bus error',
  FPE: 'Floating point exception',
  KILL: 'Killed',
  USR1: 'User defined signal 1',
  SEGV: 'Segmentation fault',
  USR2: 'User defined signal 2',
  ALRM: 'Alarm clock',
  TERM: 'Terminated',
};

export const deathOf = (signal: Signal): string => DEATHS[signal] ?? signal;

/** A foreground process that a signal killed is named, except for those that users cause. */
function announceDeath(shell: Shell, job: Job): void {
  if (job.signal === '' || job.signal === 'INT' || job.signal === 'PIPE') {
    if (job.signal === 'INT' && shell.state.isInteractive) shell.write(2, '\n');
    return;
  }
  const words = deathOf(job.signal);
  if (!shell.isBash) shell.write(2, `${words}\n`);
  else if (shell.state.isInteractive) shell.write(2, `${words}\n`);
  else {
    const pid = job.pids.at(-1)!;
    shell.write(2, `${shell.prefix()}${String(pid).padStart(5)} ${words.padEnd(23)} ${job.text}\n`);
  }
}

/** A line of `jobs`. */
export function describeJob(shell: Shell, job: Job, withPid = false): Bytes {
  const listed = shell.state.jobs.filter((one) => one.id > 0 && !one.isDisowned);
  const order = [...listed].sort(
    (a, b) => Number(a.state === 'stopped') - Number(b.state === 'stopped') || a.id - b.id,
  );
  const mark = job === order.at(-1) ? '+' : job === order.at(-2) ? '-' : ' ';
  const pid = withPid ? `${job.pids.at(-1)} ` : '';
  const isRunning = job.state === 'running';
  if (shell.isBash) {
    const text = isRunning && job.isBackground ? `${job.text} &` : job.text;
    return `[${job.id}]${mark}  ${pid}${describeState(shell, job).padEnd(withPid ? 22 : 23)} ${text}`;
  }
  const text = hasJobControl(shell) ? job.text : '';
  const head = shell.isAsh ? `[${job.id}]${mark}  ` : `[${job.id}] ${mark} `;
  return `${head}${pid}${describeState(shell, job).padEnd(26)} ${text}`;
}

function describeState(shell: Shell, job: Job): Bytes {
  if (job.state === 'running') return 'Running';
  if (job.state === 'stopped') return 'Stopped';
  if (job.signal !== '') return deathOf(job.signal);
  const status = jobStatus(job);
  if (status === 0) return 'Done';
  return shell.isBash ? `Exit ${status}` : `Done(${status})`;
}

/** %1, %+, %-, %name or a pid. */
export function findJob(shell: Shell, text: Bytes): Job | undefined {
  const jobs = shell.state.jobs.filter((job) => job.id > 0);
  if (!text.startsWith('%')) return shell.state.jobs.find((job) => job.pids.includes(Number(text)));
  const name = text.slice(1);
  const order = [...jobs].sort((a, b) => Number(a.state === 'stopped') - Number(b.state === 'stopped') || a.id - b.id);
  if (name === '' || name === '+' || name === '%') return order.at(-1);
  if (name === '-') return order.at(-2);
  if (/^\d+$/.test(name)) return jobs.find((job) => job.id === Number(name));
  if (name.startsWith('?')) return jobs.find((job) => job.text.includes(name.slice(1)));
  return jobs.find((job) => job.text.startsWith(name));
}

/** Before a prompt: what has become of jobs in the background. */
export function announceJobs(shell: Shell): void {
  reapChildren(shell);
  for (const job of shell.state.jobs) {
    if (job.id === 0 || job.isAnnounced || job.state === 'running') continue;
    if (!job.isDisowned) shell.write(2, describeJob(shell, job) + '\n');
    job.isAnnounced = true;
  }
  shell.state.jobs = shell.state.jobs.filter((job) => job.state !== 'done');
}
