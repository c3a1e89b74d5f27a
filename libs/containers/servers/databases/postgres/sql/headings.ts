import type { Token } from '../../sql/tokens.js';
import { Words } from '../../sql/words.js';
import { fold, splitList, topLevel } from './rewrite.js';
import { readType } from './types.js';

/** An item of a list of results. */
export interface Item {
  readonly tokens: readonly Token[];
  /** Its heading; undefined: SQLite's own is right (a column, or all). */
  readonly heading: string | undefined;
  /** Its type, as far as its form tells. */
  readonly type: string | undefined;
  /** Its type is that of this part. */
  readonly like: readonly Token[] | undefined;
  readonly call: string | undefined;
}

const CALLS: Readonly<Record<string, string>> = {
  ...{
    count: 'int8',
    version: 'text',
    current_database: 'name',
    current_schema: 'name',
    length: 'int4',
    now: 'timestamptz',
  },
  ...{ clock_timestamp: 'timestamptz', pg_is_in_recovery: 'bool', pg_backend_pid: 'int4', pg_size_pretty: 'text' },
  ...{ pg_database_size: 'int8', gen_random_uuid: 'uuid', uuid_generate_v4: 'uuid', random: 'float8', nextval: 'int8' },
  ...{
    currval: 'int8',
    setval: 'int8',
    upper: 'text',
    lower: 'text',
    concat: 'text',
    concat_ws: 'text',
    to_char: 'text',
  },
  ...{
    string_agg: 'text',
    md5: 'text',
    date_trunc: 'timestamptz',
    extract: 'numeric',
    date_part: 'float8',
    substr: 'text',
  },
  ...{
    substring: 'text',
    replace: 'text',
    trim: 'text',
    left: 'text',
    right: 'text',
    position: 'int4',
    row_number: 'int8',
  },
  ...{
    rank: 'int8',
    dense_rank: 'int8',
    to_timestamp: 'timestamptz',
    inet_server_addr: 'inet',
    inet_server_port: 'int4',
  },
  ...{
    set_config: 'text',
    current_setting: 'text',
    split_part: 'text',
    lpad: 'text',
    rpad: 'text',
    char_length: 'int4',
    repeat: 'text',
  },
  ...{ reverse: 'text', initcap: 'text', strpos: 'int4', starts_with: 'bool', pg_sleep: 'void', format_type: 'text' },
  ...{ pg_postmaster_start_time: 'timestamptz', pg_encoding_to_char: 'name', pg_get_userbyid: 'name', exists: 'bool' },
};
/** Calls that give what their first argument is. */
const LIKE_FIRST = [
  'min',
  'max',
  'sum',
  'avg',
  'coalesce',
  'nullif',
  'greatest',
  'least',
  'abs',
  'round',
  'lag',
  'lead',
];
const KEYWORDS: Readonly<Record<string, readonly [heading: string, type: string]>> = {
  current_timestamp: ['current_timestamp', 'timestamptz'],
  localtimestamp: ['localtimestamp', 'timestamp'],
  current_date: ['current_date', 'date'],
  current_user: ['current_user', 'name'],
  session_user: ['session_user', 'name'],
  user: ['user', 'name'],
  true: ['bool', 'bool'],
  false: ['bool', 'bool'],
};
const COMPARES = [
  '=',
  '<',
  '>',
  '<=',
  '>=',
  '<>',
  '!=',
  'and',
  'or',
  'not',
  'is',
  'like',
  'ilike',
  'in',
  'between',
  '~',
  '!~',
];

/** The results that a statement lists after SELECT or RETURNING: what stands before, the items and what follows. */
export function readItems(
  tokens: readonly Token[],
  word: 'select' | 'returning',
):
  | { readonly before: readonly Token[]; readonly items: readonly Item[]; readonly after: readonly Token[] }
  | undefined {
  let from = topLevel(tokens, word);
  if (from < 0) return undefined;
  from++;
  if (tokens[from]?.key === 'distinct' || tokens[from]?.key === 'all') from++;
  const ends = [
    'from',
    'where',
    'group',
    'having',
    'order',
    'limit',
    'offset',
    'union',
    'intersect',
    'except',
    'window',
  ];
  const cuts = ends.map((end) => topLevel(tokens, end, from)).filter((at) => at >= 0);
  const to = Math.min(tokens.length, ...cuts);
  if (to === from) return undefined;
  const items = splitList(tokens.slice(from, to)).map((item) => readItem(item));
  return { before: tokens.slice(0, from), items, after: tokens.slice(to) };
}

function readItem(tokens: readonly Token[]): Item {
  const last = tokens.at(-1);
  const before = tokens.at(-2);
  const nothing = { type: undefined, like: undefined, call: undefined };
  if (last?.key === '*' && (tokens.length === 1 || before?.key === '.'))
    return { tokens, heading: undefined, ...nothing };
  if (before?.key === 'as' && last !== undefined) {
    const own = tokens.slice(0, -2);
    return { ...readItem(own), tokens: own, heading: last.type === 'word' ? last.key : last.text };
  }
  const isNamed = (last?.type === 'word' || last?.type === 'name') && tokens.length > 1 && endsOperand(before);
  if (isNamed && last.key !== 'end') {
    const own = tokens.slice(0, -1);
    return { ...readItem(own), tokens: own, heading: last.type === 'word' ? last.key : last.text };
  }
  return { tokens, ...readForm(tokens) };
}

