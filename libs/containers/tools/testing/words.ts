import type { Bytes } from '../../../engine/kernel/bytes.js';

/** Words of pipelines: single quotes, double quotes, backslashes; operators stand as words of their own. */
export function splitWords(line: string, separator: string): string[][] {
  const words: string[] = [];
  const pattern = /\s*(?:([|<>;])|((?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s|<>;'"\\])+))/gy;
  for (const [, operator, word] of line.matchAll(pattern)) words.push(operator ?? `\0${unquote(word!)}`);
  return splitOn(words, separator).map((pipeline) => [...pipeline]);
}

const unquote = (word: string) =>
  word.replace(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g,
    (_whole, single, double, escaped) => single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped,
  );

export function splitOn(words: readonly string[], separator: string): string[][] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === separator) parts.push([]);
    else parts.at(-1)!.push(word);
  }

  return parts;
}

export function takeRedirections(
  words: readonly string[],
): [argv: Bytes[], from: Bytes | undefined, to: Bytes | undefined] {
  const argv: Bytes[] = [];
  let from: Bytes | undefined;
  let to: Bytes | undefined;
  for (let i = 0; i < words.length; i++) {
    if (words[i] === '<') from = words[++i]!.slice(1);
    else if (words[i] === '>') to = words[++i]!.slice(1);
    else argv.push(words[i]!.slice(1));
  }

  return [argv, from, to];
}
