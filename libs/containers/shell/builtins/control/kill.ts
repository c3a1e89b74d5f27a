import { ToolFailure } from '../../../tools/framework/failure.js';
import { RETRY_MS } from '../../../tools/node/cri/client.js';
import { isOnNode, trySignalOnNode } from '../../../tools/process/node-signals.js';
import type { Builtin, WaitingBuiltin } from '../../interpreter/builtin.js';
import { ShellFailure } from '../../interpreter/failure.js';
import { findJob } from '../../interpreter/processes/jobs.js';
import type { Shell } from '../../interpreter/shell.js';
import { type Bytes, errorCodeOf, SIGNALS, type Signal, sleepUntil, SystemError } from '../../kernel.js';
import type { FrameOf } from '../../state/frame.js';

const NAMES = Object.keys(SIGNALS) as Signal[];

/** TERM, SIGTERM, term or 15. Undefined: no signal. 0 asks only whether the process is there. */
export function signalOf(text: Bytes): Signal | 0 | undefined {
  if (/^\d+$/.test(text)) return text === '0' ? 0 : NAMES.find((name) => SIGNALS[name] === Number(text));
  const name = text.toUpperCase().replace(/^SIG/, '');
  return NAMES.find((candidate) => candidate === name);
}

export const kill: Builtin = (shell, argv) => {
  let words = argv.slice(1);
  let signal: Signal | 0 | undefined = 'TERM';
  const first = words[0];
  if (first === '-l' || first === '-L') return listSignals(shell, words.slice(1));
  if (first === '-s' || first === '-n') {
    signal = signalOf(words[1] ?? '');
    if (signal === undefined) return invalidSignal(shell, words[1] ?? '');
    words = words.slice(2);
  } else if (first !== undefined && /^-./.test(first) && first !== '--') {
    signal = signalOf(first.slice(1));
    if (signal === undefined) {
      if (shell.isDash) throw new ShellFailure(`kill: Illegal option -${first[1]}`, 2, 'command');
      return invalidSignal(shell, first.slice(1));
    }
    words = words.slice(1);
  }
  if (words[0] === '--') words = words.slice(1);
  if (words.length === 0) {
    if (shell.isBash)
      shell.write(2, 'kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n');
    else if (shell.isDash)
      shell.write(
        2,
        `${shell.prefix()}kill: Usage: kill [-s sigspec | -signum | -sigspec] [pid | job]... or\nkill -l [exitstatus]\n`,
      );
    else shell.write(2, `sh: you need to specify whom to kill\n`);
    return shell.isAsh ? 1 : 2;
  }
  if (words.some((word) => isOnNode(shell.sys, Number(word)))) return shell.push(killFrame(words, signal));
  let status = 0;
  for (const word of words) if (!sendSignal(shell, word, signal)) status = 1;
  return status;
};

/** Of signals to processes of the node, which may have to wait. */
const killFrame = (words: readonly Bytes[], signal: Signal | 0): FrameOf<'builtin'> => ({
  ...{ type: 'builtin', name: 'kill', argv: [...words], data: { signal, status: 0 } },
});

export const killOnNode: WaitingBuiltin = (shell, frame) => {
  const { argv, data } = frame;
  const signal = data['signal'] as Signal | 0;
  for (let word = argv[0]; word !== undefined; word = argv[0]) {
    if (isOnNode(shell.sys, Number(word))) {
      const outcome = signalNode(shell, word, signal);
      if (outcome === 'later') return sleepUntil(shell.sys.now + RETRY_MS);
      if (outcome === 'failed') data['status'] = 1;
    } else if (!sendSignal(shell, word, signal)) data['status'] = 1;
    argv.shift();
  }
  shell.pop(data['status'] as number);
};

function signalNode(shell: Shell, word: Bytes, signal: Signal | 0): 'sent' | 'later' | 'failed' {
  try {
    return trySignalOnNode(shell.sys, Number(word), signal);
  } catch (error) {
    complainOfKill(shell, word, error instanceof ToolFailure ? error.message : undefined, error);
    return 'failed';
  }
}

function sendSignal(shell: Shell, word: Bytes, signal: Signal | 0): boolean {
  const job = word.startsWith('%') ? findJob(shell, word) : undefined;
  if (word.startsWith('%') ? !job : !/^-?\d+$/.test(word)) {
    if (shell.isBash)
      shell.complain(
        word.startsWith('%') ? `kill: ${word}: no such job` : `kill: ${word}: arguments must be process or job IDs`,
      );
    else if (shell.isDash)
      throw new ShellFailure(
        word.startsWith('%') ? `kill: No such job: ${word}` : `kill: Illegal number: ${word}`,
        2,
        'command',
      );
    else shell.write(2, `sh: invalid number '${word}'\n`);
    return false;
  }
  const pid = job ? (job.group > 0 ? -job.group : job.pids[0]!) : Number(word);
  try {
    shell.sys.kill(pid, signal);
    if (job?.state === 'stopped' && (signal === 'TERM' || signal === 'HUP')) shell.sys.kill(pid, 'CONT');
    return true;
  } catch (error) {
    complainOfKill(shell, word, undefined, error);
    return false;
  }
}

function complainOfKill(shell: Shell, word: Bytes, told: string | undefined, error: unknown): void {
  const words = told ?? new SystemError(errorCodeOf(error)).message;
  if (shell.isBash) shell.complain(`kill: (${word}) - ${words}`);
  else if (shell.isDash) shell.complain(`kill: ${words}\n`);
  else shell.write(2, `sh: can't kill pid ${word}: ${words}\n`);
}

function invalidSignal(shell: Shell, text: Bytes): number {
  if (shell.isBash) {
    shell.complain(`kill: ${text}: invalid signal specification`);
    return 1;
  }
  if (shell.isDash) throw new ShellFailure(`kill: invalid signal number or name: ${text}`, 2, 'command');
  shell.write(2, `sh: bad signal name '${text}'\n`);
  return 1;
}

const byNumber = [...NAMES].sort((a, b) => SIGNALS[a] - SIGNALS[b]);

export function listSignals(shell: Shell, words: readonly Bytes[]): number {
  if (words.length === 0) {
    if (!shell.isBash)
      for (const name of byNumber)
        shell.write(1, shell.isDash ? `${name}\n` : `${String(SIGNALS[name]).padStart(2)}) ${name}\n`);
    else {
      const items = byNumber.map((name) => `${String(SIGNALS[name]).padStart(2)}) SIG${name}`);
      for (let i = 0; i < items.length; i += 5) shell.write(1, items.slice(i, i + 5).join('\t') + '\n');
    }
    return 0;
  }
  for (const word of shell.isDash ? words.slice(0, 1) : words) {
    const number = Number(word);
    const signal = signalOf(number > 128 ? String(number - 128) : word);
    if (!signal) return invalidSignal(shell, word);
    shell.write(1, `${/^\d+$/.test(word) ? signal : SIGNALS[signal]}\n`);
  }
  return 0;
}
