import type { AndOr, CompoundList, If, Pipeline, Redirected, Statement, Subshell, While } from 'unbash';
import type { Bytes, Wait } from '../../kernel.js';
import type { Frame, FrameOf } from '../../state/frame.js';
import { redirect, restore } from '../processes/descriptors.js';
import { connectSockets } from '../processes/sockets.js';
import { finishCommand } from '../errors.js';
import { noteCommand } from '../hooks.js';
import { expandItems, expandRedirection, redirectionItems } from './expand.js';
import { forkShell } from '../processes/fork.js';
import { addJob, hasJobControl } from '../processes/jobs.js';
import { frameOf } from './node-frame.js';
import type { Shell } from '../shell.js';

export function stepList(shell: Shell, frame: FrameOf<'list'>): void {
  const node = shell.nodeOf(frame) as CompoundList;
  const statement = node.commands[frame.index];
  const isSkipped = shell.option('n') && !shell.state.isInteractive;
  if (!statement || isSkipped) {
    shell.pop(node.commands.length === 0 ? 0 : undefined);
    return;
  }
  frame.index++;
  if (statement.background) startBackground(shell, frame.source, statement);
  else shell.pushNode(frame.source, statement.command);
}

/** `command &`. */
function startBackground(shell: Shell, source: number, statement: Statement): void {
  const { state } = shell;
  const body = frameOf(source, shell.numberOf(source, statement.command), statement.command);
  const isControlled = hasJobControl(shell);
  const pid = forkShell(shell, [body], { group: isControlled ? 0 : null, isBackground: !isControlled });
  if (isControlled) shell.sys.setGroup(pid, pid);
  const job = addJob(shell, [pid], shell.textOf(source, statement.command), true);
  state.lastBackground = pid;
  state.status = 0;
  if (state.isInteractive) shell.write(2, shell.isBash ? `[${job.id}] ${pid}\n` : '');
}

export function stepAndOr(shell: Shell, frame: FrameOf<'and-or'>): void {
  const node = shell.nodeOf(frame) as AndOr;
  if (frame.index === 0) {
    frame.index = 1;
    shell.pushNode(frame.source, node.commands[0]!);
    return;
  }
  while (frame.index < node.commands.length) {
    const isWanted = (node.operators[frame.index - 1] === '&&') === (shell.state.status === 0);
    frame.index++;
    if (!isWanted) continue;
    shell.pushNode(frame.source, node.commands[frame.index - 1]!);
    return;
  }
  shell.pop();
}

export function stepPipeline(shell: Shell, frame: FrameOf<'pipeline'>): void {
  const node = shell.nodeOf(frame) as Pipeline;
  if (frame.phase === 'finish') {
    finishPipeline(shell, frame, node);
    return;
  }
  frame.phase = 'finish';
  if (node.prefixes.some((prefix) => prefix.type === 'Time')) frame.startedAt = shell.sys.now;
  if (node.commands.length === 0) shell.state.status = 0;
  else if (node.commands.length === 1) shell.pushNode(frame.source, node.commands[0]!);
  else startPipeline(shell, frame.source, node);
}

/** Every stage is a subshell; they are connected by pipes. */
function startPipeline(shell: Shell, source: number, node: Pipeline): void {
  const { sys } = shell;
  const pids: number[] = [];
  const isControlled = hasJobControl(shell);
  let input = -1;
  node.commands.forEach((command, i) => {
    const isLast = i === node.commands.length - 1;
    const pipe = isLast ? undefined : sys.pipe();
    const moves: [number, number][] = [];
    if (input >= 0) moves.push([input, 0]);
    if (pipe) moves.push([pipe.writer, 1]);
    if (node.operators[i] === '|&') moves.push([1, 2]);
    const closes = [input, pipe?.writer ?? -1, pipe?.reader ?? -1].filter((descriptor) => descriptor >= 0);
    const body = frameOf(source, shell.numberOf(source, command), command);
    const group = isControlled ? (pids[0] ?? 0) : null;
    const pid = forkShell(shell, [body], { moves, closes, group, foreground: isControlled });
    if (isControlled) sys.setGroup(pid, pids[0] ?? pid);
    pids.push(pid);
    if (input >= 0) sys.close(input);
    if (pipe) sys.close(pipe.writer);
    input = pipe?.reader ?? -1;
  });
  if (isControlled) sys.setForeground(0, pids[0]!);
  addJob(shell, pids, shell.textOf(source, node), false);
  shell.push({ type: 'wait-job', job: pids[0]!, isForeground: true });
}

function finishPipeline(shell: Shell, frame: FrameOf<'pipeline'>, node: Pipeline): void {
  const { state } = shell;
  const isNegated = node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1;
  const timed = node.prefixes.find((prefix) => prefix.type === 'Time');
  if (timed) shell.write(2, describeTime(shell.sys.now - frame.startedAt, timed.posix !== undefined));
  if (isNegated) state.status = Number(state.status === 0);
  shell.pop();
  if (!isNegated && node.commands.length > 1) finishCommand(shell, state.status);
}

