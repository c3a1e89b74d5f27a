import type { Assignment, Command, Word } from 'unbash';
import type { Bytes, Wait } from '../../kernel.js';
import type { CommandFrame, ExpandedAssignment } from '../../state/frame.js';
import { assign } from './assign.js';
import type { Builtin, BuiltinContext, BuiltinSet } from '../builtin.js';
import { closeSockets, redirect, restore } from '../processes/descriptors.js';
import { connectSockets } from '../processes/sockets.js';
import { finishCommand } from '../errors.js';
import { hideTraps, noteCommand } from '../hooks.js';
import { runProgram } from './execute.js';
import { expandAssignment, expandFields, expandItems, expandRedirection, redirectionItems } from './expand.js';
import type { Expansion } from '../../expansion/expansion.js';
import type { Shell } from '../shell.js';
import { parseWord } from '../../syntax/unit.js';
import { traceCommand } from '../trace.js';
import { restoreVariables, saveVariable, withFlags } from '../variables.js';

/** Runs a simple command: words, redirections, assignments, then a function, a builtin or a program. */
export function stepCommand(shell: Shell, frame: CommandFrame, set: BuiltinSet): Wait | void {
  const node = shell.nodeOf(frame) as Command;
  switch (frame.phase) {
    case 'expand':
      shell.enter(frame.source, node.pos);
      if (expandAlias(shell, frame, node)) return;
      noteCommand(shell, shell.textOf(frame.source, node));
      shell.state.substitutionStatus = -1;
      expandItems(shell, frame, wordsOf(shell, node), frame.words, expandArgument);
      frame.phase = 'redirect';
      return;
    case 'redirect':
      expandItems(shell, frame, redirectionItems(node.redirects), frame.redirections, expandRedirection);
      frame.phase = 'assign';
      return;
    case 'assign':
      expandItems(shell, frame, assignmentsOf(shell, node), frame.assignments, expandAssignment);
      frame.phase = 'run';
      return;
    case 'run':
      return connectSockets(shell, frame) ?? runCommand(shell, frame, node, set);
    case 'finish':
      finish(shell, frame);
  }
}

/** a[1]=x and x+=y are assignments in bash only. */
const isAssignment = (shell: Shell, item: Command['prefix'][number]): item is Assignment =>
  item.type === 'Assignment' && (shell.isBash || (!item.index && !item.append));

const assignmentsOf = (shell: Shell, node: Command): Assignment[] =>
  node.prefix.filter((item): item is Assignment => isAssignment(shell, item));

function wordsOf(shell: Shell, node: Command): (Word | Assignment)[] {
  const others = node.prefix.filter((item) => item.type === 'Assignment' && !isAssignment(shell, item));
  const words = others.map((item) => parseWord((item as Assignment).text));
  return node.name ? [...words, node.name, ...node.args] : words;
}

const expandArgument = (expansion: Expansion, item: Word | Assignment): Bytes[] | ExpandedAssignment =>
  item.type === 'Word' ? expandFields(expansion, item) : expandAssignment(expansion, item);

/** argv, and the assignments among it. */
function argumentsOf(
  shell: Shell,
  frame: CommandFrame,
): { argv: Bytes[]; assignments: Record<number, ExpandedAssignment> } {
  const argv: Bytes[] = [];
  const assignments: Record<number, ExpandedAssignment> = {};
  for (const item of frame.words) {
    if (Array.isArray(item)) {
      for (const field of item) argv.push(field);
      continue;
    }
    assignments[argv.length] = item;
    const subscript = item.index === null ? '' : `[${item.index}]`;
    const value = item.elements ? '' : item.value;
    argv.push(`${item.name}${subscript}${item.isAppended ? '+' : ''}=${value}`);
  }
  return { argv, assignments };
}

