import { MongoFailure } from '../failure.js';
import { project } from './project.js';
import { matches, sortBy, valuesAt } from './query.js';
import { compareValues, isDocument, isEqual, numberOf, type Document, type Value } from './value.js';

const MAX_STAGES = 100;
const MAX_DOCUMENTS = 200_000;

/** Runs documents through a pipeline. Left out: expressions but for `$field`, and stages that join or write. */
export function aggregate(documents: readonly Document[], pipeline: readonly Value[]): Document[] {
  let current = [...documents];
  for (const stage of pipeline.slice(0, MAX_STAGES)) {
    const entries = isDocument(stage) ? Object.entries(stage) : [];
    if (entries.length !== 1)
      throw new MongoFailure(40_323, 'A pipeline stage specification object must contain exactly one field.');
    const [name, value] = entries[0]!;
    current = run(current, name, value);
    if (current.length > MAX_DOCUMENTS) throw new MongoFailure(292, `${name} exceeded memory limit`);
  }
  return current;
}

function run(documents: Document[], name: string, value: Value): Document[] {
  switch (name) {
    case '$match':
      return documents.filter((one) => matches(one, documentOf(value, name)));
    case '$sort':
      return sortBy(documents, documentOf(value, name));
    case '$limit':
      return documents.slice(0, numberOf(value) ?? 0);
    case '$skip':
      return documents.slice(numberOf(value) ?? 0);
    case '$project':
      return documents.map((one) => project(one, documentOf(value, name)));
    case '$count':
      return documents.length === 0 ? [] : [{ [String(value)]: documents.length }];
    case '$unwind':
      return documents.flatMap((one) => unwind(one, value));
    case '$group':
      return group(documents, documentOf(value, name));
    case '$sortByCount':
      return sortBy(group(documents, { _id: value, count: { $sum: 1 } }), { count: -1 });
    default:
      throw new MongoFailure(40_324, `Unrecognized pipeline stage name: '${name}'`);
  }
}

function documentOf(value: Value, name: string): Document {
  if (!isDocument(value)) throw new MongoFailure(15_959, `the ${name} stage specification must be an object`);
  return value;
}

function unwind(document: Document, value: Value): Document[] {
  const path = String(isDocument(value) ? value['path'] : value).replace(/^\$/, '');
  if (path.includes('.')) throw new MongoFailure(9, '$unwind of a dotted path is not simulated');
  const list = document[path];
  if (list === undefined || list === null) return [];
  return Array.isArray(list) ? list.map((one) => ({ ...document, [path]: one })) : [document];
}

/** `$path`, an object of such, or a plain value. */
function evaluate(document: Document, expression: Value): Value {
  if (typeof expression === 'string' && expression.startsWith('$'))
    return valuesAt(document, expression.slice(1).split('.'))[0] ?? null;
  if (!isDocument(expression)) return expression;
  const entries = Object.entries(expression);
  const operator = entries.find(([key]) => key.startsWith('$'));
  if (operator) throw new MongoFailure(168, `Expressions are not simulated: ${operator[0]}`);
  return Object.fromEntries(entries.map(([key, inner]) => [key, evaluate(document, inner)]));
}

function group(documents: readonly Document[], specification: Document): Document[] {
  const { _id: key = null, ...fields } = specification;
  const groups: { id: Value; members: Document[] }[] = [];
  const known = new Map<string, { id: Value; members: Document[] }>();
  for (const document of documents) {
    const id = evaluate(document, key);
    const text = JSON.stringify(id);
    const found = known.get(text) ?? { id, members: [] };
    if (!known.has(text)) groups.push(found);
    known.set(text, found);
    found.members.push(document);
  }
  return groups.map(({ id, members }) => ({
    _id: id,
    ...Object.fromEntries(Object.entries(fields).map(([name, how]) => [name, accumulate(members, name, how)])),
  }));
}

function accumulate(members: readonly Document[], name: string, how: Value): Value {
  const [operator, expression] = isDocument(how) ? (Object.entries(how)[0] ?? []) : [];
  if (operator === undefined || expression === undefined)
    throw new MongoFailure(40_234, `The field '${name}' must be an accumulator object`);
  const values = members.map((one) => evaluate(one, expression));
  const numbers = values.flatMap((value) => numberOf(value) ?? []);
  const sum = numbers.reduce((total, one) => total + one, 0);
  const there = values.filter((value) => value !== null).sort(compareValues);
  switch (operator) {
    case '$sum':
      return sum;
    case '$count':
      return members.length;
    case '$avg':
      return numbers.length === 0 ? null : sum / numbers.length;
    case '$min':
      return there[0] ?? null;
    case '$max':
      return there.at(-1) ?? null;
    case '$first':
      return values[0] ?? null;
    case '$last':
      return values.at(-1) ?? null;
    case '$push':
      return values;
    case '$addToSet':
      return values.filter((value, i) => values.findIndex((other) => isEqual(other, value)) === i);
    default:
      throw new MongoFailure(15_952, `unknown group operator '${operator}'`);
  }
}
