import { bytesOf, textOf } from '../../../../../engine/kernel/bytes.js';
import { type Wait, YIELD } from '../../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { addOutput } from '../../../../tools/framework/output.js';
import { SqlSyntaxFailure, tokenize } from '../../sql/tokens.js';
import { packet } from '../server/wire.js';
import { CHUNK, type State } from './state.js';

/** Sends the next statement; otherwise says what it waits for. */
export function next(state: State, sys: Syscalls): Wait | undefined {
  if (!state.readsInput && state.input === '') {
    const text = state.commands.shift();
    if (text === undefined) {
      state.code = 0;
      return YIELD;
    }
    if (text.startsWith('admin ')) {
      return askAdmin(state, text.split(' ').slice(1));
    }
    state.input = text;
    state.isInputEnded = true;
  }
  if (sendStatement(state)) return undefined;
  if (state.isInputEnded) {
    state.input = '';
    if (state.readsInput) state.code = 0;
    return YIELD;
  }
  state.isInteractiveInput = sys.isTerminal(0);
  if (state.isInteractiveInput && !state.hasPrompt) {
    const prompt = sys.env['MARIADB_VERSION'] === undefined ? 'mysql' : `MariaDB [${state.database || '(none)'}]`;
    addOutput(state.output, 1, state.input.trim() === '' ? `${prompt}> ` : `${'->'.padStart(prompt.length + 1)} `);
    state.hasPrompt = true;
    return YIELD;
  }
  const bytes = sys.read(0, CHUNK);
  if (bytes === undefined) return { type: 'wait', readable: [0, state.descriptor!] };
  if (bytes === '') state.isInputEnded = true;
  state.input += textOf(bytes);
  state.hasPrompt = false;
  if (['exit', 'quit', '\\q'].includes(state.input.trim().replace(/;$/, ''))) {
    addOutput(state.output, 1, 'Bye\n');
    state.code = 0;
  }
  return YIELD;
}

function askAdmin(state: State, [asked = '', name = '']: readonly string[]): Wait | undefined {
  const ask = (body: string): undefined => {
    state.unsent += packet(body, 0);
    state.pending = { sql: `admin ${asked}`, columns: [], expected: 0, rows: [], hasSeenEnd: false, isVertical: false };
    return undefined;
  };
  if (asked === 'ping') addOutput(state.output, 1, 'mysqld is alive\n');
  if (asked === 'ping') return ask('\x0e');
  if (asked === 'shutdown') return ask('\x08');
  if (asked === 'status' || asked === 'version') return ask('\x09');
  const sql =
    {
      create: `CREATE DATABASE \`${name}\``,
      drop: `DROP DATABASE \`${name}\``,
      processlist: 'SHOW PROCESSLIST',
      variables: 'SHOW VARIABLES',
    }[asked] ?? '';
  state.isTable = true;
  sendQuery(state, sql);
  return undefined;
}

/** The first statement of the input, when it is whole. */
function sendStatement(state: State): boolean {
  const { input } = state;
  let tokens;
  try {
    tokens = tokenize(input, 'mysql');
  } catch (error) {
    if (!(error instanceof SqlSyntaxFailure)) throw error;
    if (!state.isInputEnded) return false;
    sendQuery(state, input);
    state.input = '';
    return true;
  }
  const end_ = tokens.findIndex(
    ({ key, type }, i) => key === ';' || (type === 'sign' && key === '\\' && /^[gG]$/.test(tokens[i + 1]?.text ?? '')),
  );
  if (end_ < 0 && (!state.isInputEnded || tokens.length === 0)) return false;
  const mark = end_ < 0 ? undefined : tokens[end_]!;
  const isVertical = mark?.key === '\\' && tokens[end_ + 1]!.text === 'G';
  const sql = input.slice(0, mark?.from ?? input.length).trim();
  state.line = input.slice(0, tokens[0]?.from ?? 0).split('\n').length;
  state.input = mark === undefined ? '' : input.slice(mark.key === '\\' ? tokens[end_ + 1]!.to : mark.to);
  if (sql !== '') sendQuery(state, sql, isVertical);
  return sql !== '' || state.input.trim() !== '';
}

function sendQuery(state: State, sql: string, isVertical = state.isVertical): void {
  if (/^use\s/i.test(sql)) state.database = sql.slice(4).trim().replaceAll('`', '');
  state.unsent += packet(`\x03${bytesOf(sql)}`, 0);
  state.pending = { sql, columns: [], expected: 0, rows: [], hasSeenEnd: false, isVertical };
}