function describeTime(ms: number, isPosix: boolean): string {
  if (isPosix) return `real ${(ms / 1_000).toFixed(2)}\nuser 0.00\nsys 0.00\n`;
  const seconds = (ms % 60_000) / 1_000;
  return `\nreal\t${Math.floor(ms / 60_000)}m${seconds.toFixed(3)}s\nuser\t0m0.000s\nsys\t0m0.000s\n`;
}

/** A compound command with redirections. */
export function stepRedirected(shell: Shell, frame: FrameOf<'redirected'>): Wait | void {
  const node = shell.nodeOf(frame) as Redirected;
  if (frame.phase === 'expand') {
    shell.enter(frame.source, node.pos);
    expandItems(shell, frame, redirectionItems(node.redirects), frame.redirections, expandRedirection);
    frame.phase = 'run';
  } else if (frame.phase === 'run') {
    const wait = connectSockets(shell, frame);
    if (wait) return wait;
    frame.phase = 'finish';
    redirect(shell, frame.redirections, isWholeSubshell(shell) ? null : frame.saved);
    shell.pushNode(frame.source, node.command);
  } else {
    restore(shell, frame.saved);
    shell.pop();
  }
}

/**
 * Whether the shell was forked for the compound command that it runs. It keeps no copies of what its redirections
 * replace, and forks no more for a subshell: a reader of its parent's output does not wait for a job in the background.
 */
function isWholeSubshell({ state }: Shell): boolean {
  const [first, second, ...others] = state.frames;
  return state.level > 0 && others.length === 0 && (second === undefined || first!.type === 'redirected');
}

/** ( ... ) */
export function stepSubshell(shell: Shell, frame: FrameOf<'subshell'>): Wait | void {
  const node = shell.nodeOf(frame) as Subshell;
  if (frame.phase === 'finish') {
    shell.pop();
    return;
  }
  frame.phase = 'finish';
  shell.enter(frame.source, node.pos);
  noteCommand(shell, `( ${shell.textOf(frame.source, node.body).trim()} )`);
  const body: Frame = frameOf(frame.source, shell.numberOf(frame.source, node.body), node.body);
  if (isWholeSubshell(shell)) {
    shell.push(body);
    return;
  }
  const isControlled = hasJobControl(shell);
  const pid = forkShell(shell, [body], { group: isControlled ? 0 : null, foreground: isControlled });
  if (isControlled) {
    shell.sys.setGroup(pid, pid);
    shell.sys.setForeground(0, pid);
  }
  addJob(shell, [pid], shell.textOf(frame.source, node), false);
  shell.push({ type: 'wait-job', job: pid, isForeground: true });
}

/** The branches in order: test, body, test, body, ..., else. `index` counts those that have begun. */
export function stepIf(shell: Shell, frame: FrameOf<'if'>): void {
  const node = shell.nodeOf(frame) as If;
  const branches = [node.clause, node.then, ...node.elif.flatMap((branch) => [branch.clause, branch.then])];
  const hasRun = frame.index > 0;
  const wasTest = frame.index % 2 === 1 && frame.index < branches.length;
  if (hasRun && !wasTest) {
    shell.pop();
    return;
  }
  if (hasRun && shell.state.status === 0) {
    shell.pushNode(frame.source, branches[frame.index]!);
    // Even: a body has begun.
    frame.index = branches.length + 2;
    return;
  }
  const next = hasRun ? frame.index + 1 : 0;
  const branch = branches[next];
  if (branch) {
    frame.index = next + 1;
    shell.pushNode(frame.source, branch);
  } else if (node.else) {
    frame.index = branches.length + 2;
    shell.pushNode(frame.source, node.else);
  } else shell.pop(0);
}

export function stepWhile(shell: Shell, frame: FrameOf<'while'>): void {
  const node = shell.nodeOf(frame) as While;
  if (frame.phase === 'test') {
    if ((shell.state.status === 0) !== (node.kind === 'while')) {
      shell.pop(frame.last);
      return;
    }
    frame.phase = 'body';
    shell.pushNode(frame.source, node.body);
    return;
  }
  if (frame.phase === 'body') frame.last = shell.state.status;
  frame.phase = 'test';
  shell.pushNode(frame.source, node.clause);
}

/** { ... }, and the definition of a function. */
export function stepGroup(shell: Shell, frame: FrameOf<'group'>): void {
  const node = shell.nodeOf(frame);
  shell.pop();
  if (node.type === 'BraceGroup') shell.pushNode(frame.source, node.body);
  else if (node.type === 'Function') defineFunction(shell, frame, node.name.value);
  else {
    shell.complain('coproc: not supported');
    shell.state.status = 1;
  }
}

function defineFunction(shell: Shell, frame: FrameOf<'group'>, name: Bytes): void {
  const marks = Object.hasOwn(shell.state.functions, name) ? shell.state.functions[name]!.marks : undefined;
  if (marks?.includes('r')) {
    shell.complain(`${name}: readonly function`);
    shell.state.status = 1;
    return;
  }
  const definition = { source: frame.source, node: frame.node, ...(marks !== undefined && { marks }) };
  Object.defineProperty(shell.state.functions, name, {
    value: definition,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  shell.state.status = 0;
}
