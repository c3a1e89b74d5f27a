import { compileRegex, type PosixRegex, RegexFault } from '../../patterns/posix-regex.js';
import type { Target, ViState } from './state.js';

/** A pattern of vi, as a basic one of POSIX: \d \a \x are vim's. Undefined: it is none. */
export function compilePattern(state: ViState, pattern: string, flags = ''): PosixRegex | undefined {
  const ignoreCase =
    (state.options.ignorecase || flags.includes('i') || pattern.includes('\\c')) && !flags.includes('I');
  const text = pattern.replaceAll('\\c', '').replaceAll('\\d', '[0-9]').replaceAll('\\a', '[A-Za-z]');
  try {
    return compileRegex(text.replaceAll('\\=', '\\?'), 'basic', { ignoreCase });
  } catch (error) {
    if (error instanceof RegexFault) return undefined;
    throw error;
  }
}

/** The next line with the pattern, around the end of the text; says so when there is none. */
export function findPattern(state: ViState, isForward: boolean, count: number): Target | undefined {
  const { pattern } = state.search;
  if (pattern === '') {
    state.message = state.isBusybox ? 'No previous search' : 'E35: No previous regular expression';
    return undefined;
  }
  const regex = compilePattern(state, pattern);
  let place: Target | undefined = { line: state.line, at: state.at };
  for (let i = 0; i < Math.min(count, 1_000) && place !== undefined && regex !== undefined; i++) {
    place = isForward ? findAfter(state, regex, place) : findBefore(state, regex, place);
  }
  if (place === undefined || regex === undefined) {
    state.message = state.isBusybox ? 'Pattern not found' : `E486: Pattern not found: ${pattern}`;
    return undefined;
  }
  return place;
}

function findAfter(state: ViState, regex: PosixRegex, from: Target): Target | undefined {
  const { lines } = state.buffer;
  for (let i = 0; i <= lines.length; i++) {
    const line = (from.line + i) % lines.length;
    const match = regex.find(lines[line]!, i === 0 ? from.at + 1 : 0);
    if (match === undefined) continue;
    if (line < from.line || (i > 0 && line === from.line)) {
      state.message = 'search hit BOTTOM, continuing at TOP';
    }
    return { line, at: match.start };
  }
  return undefined;
}

function findBefore(state: ViState, regex: PosixRegex, from: Target): Target | undefined {
  const { lines } = state.buffer;
  for (let i = 0; i <= lines.length; i++) {
    const line = (from.line - i + lines.length * 2) % lines.length;
    const last = lastMatch(regex, lines[line]!, i === 0 ? from.at : Infinity);
    if (last < 0) continue;
    if (line > from.line) state.message = 'search hit TOP, continuing at BOTTOM';
    return { line, at: last };
  }
  return undefined;
}

function lastMatch(regex: PosixRegex, text: string, before: number): number {
  let found = -1;
  for (
    let match = regex.find(text);
    match !== undefined && match.start < before;
    match = regex.find(text, match.start + 1)
  ) {
    found = match.start;
  }
  return found;
}