const endsOperand = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.key === ')' ||
    token.key === 'end' ||
    ['number', 'text', 'name'].includes(token.type) ||
    (token.type === 'word' && !COMPARES.includes(token.key) && token.key !== 'distinct'));

type Form = Pick<Item, 'heading' | 'type' | 'like' | 'call'>;

export function readForm(tokens: readonly Token[]): Form {
  const [first] = tokens;
  const unnamed = '?column?';
  const make = (heading: string | undefined, type?: string, like?: readonly Token[], call?: string): Form => ({
    ...{ heading, type, like, call },
  });
  if (first === undefined) return make(unnamed);
  const cast = tokens.findLastIndex((token, i) => token.key === '::' && depthAt(tokens, i) === 0);
  if (cast > 0 && isType(tokens.slice(cast + 1))) {
    const type = readType(new Words(tokens.slice(cast + 1), fold)).type;
    const inner = readForm(tokens.slice(0, cast));
    const plain = type.split(/[([]/, 1)[0]!;
    return make(inner.heading === unnamed ? plain : (inner.heading ?? lastName(tokens.slice(0, cast))), type);
  }
  if (tokens.some((token, i) => COMPARES.includes(token.key) && depthAt(tokens, i) === 0) && first.key !== 'case')
    return make(unnamed, 'bool');
  if (tokens.length === 1) {
    const known = first.type === 'word' ? KEYWORDS[first.key] : undefined;
    if (known) return make(...known);
    if (first.type === 'number') return make(unnamed, /^\d+$/.test(first.text) ? 'int4' : 'numeric');
    if (first.type === 'text') return make(unnamed, 'text');
    if (first.key === 'null') return make(unnamed, 'text');
    return first.type === 'word' || first.type === 'name' ? make(undefined) : make(unnamed);
  }
  const added = tokens.findIndex((token, i) => token.key === 'interval' && tokens[i + 1]?.type === 'text');
  if (added > 1) return make(unnamed, undefined, tokens.slice(0, added - 1), 'interval');
  if (first.key === 'case') return make('case');
  if (tokens.some((token, i) => (token.key === '||' || token.key === '->>') && depthAt(tokens, i) === 0))
    return make(unnamed, 'text');
  const at = callAt(tokens);
  if (at >= 0) return readCallForm(tokens, at);
  const isColumn = tokens.every((token, i) =>
    i % 2 === 0 ? token.type === 'word' || token.type === 'name' : token.key === '.',
  );
  return isColumn ? make(undefined) : make(unnamed);
}

const isType = (tokens: readonly Token[]): boolean =>
  tokens.every(({ type, key }) => type === 'word' || type === 'number' || ['(', ')', ',', '[', ']', '.'].includes(key));

const lastName = (tokens: readonly Token[]): string => {
  const last = tokens.at(-1);
  return last?.type === 'name' ? last.text : (last?.key ?? '');
};

function depthAt(tokens: readonly Token[], index: number): number {
  let depth = 0;
  for (let i = 0; i < index; i++) {
    if (tokens[i]!.key === '(' || tokens[i]!.key === 'case') depth++;
    if (tokens[i]!.key === ')' || tokens[i]!.key === 'end') depth--;
  }
  return depth;
}

/** The whole is one call, `f(…)` or `s.f(…)`, with what OVER or FILTER adds: the index of its name. */
function callAt(tokens: readonly Token[]): number {
  const at = tokens[1]?.key === '.' ? 2 : 0;
  if (tokens[at]?.type !== 'word' || tokens[at + 1]?.key !== '(') return -1;
  let depth = 0;
  for (let i = at + 1; i < tokens.length; i++) {
    if (tokens[i]!.key === '(') depth++;
    if (tokens[i]!.key === ')' && --depth === 0) {
      const next = tokens[i + 1]?.key;
      return next === undefined || next === 'over' || next === 'filter' ? at : -1;
    }
  }
  return -1;
}

function readCallForm(tokens: readonly Token[], at: number): Form {
  const { key } = tokens[at]!;
  if (key === 'cast') {
    const cut = tokens.findLastIndex((token) => token.key === 'as');
    const type = cut < 0 ? undefined : readType(new Words(tokens.slice(cut + 1), fold)).type;
    const inner = readForm(tokens.slice(2, cut));
    const own =
      inner.heading === '?column?' ? type?.split('(', 1)[0] : (inner.heading ?? lastName(tokens.slice(2, cut)));
    return { heading: own, type, like: undefined, call: undefined };
  }
  const [first] = splitList(
    tokens.slice(
      at + 2,
      tokens.findLastIndex((token) => token.key === ')'),
    ),
  );
  const like = LIKE_FIRST.includes(key) && first !== undefined && first.length > 0 ? first : undefined;
  const argument = like?.[0]?.key === 'distinct' ? like.slice(1) : like;
  return { heading: key, type: CALLS[key], like: argument, call: key };
}

/** What a call makes of its argument's type. */
export function typeOfCall(call: string | undefined, type: string): string {
  const base = type.split('(', 1)[0]!;
  if (call === 'sum') return base === 'int4' || base === 'int2' ? 'int8' : base === 'int8' ? 'numeric' : type;
  if (call === 'interval') return base === 'date' ? 'timestamp' : type;
  if (call === 'avg') return base.startsWith('float') ? 'float8' : 'numeric(0,-1)';
  if (call === 'round') return base.startsWith('int') ? 'numeric' : base.startsWith('float') ? 'float8' : 'numeric';
  return type;
}
