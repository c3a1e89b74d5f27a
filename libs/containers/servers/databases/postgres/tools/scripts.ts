import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import { bytesOf, textOf } from '../../../../../engine/kernel/bytes.js';
import { exit, YIELD, type Program } from '../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { addOutput, flushOutput, type Output } from '../../../../tools/framework/output.js';
import { versionOf } from '../server-version.js';
import { cstring, frame, readFields } from '../server/wire.js';
import { closeLink, makeLink, proceed, takeMessage, waitOf, type Link } from './connection.js';
import { applyConnection, completeTarget, defaultTarget, readOptions } from './options.js';
import { planOf, SPECS, type Script, type Step } from './script-plans.js';

type State = {
  name: Script;
  link: Link;
  /** Statements that are still to be sent, the first one perhaps on its way. */
  steps: Step[];
  isSent: boolean;
  echoes: boolean;
  output: Output;
  code: number | null;
};

const say = (state: State, descriptor: 1 | 2, text: string): void => addOutput(state.output, descriptor, bytesOf(text));

function end(state: State, code: number, text = ''): State {
  if (text !== '') say(state, code === 0 ? 1 : 2, text);
  state.code = code;
  return state;
}

function start(argv: readonly Bytes[], sys: Syscalls): State {
  const name = textOf(argv[0] ?? '')
    .split('/')
    .at(-1) as Script;
  const target = defaultTarget(sys, name);
  const options = readOptions(argv.slice(1).map(textOf), SPECS[name]);
  applyConnection(options, target);
  target.database = '';
  completeTarget(target, sys);
  const { given, wrong } = options;
  const has = (flag: string): boolean => given.some(([one]) => one === flag);
  const state: State = {
    ...{ name, link: makeLink(target), steps: [], isSent: false, echoes: has('echo'), output: [], code: null },
  };
  if (has('version')) return end(state, 0, `${name} (PostgreSQL) ${versionOf(sys)}\n`);
  const hint = `${name}: hint: Try "${name} --help" for more information.\n`;
  if (wrong !== undefined) return end(state, 1, `${name}: ${wrong}\n${hint}`);
  const plan = planOf(name, options, sys.env['PGDATABASE'] ?? target.user, sys.env['PGUSER'] ?? target.user);
  if ('usage' in plan) return end(state, 1, `${name}: error: ${plan.usage}\n${hint}`);
  if ('refused' in plan) return end(state, 1, `${name}: error: ${plan.refused}\n`);
  target.database = plan.database;
  state.steps = [...plan.steps];
  return state;
}

/** Sends the next statement when the one before is done. */
function send(state: State): void {
  const [next] = state.steps;
  if (state.isSent || next === undefined) return;
  if (state.echoes) say(state, 1, `${next.sql}\n`);
  state.link.unsent += frame('Q', cstring(next.sql));
  state.isSent = true;
}

/** One message of the server. False: there is none. */
function takeReply(state: State): boolean {
  const message = takeMessage(state.link);
  if (message === undefined) return false;
  if (message.type === 'Z') {
    state.steps.shift();
    state.isSent = false;
  } else if (message.type === 'E' || message.type === 'N') {
    const { S: severity = 'ERROR', M: text = '', D: detail, H: more } = readFields(message.body);
    const below = [detail && `DETAIL:  ${detail}\n`, more && `HINT:  ${more}\n`].join('');
    if (message.type === 'N') say(state, 2, `${severity}:  ${text}\n${below}`);
    else end(state, 1, `${state.name}: error: ${state.steps[0]?.failure ?? ''}: ${severity}:  ${text}\n${below}`);
  }
  return state.code === null;
}

const program: Program<State> = {
  start,
  step(state, sys) {
    const blocked = flushOutput(state.output, sys);
    if (blocked !== undefined) return blocked;
    const { link } = state;
    if (state.code !== null) {
      closeLink(link, sys);
      return exit(state.code);
    }
    proceed(link, sys);
    if (link.phase === 'ready') while (takeReply(state));
    if (state.code !== null) return YIELD;
    if (link.phase === 'closed') {
      end(state, 1, `${state.name}: error: ${link.problem}\n`);
      return YIELD;
    }
    if (link.phase === 'ready' && state.steps.length === 0) {
      link.unsent += frame('X', '');
      proceed(link, sys);
      end(state, 0);
      return YIELD;
    }
    if (link.phase === 'ready' && !state.isSent) {
      send(state);
      return YIELD;
    }
    return { type: 'wait', ...waitOf(link) };
  },
};

/** createdb, dropdb, createuser and dropuser: what they are is in their name. Models src/bin/scripts. */
export const script = program as unknown as Program;
