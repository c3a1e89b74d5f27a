import { beginChange, replaceLines } from '../../core/buffer.js';
import type { FilterContext } from '../../../framework/filter.js';
import { findAll, type Match } from '../../../patterns/posix-regex.js';
import type { ExCommand } from './command.js';
import { endOfPattern } from './address.js';
import { moveToLine } from '../operators.js';
import { compilePattern } from '../search.js';
import type { ViState } from '../state.js';

/** Characters that a substitution may make. */
const MAX_RESULT = 2 << 20;

/** `:s/pattern/replacement/flags`. */
export function substitute(tool: FilterContext, state: ViState, { rest, from, to }: ExCommand): void {
  const delimiter = rest[0];
  if (delimiter === undefined || /[\w\s"|]/.test(delimiter)) {
    state.message = state.isBusybox ? 'bad search pattern' : 'E486: Pattern not found: ';
    return;
  }
  const end = endOfPattern(rest, 1, delimiter);
  const close = endOfPattern(rest, end + 1, delimiter);
  const typed = rest.slice(1, end).replaceAll(`\\${delimiter}`, delimiter);
  const pattern = typed === '' ? state.search.pattern : typed;
  const template = rest.slice(end + 1, close);
  const flags = rest.slice(close + 1).trim();
  if (!/^[giIen]{0,5}$/.test(flags) || (state.isBusybox && !/^g?$/.test(flags))) {
    state.message =
      flags.includes('c') && !state.isBusybox
        ? 'E319: Sorry, the command is not available in this version'
        : state.isBusybox
          ? `bad option: ${flags}`
          : 'E488: Trailing characters';
    return;
  }
  const regex = compilePattern(state, pattern, flags);
  if (regex === undefined) {
    state.message = state.isBusybox ? `:s bad search pattern '${pattern}'` : `E383: Invalid search string: ${pattern}`;
    return;
  }
  state.search = { pattern, isForward: true };
  beginChange(state.buffer, state.line, state.at, tool.sys.now);
  let [count, lines, last, size] = [0, 0, -1, 0];
  for (let line = from, until = to; line <= until; line++) {
    const text = state.buffer.lines[line]!;
    let [result, at, here] = ['', 0, 0];
    for (const match of findAll(regex, text)) {
      here++;
      result += text.slice(at, match.start) + fill(template, match);
      at = match.end;
      if (size + result.length > MAX_RESULT || !flags.includes('g')) break;
    }
    tool.sys.charge(1 + (text.length >> 3));
    if (here === 0) continue;
    size += result.length;
    count += here;
    lines++;
    last = line;
    if (flags.includes('n')) continue;
    const made = (result + text.slice(at)).split('\r');
    replaceLines(state.buffer, line, 1, made);
    line += made.length - 1;
    until += made.length - 1;
    last = line;
    if (size > MAX_RESULT) break;
  }
  report(state, { pattern, flags, count, lines, last });
}

function report(
  state: ViState,
  {
    pattern,
    flags,
    count,
    lines,
    last,
  }: { pattern: string; flags: string; count: number; lines: number; last: number },
): void {
  if (count === 0) {
    if (!flags.includes('e')) state.message = state.isBusybox ? 'No match' : `E486: Pattern not found: ${pattern}`;
    return;
  }
  const of = `${count} ${flags.includes('n') ? 'match' : 'substitution'}${count === 1 ? '' : flags.includes('n') ? 'es' : 's'}`;
  const text = `${of} on ${lines} line${lines === 1 ? '' : 's'}`;
  if (!flags.includes('n')) moveToLine(state, last);
  if (state.isBusybox ? lines > 1 || count > 1 : count > 2 || flags.includes('n')) state.message = text;
}

/** &, \0 to \9, \n, \t and \r, which begins a new line. */
function fill(template: string, match: Match): string {
  let text = '';
  for (let i = 0; i < template.length; i++) {
    const c = template[i]!;
    if (c === '&') text += match.groups[0] ?? '';
    else if (c !== '\\') text += c;
    else {
      const next = template[++i] ?? '\\';
      if (/\d/.test(next)) text += match.groups[Number(next)] ?? '';
      else text += { n: '\0', t: '\t', r: '\r' }[next] ?? next;
    }
  }
  return text;
}

/** Lines that `:g` works on. */
const MAX_LINES = 20_000;

/** `:g/pattern/command` and `:v`. */
export function repeatGlobally(
  tool: FilterContext,
  state: ViState,
  { name, isForced, rest, from, to }: ExCommand,
  run: (tool: FilterContext, state: ViState, line: string) => void,
): void {
  const delimiter = rest[0] ?? '';
  const end = endOfPattern(rest, 1, delimiter);
  const pattern = rest.slice(1, end) || state.search.pattern;
  const command = rest.slice(end + 1).trim();
  const regex = delimiter === '' ? undefined : compilePattern(state, pattern);
  if (regex === undefined) {
    state.message = state.isBusybox ? 'bad search pattern' : 'E148: Regular expression missing from global';
    return;
  }
  if (command === '' || /^[gv!]/.test(command)) {
    state.message = 'E147: Cannot do :global recursive';
    return;
  }
  const wanted = name === 'global' && !isForced;
  let shift = 0;
  let found = 0;
  const size = state.buffer.lines.length;
  for (let line = from; line <= to && found < MAX_LINES; line++) {
    const place = line + shift;
    const text = state.buffer.lines[place];
    if (text === undefined || regex.test(text) !== wanted) continue;
    found++;
    const before = state.buffer.lines.length;
    const isLast = before === 1;
    state.line = place;
    state.at = 0;
    run(tool, state, command);
    shift += state.buffer.lines.length - before;
    if (isLast) break;
  }
  const gone = size - state.buffer.lines.length;
  if (Math.abs(gone) > 2) state.message = gone > 0 ? `${gone} fewer lines` : `${-gone} more lines`;
  if (found === 0) state.message = state.isBusybox ? 'No match' : `E486: Pattern not found: ${pattern}`;
}
