import type { Bytes } from '../../../engine/kernel/bytes.js';
import { type Wait, waitToRead } from '../../../engine/kernel/process/program.js';
import { DAY } from '../../../engine/machinery/time/time.js';
import { readNames } from '../accounts.js';
import { type Options, parseOptions } from '../framework/options.js';
import type { FilterContext } from '../framework/filter.js';
import { defineSteps } from '../framework/steps.js';
import { defineTool, ToolFailure, UsageFailure } from '../framework/tool.js';
import { Databases, EXIT, hashPassword, type Row, SECRET, SHADOW, today } from './databases.js';
import { expiryOf } from './useradd.js';

const OPTIONS = [
  ...['a,all', 'd,delete', 'e,expire', 'i,inactive:', 'k,keep-tokens', 'l,lock', 'n,mindays:', 'q,quiet', 'S,status'],
  ...['u,unlock', 'w,warndays:', 'x,maxdays:', 's,stdin'],
];

const NOTICE = 'password changed.';

type Asking = { name: Bytes; lines: Bytes[]; rest: Bytes; asked: number };
const QUESTIONS = ['New password: ', 'Retype new password: '];

/** Models shadow's passwd. A new password is asked for twice, without an echo. Left out: the password of before. */
export const passwd = defineSteps<Asking>(
  {
    start(tool) {
      const options = parseOptions(tool, OPTIONS);
      const { sys } = tool;
      const { users } = readNames(sys);
      const own = users.find(({ id }) => id === sys.user)?.name ?? '';
      const name = options.operands[0] ?? own;
      if (!users.some((user) => user.name === name)) throw new ToolFailure(`user '${name}' does not exist`, 1);
      if (sys.user !== 0 && name !== own)
        throw new ToolFailure(`You may not view or modify password information for ${name}.`, 1);
      const data = new Databases(sys);
      if (options.has('S')) {
        for (const row of options.has('a') ? data.rows(SHADOW) : [data.find(SHADOW, name)])
          if (row) tool.out(statusLine(row));
        return 0;
      }
      if (options.has('d', 'e', 'l', 'u', 'n', 'x', 'w', 'i')) return changeAge(tool, options, data, name);
      return { name, lines: [], rest: '', asked: 0 };
    },
    step: askPassword,
  },
  { usage: '[options] [LOGIN]', usageCode: EXIT.usage },
);

function askPassword(tool: FilterContext, state: Asking): number | Wait {
  const { sys } = tool;
  const isTerminal = sys.isTerminal(0);
  if (state.asked === state.lines.length) {
    tool.err(QUESTIONS[state.asked++]!);
    if (isTerminal) sys.setTerminalMode(0, 'no-echo');
    return { type: 'yield' };
  }
  const at = state.rest.indexOf('\n');
  if (at < 0) {
    const bytes = sys.read(0);
    if (bytes === undefined) return waitToRead(0);
    state.rest += bytes === '' ? '\n' : bytes;
    return { type: 'yield' };
  }
  state.lines.push(state.rest.slice(0, at));
  state.rest = state.rest.slice(at + 1);
  if (isTerminal) tool.err('\n');
  const [first = '', second] = state.lines;
  if (first !== '' && second === undefined) return { type: 'yield' };
  if (isTerminal) sys.setTerminalMode(0, 'cooked');
  if (first === '' || first !== second)
    return refuse(tool, first === '' ? 'No password has been supplied.' : 'Sorry, passwords do not match.');
  const data = new Databases(sys);
  const row = requireSecret(tool, data, state.name);
  row[SECRET.hash] = hashPassword(sys, first);
  row[SECRET.changed] = String(today(sys));
  data.save();
  tool.err(`${tool.name}: password updated successfully\n`);
  return 0;
}

function refuse(tool: FilterContext, why: string): number {
  tool.err(`${why}\n${tool.name}: Authentication token manipulation error\n${tool.name}: password unchanged\n`);
  return 10;
}

function requireSecret(tool: FilterContext, data: Databases, name: Bytes): Row {
  if (tool.sys.user !== 0) throw new ToolFailure('Authentication token manipulation error', 10);
  const found = data.find(SHADOW, name);
  if (found) return found;
  const row = [name, '!', String(today(tool.sys)), '0', '99999', '7', '', '', ''];
  data.rows(SHADOW).push(row);
  return row;
}

function changeAge(tool: FilterContext, options: Options, data: Databases, name: Bytes): number {
  if (tool.sys.user !== 0) throw new ToolFailure('Permission denied.', 1);
  const row = requireSecret(tool, data, name);
  const hash = row[SECRET.hash] ?? '';
  if (options.has('d')) row[SECRET.hash] = '';
  if (options.has('l') && !hash.startsWith('!')) row[SECRET.hash] = `!${hash}`;
  if (options.has('u')) {
    if (/^!*$/.test(hash)) {
      tool.warn('unlocking the password would result in a passwordless account.');
      tool.err('You should set a password with usermod -p to unlock the password of this account.\n');
      return EXIT.argument;
    }
    row[SECRET.hash] = hash.replace(/^!/, '');
  }
  if (options.has('e')) row[SECRET.changed] = '0';
  setNumbers(row, options, { n: SECRET.least, x: SECRET.most, w: SECRET.warn, i: SECRET.inactive });
  data.save();
  if (!options.has('q')) tool.out(`${tool.name}: ${NOTICE}\n`);
  return 0;
}

