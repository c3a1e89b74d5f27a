import { isObject } from '../../machinery/meta/object.js';
import { LRUCache } from 'lru-cache';
import { canonicalBase64, findIllegalByte } from '../../machinery/text/base64.js';
import { canonicalQuantity, quantityFault } from '../../machinery/quantity/quantity.js';
import { ApiError, badRequest } from '../../machinery/meta/status.js';
import { parseMicroTime, parseTime } from './go-time.js';
import { goTypeOf, type GoList, type GoMap, type GoScalar, type GoType, type GoStruct } from './go-type.js';
import { isAbsent, zeroValue } from './zero-value.js';

type Fields = Record<string, unknown>;

/** Levels of nesting beyond which a value is refused (400). */
export const MAX_DEPTH = 500;
/** As many strict errors as sigs.k8s.io/json saves. */
const MAX_STRICT_ERRORS = 100;
const MAX_CACHED_QUANTITIES = 10_000;
const JSON_SCHEMA = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
const INT32 = 2 ** 31;
const INT64 = 2 ** 63;

/** Go's words for nesting beyond its limit. */
export class MaxDepthError extends ApiError {
  constructor() {
    super(400, 'BadRequest', "invalid character '{' exceeded max depth");
  }
}

/** A value that Go could not unmarshal; the message is Go's. */
export class UnmarshalError extends Error {}

/** Marks a map's key on the path: Go's field paths leave it out, strict errors show it. */
const KEY = '\0';
/** Marks the name of an embedded struct: strict errors leave it out, Go's field paths show it. */
const EMBEDDED = '\x01';

/**
 * Makes of a parsed JSON value what Go's structs would print again: checks types, drops unknown fields and nulls, and
 * puts quantities, times and bytes in canonical form. Copies only what changes; the input is not touched. One value
 * each. Models sigs.k8s.io/json's Unmarshal.
 */
export class Unmarshaler {
  /** Paths of unknown fields in document order: 'spec.containers[0].requests'. */
  readonly unknown: string[] = [];
  private readonly path: (string | number)[] = [];
  private owner = '';
  private depth = 0;
  /** The metadata of a custom resource is decoded by itself. */
  private open = false;

  /** Throws UnmarshalError where types do not match, and 400 beyond MAX_DEPTH. */
  unmarshal(shape: GoType, value: unknown): unknown {
    this.open = shape.kind === 'struct' && shape.open;
    return this.value(shape, value);
  }

  private value(shape: GoType, value: unknown): unknown {
    switch (shape.kind) {
      case 'struct':
        return this.struct(shape, value);
      case 'list':
        return this.list(shape, value);
      case 'map':
        return this.map(shape, value);
      default:
        return this.scalar(shape, value);
    }
  }

  private struct(shape: GoStruct, value: unknown): unknown {
    if (!isObject(value)) throw this.mismatch(value, shape);
    const outer = this.owner;
    this.owner = shape.name;
    this.enter();
    let changed: Fields | undefined;
    let dropped: Set<string> | undefined;
    for (const key in value) {
      const field = shape.fields.get(key);
      const old = value[key];
      if (field === undefined) {
        if (shape.open && key !== '__proto__') this.raw(old);
        else {
          this.addUnknown(key);
          (dropped ??= new Set()).add(key);
        }
      } else if (old === null || old === undefined) (dropped ??= new Set()).add(key);
      else if (field.kind !== 'string' || typeof old !== 'string') {
        const now = this.field(shape, key, field, old);
        if (now === undefined || isAbsent(shape, key, field, now)) (dropped ??= new Set()).add(key);
        else if (now !== old) (changed ??= { ...value })[key] = now;
      } else if (old === '' && shape.omitted.has(key)) (dropped ??= new Set()).add(key);
    }
    for (const [key, of] of shape.shown) {
      if (value[key] !== undefined && value[key] !== null) continue;
      (changed ??= { ...value })[key] = of && zeroValue(of);
      dropped?.delete(key);
    }
    this.depth--;
    this.owner = outer;
    return dropped ? dropFields(changed ?? value, dropped) : (changed ?? value);
  }

  private field(shape: GoStruct, key: string, field: GoType, value: unknown): unknown {
    const within = shape.within.get(key);
    if (within) this.path.push(EMBEDDED + within);
    this.path.push(key);
    const now = this.value(field, value);
    this.path.pop();
    if (within) this.path.pop();
    return now;
  }

