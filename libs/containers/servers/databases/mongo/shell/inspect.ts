import { tagOf, type Document, type Value } from '../data/value.js';

/** Values as mongosh prints them: Node.js' util.inspect, which breaks lines when they become long. */
const BREAK_LENGTH = 80;
const COMPACT = 3;
const MAX_DEPTH = 6;
const MAX_ITEMS = 100;

/** What the shell prints of a result: texts stand as they are. */
export const printValue = (value: Value | undefined): string =>
  typeof value === 'string' ? value : inspect(value ?? null);

export const inspect = (value: Value): string => format(value, 0, 0).text;

/** `inner`: how many levels are below. */
function format(value: Value, indent: number, depth: number): { text: string; inner: number } {
  if (typeof value === 'string') return { text: quote(value), inner: 0 };
  if (typeof value !== 'object' || value === null) return { text: String(value), inner: 0 };
  const tag = tagOf(value);
  if (tag !== undefined) return { text: formatTagged(tag, value as Document), inner: 0 };
  const isList = Array.isArray(value);
  if (depth > MAX_DEPTH) return { text: isList ? '[Array]' : '[Object]', inner: 0 };
  let inner = 0;
  const items = (isList ? value.slice(0, MAX_ITEMS) : Object.entries(value)).map((item) => {
    const [key, one] = isList ? ['', item as Value] : (item as [string, Value]);
    const made = format(one, indent + 2, depth + 1);
    inner = Math.max(inner, made.inner + (typeof one === 'object' && one !== null && tagOf(one) === undefined ? 1 : 0));
    return isList ? made.text : `${formatKey(key)}: ${made.text}`;
  });
  if (isList && value.length > MAX_ITEMS) items.push(`... ${value.length - MAX_ITEMS} more items`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return { text: `${open}${close}`, inner };
  const start = items.length + indent + open.length + 10;
  const length = items.reduce((sum, item) => sum + item.length, items.length + start);
  const joined = items.join(', ');
  if (inner < COMPACT && length <= BREAK_LENGTH && !joined.includes('\n'))
    return { text: `${open} ${joined} ${close}`, inner };
  const space = `\n${' '.repeat(indent)}`;
  return { text: `${open}${space}  ${items.join(`,${space}  `)}${space}${close}`, inner };
}

function formatTagged(tag: string, value: Document): string {
  const inner = value[tag]!;
  switch (tag) {
    case '$oid':
      return `ObjectId('${String(inner)}')`;
    case '$date':
      return `ISODate('${new Date(Number(inner)).toISOString()}')`;
    case '$numberLong':
      return `Long('${String(inner)}')`;
    case '$timestamp':
      return `Timestamp(${String(inner)})`;
    case '$regularExpression': {
      const { pattern = '', options = '' } = inner as Document;
      return `/${String(pattern)}/${String(options)}`;
    }
    case '$binary':
      return `Binary.createFromBase64('')`;
    default:
      return tag === '$minKey' ? 'MinKey()' : tag === '$maxKey' ? 'MaxKey()' : 'Decimal128(...)';
  }
}

const formatKey = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key));

function quote(text: string): string {
  const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes('`') ? '`' : "'";
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r');
  return `${mark}${mark === "'" ? escaped.replaceAll("'", "\\'") : escaped}${mark}`;
}

/** `40.00 KiB`, as `show dbs` has it. */
export function formatSize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let [size, unit] = [bytes, 0];
  while (size >= 1_024 && unit < units.length - 1) [size, unit] = [size / 1_024, unit + 1];
  return `${size.toFixed(2)} ${units[unit]}`;
}
