import { bytesOf, textOf } from '../../../../../engine/kernel/bytes.js';
import { lastName } from '../../../names.js';
import { isNil } from '../../../go-template/values.js';
import { fail, type FunctionTable, limitText, textValue, typed } from './typed.js';

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '');

/** Without letters of `cut` at the ends that are asked for. */
function trimLetters(text: string, cut: string, ends: 'both' | 'left' | 'right'): string {
  let from = 0;
  let to = text.length;
  while (ends !== 'right' && from < to && cut.includes(text[from]!)) from++;
  while (ends !== 'left' && to > from && cut.includes(text[to - 1]!)) to--;
  return text.slice(from, to);
}

/** Models sprig's trunc: in bytes; a negative length keeps the end. */
function truncate(length: number, text: string): string {
  const bytes = bytesOf(text);
  if (length < 0 && bytes.length + length > 0) return textOf(bytes.slice(bytes.length + length));
  return length >= 0 && bytes.length > length ? textOf(bytes.slice(0, length)) : text;
}

const MAX_INDENT = 1_000;

function indent(count: number, text: string): string {
  const pad = ' '.repeat(Math.min(Math.max(count, 0), MAX_INDENT));
  return limitText(pad + text.replaceAll('\n', `\n${pad}`));
}

/** Models strconv.Quote, for text. */
const quoteText = (text: string): string =>
  JSON.stringify(text)
    .replace(/\\u00(?=[01])/g, '\\x')
    .replace('\\b', '\\b');

const quoteAll = (values: readonly unknown[], quote: (text: string) => string): string =>
  values
    .filter((value) => !isNil(value))
    .map((value) => quote(textValue(value)))
    .join(' ');

function wrap(text: string, width: number, line: string): string {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current].join(line);
}

/** Functions of sprig's strings.go. */
export const STRINGS: FunctionTable = {
  upper: typed('s', (text: string) => text.toUpperCase()),
  lower: typed('s', (text: string) => text.toLowerCase()),
  title: typed('s', (text: string) => text.replace(/(^|[^\p{L}\p{N}_'])(\p{L})/gu, (whole) => whole.toUpperCase())),
  untitle: typed('s', (text: string) => text.replace(/(^|\s)(\S)/g, (whole) => whole.toLowerCase())),
  trim: typed('s', (text: string) => text.trim()),
  trimAll: typed('ss', (cut: string, text: string) => trimLetters(text, cut, 'both')),
  trimall: typed('ss', (cut: string, text: string) => trimLetters(text, cut, 'both')),
  trimPrefix: typed('ss', (cut: string, text: string) =>
    cut !== '' && text.startsWith(cut) ? text.slice(cut.length) : text,
  ),
  trimSuffix: typed('ss', (cut: string, text: string) =>
    cut !== '' && text.endsWith(cut) ? text.slice(0, -cut.length) : text,
  ),
  trunc: typed('is', truncate),
  replace: typed('sss', (from: string, to: string, text: string) => limitText(text.replaceAll(from, () => to))),
  repeat: typed('is', (count: number, text: string) => {
    if (count < 0) fail('strings: negative Repeat count');
    if (count * text.length > 1 << 20) fail('the text is too long');
    return text.repeat(count);
  }),
  nospace: typed('s', (text: string) => text.replace(/\s/g, '')),
  contains: typed('ss', (part: string, text: string) => text.includes(part)),
  hasPrefix: typed('ss', (part: string, text: string) => text.startsWith(part)),
  hasSuffix: typed('ss', (part: string, text: string) => text.endsWith(part)),
  quote: typed('a*', (...values: readonly unknown[]) => quoteAll(values, quoteText)),
  squote: typed('a*', (...values: readonly unknown[]) => quoteAll(values, (text) => `'${text}'`)),
  cat: typed('a*', (...values: readonly unknown[]) =>
    values
      .filter((value) => !isNil(value))
      .map(textValue)
      .join(' '),
  ),
  indent: typed('is', indent),
  nindent: typed('is', (count: number, text: string) => `\n${indent(count, text)}`),
  substr: typed('iis', (from: number, to: number, text: string) =>
    from < 0 ? text.slice(0, to) : to < 0 || to > text.length ? text.slice(from) : text.slice(from, to),
  ),
  abbrev: typed('is', (width: number, text: string) =>
    width < 4 || text.length <= width ? text : `${text.slice(0, width - 3)}...`,
  ),
  initials: typed('s', (text: string) =>
    text
      .split(/\s+/)
      .map((word) => word.charAt(0))
      .join(''),
  ),
  plural: typed('ssi', (one: string, many: string, count: number) => (count === 1 ? one : many)),
  camelcase: typed('s', (text: string) =>
    text
      .split(/[_\s-]+/)
      .map(upperFirst)
      .join(''),
  ),
  snakecase: typed('s', (text: string) => wordsOf(text).join('_').toLowerCase()),
  kebabcase: typed('s', (text: string) => wordsOf(text).join('-').toLowerCase()),
  swapcase: typed('s', (text: string) =>
    text.replace(/\p{L}/gu, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    ),
  ),
  wrap: typed('is', (width: number, text: string) => wrap(text, width, '\n')),
  wrapWith: typed('iss', (width: number, line: string, text: string) => wrap(text, width, line)),
  toString: typed('a', (value: unknown) => (isNil(value) ? '<nil>' : textValue(value))),
  base: typed('s', (path: string) => lastName(path) || (path === '' ? '.' : '/')),
  dir: typed('s', (path: string) => {
    const at = path.lastIndexOf('/');
    return at < 0 ? '.' : at === 0 ? '/' : path.slice(0, at);
  }),
  clean: typed('s', cleanPath),
  ext: typed('s', (path: string) => /\.[^./]*$/.exec(path)?.[0] ?? ''),
  isAbs: typed('s', (path: string) => path.startsWith('/')),
};

function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.' && !(part === '..' && path.startsWith('/'))) parts.push(part);
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/') || '.';
}
