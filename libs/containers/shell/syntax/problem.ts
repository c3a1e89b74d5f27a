import type { ParseError } from 'unbash';
import type { Bytes } from '../kernel.js';
import type { Flavour } from '../state/state.js';

/** Why a text is no script. */
export type Problem =
  | { readonly kind: 'token'; readonly token: Bytes; readonly expected: Bytes; readonly at: number }
  | { readonly kind: 'end'; readonly expected: Bytes; readonly at: number }
  | { readonly kind: 'quote'; readonly quote: Bytes; readonly at: number }
  | { readonly kind: 'other'; readonly message: Bytes; readonly at: number };

/** Whether more text could make it whole. */
export const isIncomplete = (problem: Problem): boolean => problem.kind === 'end' || problem.kind === 'quote';

const QUOTES: Readonly<Record<string, string>> = {
  'double quote': '"',
  'single quote': "'",
  'ANSI-C quote': "'",
  backtick: '`',
  'command substitution': ')',
  'process substitution': ')',
  'parameter expansion': '}',
  'arithmetic expansion': ')',
  'arithmetic command': ')',
  'arithmetic for header': ')',
  'array subscript': ']',
  'extended glob': ')',
};

/** The first of a parser's errors, in a shell's terms. */
export function findProblem(text: Bytes, errors: readonly ParseError[]): Problem | undefined {
  const sorted = [...errors].sort((a, b) => a.pos - b.pos);
  const first = sorted[0];
  if (!first) return /^\s*\w+\(\s*$/.test(text) ? { kind: 'end', expected: ')', at: text.length } : undefined;
  const { message, pos } = first;
  const unterminated = /^unterminated (.*)$/.exec(message);
  if (unterminated) return { kind: 'quote', quote: QUOTES[unterminated[1]!] ?? ')', at: pos };
  if (message.startsWith('maximum ')) return { kind: 'other', message, at: pos };
  const expected = /^expected (?:'([^']+)'|(command))/.exec(message);
  const canSpan = message !== 'expected redirect target';
  const isWithin = /^expected command in (?:brace group|subshell)$/.test(message);
  const at = skipBlank(text, isWithin ? pos + 1 : pos, canSpan);
  const named = expected?.[1] ?? '';
  if (at >= text.length && canSpan)
    return { kind: 'end', expected: expectedAtEnd(text, named || nextExpected(sorted)), at };
  return { kind: 'token', token: tokenAt(text, at), expected: named || nextExpected(sorted.slice(0, 2)), at };
}

const nextExpected = (errors: readonly ParseError[]): Bytes =>
  errors.map(({ message }) => /^expected '([^']+)'/.exec(message)?.[1]).find((one) => one !== undefined) ?? '';

/** What dash and busybox expect at the end of a text: in a case the next pattern or the end of its commands. */
function expectedAtEnd(text: Bytes, expected: Bytes): Bytes {
  const trimmed = text.trimEnd();
  if (expected === 'esac') return /(?:\sin|;;)$/.test(trimmed) ? ')' : ';;';
  return expected === 'do' && /\bin\s[^;\n]*$/.test(text) ? '' : expected;
}

function skipBlank(text: Bytes, from: number, newlines: boolean): number {
  let at = from;
  for (;;) {
    const character = text[at];
    if (character === '#' && /[\s]/.test(text[at - 1] ?? ' ')) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (character === ' ' || character === '\t' || (character === '\n' && newlines)) at++;
    else return at;
  }
}

function tokenAt(text: Bytes, at: number): Bytes {
  const rest = text.slice(at, at + 200);
  if (rest === '' || rest.startsWith('\n')) return 'newline';
  return /^(?:;;&|;;|;&|&&|\|\||\|&|<<<|<<-|<<|>>|&>|[;&|()<>]|[^\s;&|()<>]+)/.exec(rest)?.[0] ?? rest[0]!;
}

const KEYWORDS = new Set([
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'do',
  'done',
  'case',
  'esac',
  'while',
  'until',
  'for',
  '{',
  '}',
  '!',
  'in',
]);

/** The messages of a shell, without their beginning; bash shows the line too. */
export function describeProblem(flavour: Flavour, text: Bytes, problem: Problem): { messages: Bytes[]; at: number } {
  if (flavour === 'bash') return describeForBash(text, problem);
  const isDash = flavour === 'dash';
  const say = (subject: Bytes, expected: Bytes): Bytes => {
    const tail = expected === '' ? '' : ` (expecting "${expected}")`;
    return isDash ? `Syntax error: ${subject} unexpected${tail}` : `syntax error: unexpected ${subject}${tail}`;
  };
  switch (problem.kind) {
    case 'quote': {
      if (problem.quote === ')') return { messages: [say('end of file', ')')], at: problem.at };
      if (problem.quote === '`')
        return {
          messages: [
            isDash ? 'Syntax error: EOF in backquote substitution' : 'syntax error: EOF in backquote substitution',
          ],
          at: problem.at,
        };
      const words = problem.quote === '}' ? "Missing '}'" : 'Unterminated quoted string';
      const plain = problem.quote === '}' ? "missing '}'" : 'unterminated quoted string';
      return { messages: [isDash ? `Syntax error: ${words}` : `syntax error: ${plain}`], at: text.length };
    }
    case 'end':
      return { messages: [say('end of file', problem.expected)], at: text.length };
    case 'token': {
      const { token } = problem;
      const isWord = !KEYWORDS.has(token) && /^[^;&|()<>]/.test(token) && token !== 'newline';
      const isRedirection = /^[<>]/.test(token);
      const subject = token === 'newline' ? 'newline' : isWord ? 'word' : isRedirection ? 'redirection' : `"${token}"`;
      return { messages: [say(subject, problem.expected)], at: problem.at };
    }
    case 'other':
      return { messages: [problem.message], at: problem.at };
  }
}

function describeForBash(text: Bytes, problem: Problem): { messages: Bytes[]; at: number } {
  switch (problem.kind) {
    case 'quote': {
      const quoted = problem.quote === '"' || problem.quote === "'" || problem.quote === '`' || problem.quote === '}';
      return {
        messages: [`unexpected EOF while looking for matching \`${problem.quote}'`],
        at: quoted ? problem.at : text.length + 1,
      };
    }
    case 'end':
      if (/^\s*\w+\(\s*$/.test(text)) return describeForBash(text, { ...problem, kind: 'token', token: 'newline' });
      return { messages: ['syntax error: unexpected end of file'], at: text.length + 1 };
    case 'token': {
      const start = text.lastIndexOf('\n', problem.at - 1) + 1;
      const end = text.indexOf('\n', problem.at);
      const line = text.slice(start, end < 0 ? undefined : end);
      return { messages: [`syntax error near unexpected token \`${problem.token}'`, `\`${line}'`], at: problem.at };
    }
    case 'other':
      return { messages: [problem.message], at: problem.at };
  }
}