function setNumbers(row: Row, options: Options, fields: Readonly<Record<string, number>>): void {
  for (const [key, field] of Object.entries(fields)) {
    const value = options.value(key);
    if (value !== undefined) row[field] = value === '-1' ? '' : value;
  }
}

const dayOf = (text = ''): string => (text === '' ? 'never' : new Date(Number(text) * DAY).toISOString().slice(0, 10));

function statusLine(row: Row): Bytes {
  const [name = '', hash = '', changed, least, most, warn, inactive] = row;
  const state = hash === '' ? 'NP' : /^[!*]/.test(hash) ? 'L' : 'P';
  return `${name} ${state} ${dayOf(changed)} ${least || 0} ${most || 99999} ${warn || 7} ${inactive || -1}\n`;
}

/** Models shadow's chpasswd: lines of `user:password`. */
export const chpasswd = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['c,crypt-method:', 'e,encrypted', 'm,md5', 's,sha-rounds:']);
    if (tool.sys.user !== 0) {
      tool.warn('Permission denied.');
      throw new ToolFailure(`cannot lock ${SHADOW}; try again later.`, 1);
    }
    const data = new Databases(tool.sys);
    let hasFailed = false;
    const lines = tool.stdin().split('\n');
    for (const [i, line] of lines.entries()) {
      if (line === '') continue;
      const [name = '', password] = line.split(/:(.*)/s);
      if (password === undefined) tool.warn(`line ${i + 1}: missing new password`);
      else if (!readNames(tool.sys).users.some((user) => user.name === name))
        tool.warn(`line ${i + 1}: user '${name}' does not exist`);
      else {
        const row = requireSecret(tool, data, name);
        row[SECRET.hash] = options.has('e') ? password : hashPassword(tool.sys, password);
        row[SECRET.changed] = String(today(tool.sys));
        continue;
      }
      hasFailed = true;
    }
    if (hasFailed) throw new ToolFailure('error detected, changes ignored', 1);
    data.save();
    return 0;
  },
  { usage: '[options]', usageCode: EXIT.usage },
);

const CHAGE = [
  'd,lastday:',
  'E,expiredate:',
  'i,iso8601',
  'I,inactive:',
  'l,list',
  'm,mindays:',
  'M,maxdays:',
  'W,warndays:',
];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Models shadow's chage. Left out: its questions. */
export const chage = defineTool(
  (tool) => {
    const options = parseOptions(tool, CHAGE);
    const [name] = options.operands;
    if (name === undefined) throw new UsageFailure('');
    const data = new Databases(tool.sys);
    if (!readNames(tool.sys).users.some((user) => user.name === name))
      throw new ToolFailure(`user '${name}' does not exist in /etc/passwd`, 1);
    if (tool.sys.user !== 0) throw new ToolFailure('Permission denied.', 1);
    const row = requireSecret(tool, data, name);
    if (options.has('l')) {
      tool.out(listAges(row, options.has('i')));
      return 0;
    }
    if (options.all.length === 0) throw new ToolFailure('questions are not simulated here: give options', 1);
    setNumbers(row, options, { m: SECRET.least, M: SECRET.most, W: SECRET.warn, I: SECRET.inactive });
    if (options.has('d')) row[SECRET.changed] = expiryOf(options.value('d'));
    if (options.has('E')) row[SECRET.expires] = expiryOf(options.value('E'));
    data.save();
    return 0;
  },
  { usage: '[options] LOGIN', usageCode: EXIT.usage },
);

function listAges(row: Row, isIso: boolean): Bytes {
  const [, , changed = '', least, most = '', warn, inactive = '', expires = ''] = row;
  const date = (day: number): string => {
    const at = new Date(day * DAY);
    if (isIso) return at.toISOString().slice(0, 10);
    return `${MONTHS[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2, '0')}, ${at.getUTCFullYear()}`;
  };
  const isForced = changed === '0';
  const isEndless = most === '' || Number(most) >= 10_000;
  const end = (days: number): string =>
    isForced ? 'password must be changed' : isEndless ? 'never' : date(Number(changed) + days);
  const lines: readonly (readonly [string, string | number])[] = [
    [
      'Last password change\t\t\t\t\t',
      isForced ? 'password must be changed' : changed === '' ? 'never' : date(Number(changed)),
    ],
    ['Password expires\t\t\t\t\t', end(Number(most))],
    ['Password inactive\t\t\t\t\t', inactive === '' && !isForced ? 'never' : end(Number(most) + Number(inactive))],
    ['Account expires\t\t\t\t\t\t', expires === '' ? 'never' : date(Number(expires))],
    ['Minimum number of days between password change\t\t', least || (least === '' ? -1 : 0)],
    ['Maximum number of days between password change\t\t', most || -1],
    ['Number of days of warning before password expires\t', warn || (warn === '' ? -1 : 0)],
  ];
  return lines.map(([title, value]) => `${title}: ${value}\n`).join('');
}
