/** Static types of expressions. */
export type Type =
  | {
      readonly kind:
        | 'any'
        | 'bool'
        | 'bytes'
        | 'double'
        | 'duration'
        | 'int'
        | 'null'
        | 'string'
        | 'timestamp'
        | 'type'
        | 'uint';
    }
  | { readonly kind: 'list'; readonly of: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly of: Type }
  | { readonly kind: 'optional'; readonly of: Type }
  | { readonly kind: 'param'; readonly name: string }
  | { readonly kind: 'opaque'; readonly name: string }
  | ObjectType;

/** An object of a schema: fields by the name that expressions use, with the property's real name. */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  readonly fields: ReadonlyMap<string, { readonly type: Type; readonly property: string }>;
}

const SIMPLE = [
  'any',
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'null',
  'string',
  'timestamp',
  'type',
  'uint',
] as const;
const simple = Object.fromEntries(SIMPLE.map((kind) => [kind, { kind }])) as unknown as Record<
  (typeof SIMPLE)[number],
  Type
>;
export const {
  any: ANY,
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  duration: DURATION,
  int: INT,
  null: NULL,
  string: STRING,
  timestamp: TIMESTAMP,
  type: TYPE,
  uint: UINT,
} = simple;
export const listOf = (of: Type): Type => ({ kind: 'list', of });
export const mapOf = (key: Type, of: Type): Type => ({ kind: 'map', key, of });
export const optionalOf = (of: Type): Type => ({ kind: 'optional', of });

/** As cel-go prints it: 'list(string)', 'map(string, int)', 'dyn'. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case 'any':
      return 'dyn';
    case 'list':
      return `list(${typeText(type.of)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.of)})`;
    case 'optional':
      return `optional_type(${typeText(type.of)})`;
    case 'param':
      return 'dyn';
    case 'opaque':
    case 'object':
      return type.name;
    default:
      return type.kind;
  }
}

/**
 * Reads 'int', 'list<A>', 'map<string, A>', 'optional<A>', 'dyn', 'kubernetes.URL'; a capital letter alone is a
 * parameter.
 */
export function parseType(text: string): Type {
  const generic = /^(\w+)<(.*)>$/.exec(text);
  if (generic) {
    const inner = generic[2]!;
    if (generic[1] === 'map') {
      const comma = inner.indexOf(',');
      return mapOf(parseType(inner.slice(0, comma).trim()), parseType(inner.slice(comma + 1).trim()));
    }
    return generic[1] === 'list' ? listOf(parseType(inner)) : optionalOf(parseType(inner));
  }
  if (text === 'dyn') return ANY;
  if (/^[A-Z]$/.test(text)) return { kind: 'param', name: text };
  return (simple as Record<string, Type>)[text] ?? { kind: 'opaque', name: text };
}

const NULLABLE: ReadonlySet<string> = new Set(['any', 'null', 'object', 'opaque', 'timestamp', 'duration', 'optional']);
const isNullable = (type: Type): boolean => NULLABLE.has(type.kind);

export type Bindings = Map<string, Type>;

/** Does a value of the type fit a parameter? Binds the parameter's type variables. */
export function fits(wanted: Type, given: Type, bound: Bindings): boolean {
  if (wanted.kind === 'param') {
    const before = bound.get(wanted.name);
    if (!before || before.kind === 'any' || (before.kind === 'null' && isNullable(given))) {
      bound.set(wanted.name, given);
      return true;
    }
    if (before.kind === 'null' || given.kind === 'null') return isNullable(before) && isNullable(given);
    return given.kind === 'any' || fits(before, given, bound) || fits(given, before, bound);
  }
  if (wanted.kind === 'any' || given.kind === 'any') return true;
  if (given.kind === 'null') return isNullable(wanted);
  if (wanted.kind === 'list') return given.kind === 'list' && fits(wanted.of, given.of, bound);
  if (wanted.kind === 'optional') return given.kind === 'optional' && fits(wanted.of, given.of, bound);
  if (wanted.kind === 'map')
    return given.kind === 'map' && fits(wanted.key, given.key, bound) && fits(wanted.of, given.of, bound);
  if (wanted.kind === 'object' || wanted.kind === 'opaque')
    return given.kind === wanted.kind && (given as { name: string }).name === wanted.name;
  return wanted.kind === given.kind;
}

/** The type with its variables replaced by what they are bound to. */
export function resolve(type: Type, bound: Bindings): Type {
  switch (type.kind) {
    case 'param':
      return bound.get(type.name) ?? ANY;
    case 'list':
      return listOf(resolve(type.of, bound));
    case 'optional':
      return optionalOf(resolve(type.of, bound));
    case 'map':
      return mapOf(resolve(type.key, bound), resolve(type.of, bound));
    default:
      return type;
  }
}

/** The type of a list's items or of a conditional: one type, or any when one of them is not known. */
export function join(a: Type, b: Type): Type | undefined {
  if (a.kind === 'any' || b.kind === 'any') return ANY;
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (fits(a, b, new Map())) return a;
  return fits(b, a, new Map()) ? b : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  __underscores__: '__',
  __dot__: '.',
  __dash__: '-',
  __slash__: '/',
};
/** Words of other languages, which no identifier may be. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);
/** What a property's name may not be as it is. */
const ESCAPED_WORDS = new Set(['true', 'false', 'null', 'in', ...RESERVED_WORDS]);

/** A property's name as an identifier. Models apiserver/pkg/cel/escaping.go Escape. Undefined when it cannot be one. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_.\-/][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  if (ESCAPED_WORDS.has(name)) return `__${name}__`;
  return name.replace(/__|\.|-|\//g, (c) => Object.entries(ESCAPES).find(([, raw]) => raw === c)![0]);
}

export function unescapeName(name: string): string {
  const reserved = /^__(\w+)__$/.exec(name);
  if (reserved && ESCAPED_WORDS.has(reserved[1]!)) return reserved[1]!;
  return name.replace(/__(?:underscores|dot|dash|slash)__/g, (escaped) => ESCAPES[escaped]!);
}

/** Types that expressions may name as values: `type(x) == int`. */
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
  'optional_type',
  'net.IP',
  'net.CIDR',
]);
