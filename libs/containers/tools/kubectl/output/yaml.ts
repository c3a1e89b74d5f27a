import { stringify } from 'yaml';
import { sortKeys } from './sort-keys.js';

/** A plain scalar goes on in a new line at the first blank behind this column. */
const BEST_WIDTH = 80;

/** As sigs.k8s.io/yaml writes it. */
export const formatYaml = (value: unknown): string =>
  foldPlain(
    stringify(sortKeys(value), {
      sortMapEntries: false,
      indentSeq: false,
      lineWidth: 0,
      aliasDuplicateObjects: false,
      version: '1.1',
    }),
  );

/** Folds long plain scalars where Go's emitter does; texts in quotes and blocks stay. */
function foldPlain(text: string): string {
  let block = -1;
  return text
    .split('\n')
    .map((line) => {
      const indent = line.length - line.trimStart().length;
      if (block >= 0 && (indent > block || line.trim() === '')) return line;
      // A key of managed fields, which Go's emitter does not quote.
      if (/^ *"\.":/.test(line)) return line.replace('"."', '.');
      block = /(?:^|[:-] )[|>][-+]?\d?$/.test(line) ? indent : -1;
      return line.length > BEST_WIDTH && block < 0 ? foldLine(line, indent) : requote(line);
    })
    .join('\n');
}

/** Texts that would be read as something else stand in double quotes, other texts that need quotes in single ones. */
function requote(line: string): string {
  if (!line.endsWith('"')) return line;
  const start = line.indexOf('"');
  const before = line.slice(0, start);
  const content = line.slice(start + 1, -1);
  const isValue = before.endsWith(': ') || before.endsWith('- ');
  if (!isValue || content === '' || /["\\]/.test(content) || isOtherType(content)) return line;
  return `${before}'${content.replaceAll("'", "''")}'`;
}

const isOtherType = (text: string): boolean =>
  /^(?:true|false|yes|no|on|off|y|n|null|~|<<|=|[-+]?\.(?:inf|nan))$/i.test(text) ||
  /^[-+]?[\d.][\d_.,:eExXoObBa-fA-F+-]*$/.test(text) ||
  /^\d{4}-\d\d?-\d\d?/.test(text);

function foldLine(line: string, indent: number): string {
  const key = line.indexOf(': ');
  const dashes = /^(?:- )+/.exec(line.slice(indent))?.[0].length ?? 0;
  const start = key < 0 ? indent + dashes : key + 2;
  if (/["'|>&*!%@`{[]/.test(line[start] ?? '"')) return line;
  const words = line.slice(start).split(' ');
  const inner = ' '.repeat(indent + dashes + (key < 0 && dashes === 0 ? 0 : 2));
  let folded = line.slice(0, start) + words[0]!;
  let column = folded.length;
  for (const word of words.slice(1)) {
    const breaks = column > BEST_WIDTH && word !== '';
    folded += breaks ? `\n${inner}${word}` : ` ${word}`;
    column = breaks ? inner.length + word.length : column + 1 + word.length;
  }
  return folded;
}
