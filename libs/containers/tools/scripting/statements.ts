import type { Bytes } from '../../../engine/kernel/bytes.js';
import { unescapeBytes } from '../format.js';

/** Splits a program at `;` and newlines that stand outside of quotes and parentheses. */
export function splitStatements(program: Bytes): Bytes[] {
  const parts: Bytes[] = [''];
  let quote = '';
  let depth = 0;
  for (let i = 0; i < program.length; i++) {
    const c = program[i]!;
    if (c === '\\' && quote !== '') {
      parts[parts.length - 1] += c + (program[++i] ?? '');
      continue;
    }
    if (quote !== '') quote = c === quote ? '' : quote;
    else if (c === '"' || c === "'") quote = c;
    else if (c === '(') depth++;
    else if (c === ')') depth--;
    else if (depth === 0 && (c === ';' || c === '\n')) {
      parts.push('');
      continue;
    }
    parts[parts.length - 1] += c;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '' && !part.startsWith('#'));
}

const STRING = /^"((?:[^"\\]|\\[\s\S])*)"$|^'((?:[^'\\]|\\[\s\S])*)'$/;

/** The text of a quoted string or a number; undefined for any other expression. */
export function readLiteral(text: Bytes, escapesInSingle: boolean): Bytes | undefined {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  const found = STRING.exec(text);
  if (!found) return undefined;
  const [, double, single] = found;
  if (double !== undefined) return unescapeBytes(double.replace(/\\(["'])/g, '$1'), true).bytes;
  if (!escapesInSingle) return single!.replace(/\\(['\\])/g, '$1');
  return unescapeBytes(single!.replace(/\\(["'])/g, '$1'), true).bytes;
}
