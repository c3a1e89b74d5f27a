import { compilePattern } from '../../../../../engine/machinery/text/regex.js';
import { MongoFailure } from '../failure.js';
import {
  compareValues,
  fieldOf,
  isDocument,
  isEqual,
  numberOf,
  tagOf,
  typeOf,
  type Document,
  type Value,
} from './value.js';

const MAX_DEPTH = 50;
const FIELD_HINT = "If you have a field name that starts with a '$' symbol, consider using $getField or $setField.";

/** All values at a dotted path, as a query sees them: those in arrays, and an array itself. */
export function valuesAt(value: Value | undefined, path: readonly string[], depth = 0): Value[] {
  if (value === undefined || depth > MAX_DEPTH) return [];
  const [name, ...rest] = path;
  if (name === undefined) return Array.isArray(value) ? [value, ...value] : [value];
  if (Array.isArray(value)) {
    const at = /^\d{1,6}$/.test(name) ? valuesAt(value[Number(name)], rest, depth + 1) : [];
    return [...at, ...value.filter(isDocument).flatMap((inner) => valuesAt(inner, path, depth + 1))];
  }
  return isDocument(value) ? valuesAt(fieldOf(value, name), rest, depth + 1) : [];
}

/** Whether a document fits a filter. Throws MongoFailure for an operator that is not known. */
export function matches(document: Document, filter: Document): boolean {
  return Object.entries(filter).every(([key, wanted]) => {
    if (!key.startsWith('$')) return fits(valuesAt(document, key.split('.')), wanted);
    if (key === '$comment') return true;
    if (key === '$and') return listOf(wanted, key).every((one) => matches(document, one));
    if (key === '$or') return listOf(wanted, key).some((one) => matches(document, one));
    if (key === '$nor') return !listOf(wanted, key).some((one) => matches(document, one));
    throw new MongoFailure(2, `unknown top level operator: ${key}. ${FIELD_HINT}`);
  });
}

function listOf(value: Value, name: string): Document[] {
  if (!Array.isArray(value)) throw new MongoFailure(2, `${name} must be an array`);
  if (value.length === 0) throw new MongoFailure(2, '$and/$or/$nor must be a nonempty array');
  if (!value.every(isDocument)) throw new MongoFailure(2, '$or/$and/$nor entries need to be full objects');
  return value;
}

const isOperators = (value: Value): value is Document =>
  isDocument(value) && Object.keys(value).some((key) => key.startsWith('$'));

function fits(values: readonly Value[], wanted: Value): boolean {
  if (!isOperators(wanted)) return isAny(values, wanted);
  const options = String(fieldOf(wanted, '$options') ?? '');
  return Object.entries(wanted).every(
    ([name, operand]) => name === '$options' || apply(values, name, operand, options),
  );
}

/** Equality as a filter has it: null is also what is not there, an expression is what it matches. */
function isAny(values: readonly Value[], wanted: Value): boolean {
  if (wanted === null && values.length === 0) return true;
  if (tagOf(wanted) === '$regularExpression') {
    const { pattern = '', options = '' } = (wanted as Document)['$regularExpression'] as Document;
    return isMatch(values, String(pattern), String(options));
  }
  return values.some((value) => isEqual(value, wanted));
}

function isMatch(values: readonly Value[], pattern: string, options: string): boolean {
  const compiled = compilePattern(options === '' ? pattern : `(?${options.replace(/[^ims]/g, '')})${pattern}`);
  if (compiled === undefined) throw new MongoFailure(51_091, 'Regular expression is invalid');
  return values.some((value) => typeof value === 'string' && compiled.test(value));
}

function apply(values: readonly Value[], name: string, operand: Value, options: string): boolean {
  const some = (holds: (difference: number) => boolean): boolean =>
    values.some((value) => isComparable(value, operand) && holds(compareValues(value, operand)));
  switch (name) {
    case '$eq':
      return isAny(values, operand);
    case '$ne':
      return !isAny(values, operand);
    case '$gt':
      return some((difference) => difference > 0);
    case '$gte':
      return some((difference) => difference >= 0);
    case '$lt':
      return some((difference) => difference < 0);
    case '$lte':
      return some((difference) => difference <= 0);
    case '$in':
      return arrayOf(operand, name).some((one) => isAny(values, one));
    case '$nin':
      return !arrayOf(operand, name).some((one) => isAny(values, one));
    case '$all':
      return arrayOf(operand, name).every((one) => isAny(values, one));
    case '$exists':
      return values.length > 0 === Boolean(operand);
    case '$not':
      return !fits(values, operand);
    case '$size':
      return values.some((value) => Array.isArray(value) && value.length === numberOf(operand));
    case '$type':
      return values.some((value) => [operand].flat().some((type) => isOfType(value, type)));
    case '$regex':
      return tagOf(operand) === '$regularExpression'
        ? isAny(values, operand)
        : isMatch(values, String(operand), options);
    case '$elemMatch':
      return values.some((value) => Array.isArray(value) && value.some((one) => isElement(one, operand as Document)));
    case '$mod': {
      const [divisor = 1, rest = 0] = arrayOf(operand, name).map((one) => numberOf(one) ?? 0);
      return values.some((value) => numberOf(value) !== undefined && Math.trunc(numberOf(value)!) % divisor === rest);
    }
    default:
      throw new MongoFailure(2, `unknown operator: ${name}`);
  }
}

const isElement = (value: Value, filter: Document): boolean =>
  isOperators(filter) && !Object.keys(filter).some((key) => ['$and', '$or', '$nor'].includes(key))
    ? fits([value], filter)
    : isDocument(value) && matches(value, filter);

/** Ranges are of one type. */
const isComparable = (a: Value, b: Value): boolean =>
  (numberOf(a) !== undefined && numberOf(b) !== undefined) || typeOf(a) === typeOf(b);

const isOfType = (value: Value, type: Value): boolean =>
  type === typeOf(value) || (type === 'number' && numberOf(value) !== undefined);

function arrayOf(value: Value, name: string): Value[] {
  if (!Array.isArray(value)) throw new MongoFailure(2, `${name} needs an array`);
  return value;
}

/** Puts documents into the order of `{ field: 1, other: -1 }`. */
export function sortBy(documents: readonly Document[], order: Document): Document[] {
  const keys = Object.entries(order).map(([path, way]) => [path.split('.'), numberOf(way) ?? 1] as const);
  const keyOf = (document: Document, path: readonly string[], way: number): Value => {
    const values = valuesAt(document, path).sort((a, b) => compareValues(a, b) * way);
    return values[0] ?? null;
  };
  return [...documents].sort((a, b) => {
    for (const [path, way] of keys) {
      const difference = compareValues(keyOf(a, path, way), keyOf(b, path, way)) * way;
      if (difference !== 0) return difference;
    }
    return 0;
  });
}