function runCommand(shell: Shell, frame: CommandFrame, node: Command, set: BuiltinSet): Wait | void {
  const { argv, assignments } = argumentsOf(shell, frame);
  frame.phase = 'finish';
  traceCommand(shell, frame.assignments, argv);
  const name = argv[0];
  if (name === undefined) {
    redirect(shell, frame.redirections, frame.saved);
    for (const assignment of frame.assignments) assign(shell, assignment);
    shell.state.status = Math.max(0, shell.state.substitutionStatus);
    return;
  }
  const isExec = name === 'exec' && argv.length === 1;
  redirect(shell, frame.redirections, isExec ? null : frame.saved);
  shell.sys.charge(argv.length);
  const isSpecial = set.special.has(name);
  const isFunction = Object.hasOwn(shell.state.functions, name) && !(isSpecial && !shell.isBash);
  applyAssignments(shell, frame, isSpecial && !shell.isBash);
  if (isFunction) {
    callFunction(shell, name, argv);
    return;
  }
  if (Object.hasOwn(set.builtins, name)) {
    return runBuiltin(shell, set.builtins[name]!, argv, { frame, assignments });
  }
  shell.state.lastArgument = argv.at(-1) ?? '';
  return runProgram(shell, argv, shell.textOf(frame.source, node));
}

export function runBuiltin(
  shell: Shell,
  builtin: Builtin,
  argv: readonly Bytes[],
  context: BuiltinContext,
): Wait | void {
  const result = builtin(shell, argv, context);
  if (typeof result === 'object') return result;
  if (typeof result === 'number') shell.state.status = result;
  shell.state.lastArgument = argv.at(-1) ?? '';
}

/** x=1 before a command is for that command only. */
function applyAssignments(shell: Shell, frame: CommandFrame, isPermanent: boolean): void {
  for (const assignment of frame.assignments) {
    if (!isPermanent) saveVariable(shell, assignment.name, frame.variables);
    assign(shell, assignment);
    const variable = shell.variable(assignment.name);
    if (variable) variable.flags = withFlags(variable.flags, 'x');
  }
}

/** Runs a function. Its frame puts the arguments and the local variables back. */
export function callFunction(shell: Shell, name: Bytes, argv: readonly Bytes[]): void {
  const { state } = shell;
  const definition = state.functions[name]!;
  const node = shell.nodeOf(definition);
  if (node.type !== 'Function') return;
  shell.push({
    type: 'call',
    name,
    source: definition.source,
    positional: state.positional,
    saved: {},
    line: state.line,
    optionAt: state.optionAt,
    ...hideTraps(shell),
  });
  if (state.unwind) return;
  state.positional = argv.slice(1);
  shell.pushNode(definition.source, node.body);
}

function finish(shell: Shell, frame: CommandFrame): void {
  leaveCommand(shell, frame);
  shell.pop();
  finishCommand(shell, shell.state.status);
}

/** Puts back what the command changed for itself. */
export function leaveCommand(shell: Shell, frame: CommandFrame): void {
  closeSockets(shell, frame);
  restore(shell, frame.saved);
  restoreVariables(shell, frame.variables);
  for (const descriptor of shell.state.openSubstitutions) shell.sys.close(descriptor);
  shell.state.openSubstitutions = [];
}

/** The name of a command may be an alias: the command is read anew then. */
function expandAlias(shell: Shell, frame: CommandFrame, node: Command): boolean {
  const { state } = shell;
  const name = node.name?.text;
  if (name === undefined || frame.words.length > 0 || frame.memo.length > 0) return false;
  if (!Object.hasOwn(state.aliases, name) || (shell.isBash && !state.isInteractive && !shell.shopt('expand_aliases')))
    return false;
  const source = state.sources[frame.source]!;
  const used = source.name.startsWith('alias ') ? source.name.split(' ') : [];
  if (used.includes(name)) return false;
  const rest = source.text.slice(node.name!.end, node.end);
  const before = source.text.slice(node.pos, node.name!.pos);
  const text = before + state.aliases[name]! + rest;
  const id = shell.addSource({ ...source, text, line: state.line, name: ['alias', ...used.slice(1), name].join(' ') });
  shell.pop();
  shell.push({ type: 'script', source: id, at: 0, kind: 'eval', positional: null });
  return true;
}