  private list(shape: GoList, value: unknown): unknown {
    if (!Array.isArray(value)) throw this.mismatch(value, shape);
    this.enter();
    let changed: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const old: unknown = value[i];
      if (typeof old === 'string' && shape.item.kind === 'string') continue;
      this.path.push(i);
      const now = old === null ? zeroValue(shape.item) : this.value(shape.item, old);
      this.path.pop();
      if (now !== old) (changed ??= [...value])[i] = now;
    }
    this.depth--;
    return changed ?? value;
  }

  private map(shape: GoMap, value: unknown): unknown {
    if (!isObject(value)) throw this.mismatch(value, shape);
    this.enter();
    let changed: Fields | undefined;
    for (const key in value) {
      if (key === '__proto__') throw badRequest('invalid map key "__proto__"');
      const old = value[key];
      if (typeof old === 'string' && shape.value.kind === 'string') continue;
      this.path.push(KEY + key);
      const now = old === null ? zeroValue(shape.value) : this.value(shape.value, old);
      this.path.pop();
      if (now !== old) (changed ??= { ...value })[key] = now;
    }
    this.depth--;
    return changed ?? value;
  }

  private scalar(shape: GoScalar, value: unknown): unknown {
    switch (shape.kind) {
      case 'string':
      case 'boolean':
        if (typeof value !== shape.kind) throw this.mismatch(value, shape);
        return value;
      case 'int32':
        return this.integer(shape, value, INT32);
      case 'int64':
        return this.integer(shape, value, INT64);
      case 'double':
        if (typeof value !== 'number') throw this.mismatch(value, shape);
        return value;
      case 'intOrString':
        return typeof value === 'string' ? value : this.integer(shape, value, INT32);
      case 'quantity':
        return canonicalizeQuantity(value);
      case 'bytes':
        return this.bytes(shape, value);
      case 'time':
      case 'microTime':
        return this.time(shape, value);
      case 'rawObject':
        if (!isObject(value)) throw this.mismatch(value, shape);
        return this.raw(value);
      case 'any':
        return this.raw(value);
      default:
        return this.schemaUnion(shape, value);
    }
  }

  private integer(shape: GoScalar, value: unknown, limit: number): unknown {
    if (typeof value !== 'number') throw this.mismatch(value, shape);
    if (!Number.isInteger(value) || value >= limit || value < -limit)
      throw this.mismatch(value, shape, `number ${goNumber(value)}`);
    return Object.is(value, -0) ? 0 : value;
  }

  private bytes(shape: GoScalar, value: unknown): string {
    if (typeof value !== 'string') throw this.mismatch(value, shape);
    const at = findIllegalByte(value);
    if (at >= 0) throw new UnmarshalError(`illegal base64 data at input byte ${at}`);
    return canonicalBase64(value);
  }

  private time(shape: GoScalar, value: unknown): string {
    if (typeof value !== 'string') throw this.mismatch(value, shape);
    const parsed = shape.kind === 'time' ? parseTime(value) : parseMicroTime(value);
    if ('error' in parsed) throw new UnmarshalError(parsed.error);
    return parsed.value;
  }

  /** Inside a union upstream decodes without strictness, so that unknown fields go unreported. */
  private schemaUnion(shape: GoScalar, value: unknown): unknown {
    const schema = goTypeOf(JSON_SCHEMA);
    const reported = this.unknown.length;
    let result: unknown = value;
    if (isObject(value)) result = this.struct(schema as GoStruct, value);
    else if (Array.isArray(value) && shape.kind === 'schemaOrList')
      result = this.list({ kind: 'list', item: schema, goType: '[]v1.JSONSchemaProps' }, value);
    else if (Array.isArray(value) && shape.kind === 'schemaOrNames')
      result = this.list({ kind: 'list', item: STRING, goType: '[]string' }, value);
    else if (shape.kind !== 'schemaOrBool')
      throw new UnmarshalError(
        shape.kind === 'schemaOrList'
          ? 'json: schema or schema array expected'
          : 'json: schema or string array expected',
      );
    else if (typeof value !== 'boolean') throw new UnmarshalError('boolean or JSON schema expected');
    this.unknown.length = reported;
    return result;
  }

  /** Checks the depth and the keys of JSON that is kept as it is. */
  private raw(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    this.enter();
    if (Array.isArray(value)) for (const item of value) this.raw(item);
    else
      for (const key in value) {
        if (key === '__proto__') throw badRequest('invalid map key "__proto__"');
        this.raw((value as Fields)[key]);
      }
    this.depth--;
    return value;
  }

  private enter(): void {
    if (++this.depth > MAX_DEPTH) throw new MaxDepthError();
  }

  private addUnknown(key: string): void {
    if (this.unknown.length < MAX_STRICT_ERRORS) this.unknown.push(strictPath([...this.path, key]));
  }

  private mismatch(value: unknown, shape: GoType, what = goKind(value)): UnmarshalError {
    const fields = (this.open ? this.path.slice(1) : this.path)
      .filter((p) => typeof p === 'string' && !p.startsWith(KEY))
      .join('.')
      .replaceAll(EMBEDDED, '');
    const target = fields ? `struct field ${this.owner}.${fields}` : 'value';
    return new UnmarshalError(`json: cannot unmarshal ${what} into Go ${target} of type ${shape.goType}`);
  }
}

const STRING: GoScalar = { kind: 'string', goType: 'string' };

function dropFields(value: Fields, dropped: ReadonlySet<string>): Fields {
  const out: Fields = {};
  for (const key in value) if (key !== '__proto__' && !dropped.has(key)) out[key] = value[key];
  return out;
}

// oxlint-disable-next-line house/no-module-state -- texts of at most 64 characters
const quantities = new LRUCache<string, string>({ max: MAX_CACHED_QUANTITIES });

/** JSON strings and numbers are quantities; the canonical form is kept for the next time. */
function canonicalizeQuantity(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
  const known = quantities.get(text);
  if (known !== undefined) return known;
  const fault = quantityFault(text);
  if (fault !== undefined) throw new UnmarshalError(fault);
  const canonical = canonicalQuantity(text);
  quantities.set(text, canonical);
  return canonical;
}

const goKind = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

/** JavaScript writes '1e+21' where JSON most likely had the digits. */
const goNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) >= 1e21 ? BigInt(value).toString() : String(value);

/** ['spec', 'containers', 0, 'x'] -> 'spec.containers[0].x'. */
function strictPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (part.startsWith(EMBEDDED)) continue;
    else text += `${text ? '.' : ''}${part.startsWith(KEY) ? part.slice(1) : part}`;
  }
  return text;
}
