import { quoteName, quoteText, type Token } from '../../sql/tokens.js';
import { Words } from '../../sql/words.js';
import { unsupported } from '../failure.js';

const SIGNS: Readonly<Record<string, string>> = { '&&': 'AND', '||': 'OR', '<=>': 'IS', '!': 'NOT', ':=': '=' };
const CALLS: Readonly<Record<string, string>> = {
  ...{ current_timestamp: 'now()', localtime: 'now()', localtimestamp: 'now()', current_date: 'curdate()' },
  ...{ current_user: 'user()', utc_timestamp: 'now()' },
};
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
const RESERVED = ['index', 'transaction', 'indexed', 'glob', 'match', 'abort', 'temp'];

/** Tokens in SQLite's words. `database`: names that begin with it lose it. */
export function rewrite(tokens: readonly Token[], database: string): string {
  const words = new Words(tokens, (word) => word);
  const pieces: string[] = [];
  const inner = (part: readonly Token[]): string => rewrite(part, database);
  while (!words.isAtEnd) {
    const token = words.next!;
    const after = words.tokens[words.at + 1];
    const previous = words.tokens[words.at - 1]?.key;
    words.at++;
    if (token.type === 'text') pieces.push(quoteText(token.text));
    else if (token.type === 'bytes') pieces.push(`x'${token.text}'`);
    else if (token.type === 'number') pieces.push(token.text);
    else if (token.type === 'sign') pieces.push(SIGNS[token.key] ?? token.text);
    else if (after?.key === '.' && token.text === database && words.tokens[words.at + 1] !== undefined) words.at++;
    else if (token.type === 'name') pieces.push(quoteName(token.text));
    else if (token.key.startsWith('@@')) {
      let name = token.key.slice(2);
      if (words.take('.')) name = words.name().toLowerCase();
      pieces.push(`tt_variable(${quoteText(name)})`);
    } else if (token.key.startsWith('@')) throw unsupported('user variables');
    else if (Object.hasOwn(CALLS, token.key) && previous !== '.') {
      if (words.sees('(')) words.group();
      pieces.push(CALLS[token.key]!);
    } else if (token.key === 'interval' && after?.key !== '(') pieces.push(readInterval(words, inner));
    else if ((token.key === 'cast' || token.key === 'convert') && after?.key === '(')
      pieces.push(readCast(words.group(), inner));
    else if (token.key === 'group_concat' && after?.key === '(') pieces.push(readGroupConcat(words.group(), inner));
    else if (token.key === 'count' && after?.key === '(') pieces.push(`count(${inner(words.group())})`);
    else if (token.key === 'extract' && after?.key === '(') {
      const group = words.group();
      pieces.push(`tt_part(${quoteText(group[0]?.key ?? '')}, ${inner(group.slice(2))})`);
    } else if (token.key === 'values' && after?.key === '(' && pieces.some((piece) => piece === 'DO UPDATE SET'))
      pieces.push(`excluded.${quoteName(words.group()[0]?.text ?? '')}`);
    else if (token.key === 'on' && words.take('duplicate', 'key', 'update')) pieces.push('ON CONFLICT DO UPDATE SET');
    else if (token.key === 'from' && words.take('dual')) continue;
    else if (token.key === 'for' && words.sees('update')) words.rest();
    else if (token.key === 'lock' && words.sees('in')) words.rest();
    else if (token.key === 'collate') words.name();
    else if (token.key === 'binary' || (token.key.startsWith('_utf8') && after?.type === 'text')) continue;
    else if (token.key === 'rlike') pieces.push('REGEXP');
    else if (token.key === 'div') pieces.push('/');
    else if (token.key === 'mod' && after?.key !== '(') pieces.push('%');
    else if (token.key === 'ignore' && previous === 'insert') pieces.push('OR IGNORE');
    else if (RESERVED.includes(token.key)) pieces.push(quoteName(token.text));
    else pieces.push(token.text);
    if (pieces.at(-1) === 'ON CONFLICT DO UPDATE SET') pieces.splice(-1, 1, 'ON CONFLICT', 'DO UPDATE SET');
  }
  return pieces.join(' ');
}

/** `INTERVAL 1 DAY` as a text that dates can be added to. */
function readInterval(words: Words, inner: (part: readonly Token[]) => string): string {
  const amount = words.until(UNITS);
  const unit = words.takeAny(UNITS) ?? words.fail();
  return `tt_interval(${inner(amount)}, ${quoteText(unit)})`;
}

function readCast(group: readonly Token[], inner: (part: readonly Token[]) => string): string {
  const at = group.findLastIndex(({ key }) => key === 'as' || key === ',' || key === 'using');
  const type = group[at + 1]?.key ?? '';
  const target = ['signed', 'unsigned', 'int', 'integer'].includes(type)
    ? 'INTEGER'
    : ['decimal', 'double', 'float'].includes(type)
      ? 'REAL'
      : 'TEXT';
  return `CAST(${inner(group.slice(0, at))} AS ${target})`;
}

function readGroupConcat(group: readonly Token[], inner: (part: readonly Token[]) => string): string {
  const at = group.findIndex(({ key }) => key === 'separator');
  const order = group.findIndex(({ key }) => key === 'order');
  const to = order >= 0 ? order : at >= 0 ? at : group.length;
  const sorted = order >= 0 ? ` ${inner(group.slice(order, at >= 0 ? at : undefined))}` : '';
  const separator = at >= 0 ? quoteText(group[at + 1]?.text ?? ',') : "','";
  const isDistinct = group[0]?.key === 'distinct';
  return isDistinct
    ? `group_concat(${inner(group.slice(0, to))})`
    : `group_concat(${inner(group.slice(0, to))}, ${separator}${sorted})`;
}
