import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { Bytes } from '../../../engine/kernel/bytes.js';
import { ToolFailure } from '../framework/failure.js';
import { RegexFault, translateRegex, type Syntax } from './regex-syntax.js';

export { RegexFault, type Syntax } from './regex-syntax.js';

/** A match: where it begins and ends, and its groups; the whole match is group 0. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (Bytes | undefined)[];
}

/** A compiled expression of POSIX or Perl. Matching takes linear time. */
export interface PosixRegex {
  readonly groupCount: number;
  /** It is a text that stands for itself: a search for it costs next to nothing. */
  readonly isLiteral: boolean;
  test(text: Bytes): boolean;
  /** The leftmost match from here; `^` still means the beginning of the text. */
  find(text: Bytes, from?: number): Match | undefined;
}

export interface RegexFlags {
  readonly ignoreCase?: boolean;
  /** ^ and $ also match at newlines within the text. */
  readonly multiline?: boolean;
}

const MAX_PATTERN = 20_000;
/** Matches of one text: each costs about 8 us, a literal's 50 ns. */
const MAX_MATCHES = 20_000;
const MAX_LITERAL_MATCHES = 1_000_000;
/** A longer literal is the library's: a search of the engine's takes the square of its length for some texts. */
const LITERAL = /^(?:[\w ,:;@#%&=<>~`'"!/-]|\\[^\w]){1,16}$/;

/** Compiled by their text; no cluster can be reached from them. */
// oxlint-disable-next-line house/no-module-state -- compiled texts
const compiled = new LRUCache<string, RE2JS>({
  maxSize: 200_000,
  sizeCalculation: (_regex, key) => key.length,
  memoMethod: (key) => {
    const at = key.indexOf('/');
    return RE2JS.compile(key.slice(at + 1), Number(key.slice(0, at)));
  },
});

/** Throws RegexFault. */
export function compileRegex(pattern: Bytes, syntax: Syntax, flags: RegexFlags = {}): PosixRegex {
  if (pattern.length > MAX_PATTERN) throw new RegexFault('Regular expression too big');
  const { text, visibleGroup } = translateRegex(pattern, syntax);
  let bits = syntax === 'perl' ? RE2JS.LOOKBEHINDS : RE2JS.DOTALL | RE2JS.LONGEST_MATCH;
  if (flags.ignoreCase === true) bits |= RE2JS.CASE_INSENSITIVE;
  if (flags.multiline === true) bits |= RE2JS.MULTILINE;
  if (flags.ignoreCase !== true && visibleGroup === 0 && LITERAL.test(text)) {
    return literalRegex(text.replace(/\\([^\w])/g, '$1'));
  }
  try {
    return wrap(compiled.memo(`${bits}/${text}`), visibleGroup);
  } catch (error) {
    if (error instanceof RegexFault) throw error;
    throw new RegexFault(explainFault((error as Error).message));
  }
}

/** RE2's words for what is wrong, in glibc's. */
function explainFault(message: string): string {
  if (message.includes('missing closing ]')) return 'Unmatched [, [^, [:, [., or [=';
  if (message.includes('missing closing )')) return 'Unmatched ( or \\(';
  if (message.includes('unexpected )')) return 'Unmatched ) or \\)';
  if (message.includes('class range')) return 'Invalid range end';
  if (message.includes('repeat count') || message.includes('repetition size')) return 'Invalid content of \\{\\}';
  if (message.includes('missing argument to repetition')) return 'Invalid preceding regular expression';
  if (message.includes('trailing backslash')) return 'Trailing backslash';
  return `Invalid regular expression: ${message}`;
}

function wrap(regex: RE2JS, visibleGroup: number): PosixRegex {
  const groupCount = regex.groupCount();
  return {
    ...{ groupCount, isLiteral: false },
    test: (text) => regex.matcher(text).find(),
    find(text, from = 0) {
      if (from > text.length) return undefined;
      const matcher = regex.matcher(text);
      if (!matcher.find(from)) return undefined;
      const groups = Array.from({ length: groupCount + 1 }, (_, i) => matcher.group(i) ?? undefined);
      return { start: matcher.start(visibleGroup), end: matcher.end(visibleGroup), groups };
    },
  };
}

function literalRegex(literal: Bytes): PosixRegex {
  const groups = [literal];
  return {
    ...{ groupCount: 0, isLiteral: true },
    test: (text) => text.includes(literal),
    find(text, from = 0) {
      const start = text.indexOf(literal, from);
      return start < 0 ? undefined : { start, end: start + literal.length, groups };
    },
  };
}

/**
 * All matches that do not overlap, as `s///g` and `grep -o` go through a text. Throws ToolFailure for more than are
 * simulated: all of them are found in one step of a program.
 */
export function* findAll(regex: PosixRegex, text: Bytes): Generator<Match> {
  let from = 0;
  let lastEnd = -1;
  let left = regex.isLiteral ? MAX_LITERAL_MATCHES : MAX_MATCHES;
  while (from <= text.length) {
    const match = regex.find(text, from);
    if (match === undefined) return;
    if (--left < 0) throw new ToolFailure('memory exhausted', 2);
    const isEmpty = match.start === match.end;
    // An empty match right after another one does not count.
    if (!isEmpty || match.start !== lastEnd) yield match;
    lastEnd = match.end;
    from = isEmpty ? match.end + 1 : match.end;
  }
}
