import { readSpan } from '../../../faults/index.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  tooMany,
  typeInvalid,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { parseTimestamp, SECOND } from '../../../machinery/time/time.js';
import { unknownFields } from '../unknown-fields.js';
import { checkExpression, type Expression } from './expression.js';
import { OWN_FIELDS, partName, partsOf, roundPoints, WORDS, wordOf } from './parts.js';
import type { Check, CheckPartSpec, CheckProbe, CheckSpec } from './spec.js';

const MAX_PARTS = 20;
const MAX_TEXT = 1_024;
const MAX_EXPRESSION = 4_096;
const MAX_POINTS = 10_000;
const MAX_TIMES = 1_000_000;
const MAX_URL = 2_048;
const LEAST_EVERY = SECOND;
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** A host, an address or, alone, a node port. */
const URL_TEXT = /^https?:\/\/[A-Za-z0-9.-]{0,253}(?::\d{1,5})?(?:\/[^\s#]*)?$/;
const METHODS = ['GET', 'HEAD'];

const PART_FIELDS = [
  ...['name', ...OWN_FIELDS, ...WORDS],
  ...['times', 'from', 'after', 'to', 'within', 'until', 'at', 'atRevision', 'every'],
];
const CHECK_FIELDS = [...OWN_FIELDS, 'messages', 'parts'];
const PROBE_FIELDS = ['url', 'method', 'status', 'body', 'failures'];
const MESSAGES = ['pending', 'passed', 'failed'];
const MOMENT = 'must be a duration such as "10m", or a time as RFC 3339';

export function validateCheck({ spec }: Check): FieldError[] {
  const path = Path.of('spec');
  const own = validateTexts(spec, path);
  if (spec.messages !== undefined) own.push(...validateMessages(spec.messages, path.child('messages')));
  if (spec.parts === undefined) {
    const fields = [...CHECK_FIELDS, ...PART_FIELDS].filter((field) => field !== 'name' && field !== 'parts');
    return [...own, ...unknownFields(spec, fields, path), ...validatePart(partsOf(spec)[0]!, path, new Set())];
  }
  own.push(...unknownFields(spec, CHECK_FIELDS, path));
  const at = path.child('parts');
  if (!Array.isArray(spec.parts)) return [...own, typeInvalid(at, spec.parts, 'must be a list of parts')];
  if (spec.parts.length === 0) return [...own, required(at, 'at least one part')];
  if (spec.parts.length > MAX_PARTS) return [...own, tooMany(at, spec.parts.length, MAX_PARTS)];
  const before = new Set<string>();
  for (const [i, part] of spec.parts.entries()) {
    if (typeof part !== 'object' || part === null) {
      own.push(typeInvalid(at.index(i), part, 'must be a part'));
      continue;
    }
    own.push(...validateNamed(part, i, at.index(i), before));
    before.add(partName(part, i));
  }
  return own.length > 0 ? own : validateShares(spec, spec.parts, path);
}

function validateNamed(part: CheckPartSpec, i: number, path: Path, before: ReadonlySet<string>): FieldError[] {
  const { name } = part;
  const errors = [...unknownFields(part, PART_FIELDS, path), ...validateTexts(part, path)];
  if (name !== undefined && (typeof name !== 'string' || !NAME.test(name)))
    errors.push(invalidValue(path.child('name'), name, 'must be a label of at most 63 characters'));
  else if (before.has(partName(part, i))) errors.push(duplicate(path.child('name'), partName(part, i)));
  return [...errors, ...validatePart(part, path, before)];
}

function validateTexts(of: CheckPartSpec, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['title', 'hint', 'message'] as const)
    if (of[field] !== undefined) errors.push(...textErrors(of[field], MAX_TEXT, path.child(field)));
  const { points } = of;
  if (points !== undefined && (typeof points !== 'number' || !(points >= 0 && points <= MAX_POINTS)))
    errors.push(invalidValue(path.child('points'), points, `must be a number from 0 to ${MAX_POINTS}`));
  return errors;
}

function validateMessages(messages: NonNullable<CheckSpec['messages']>, path: Path): FieldError[] {
  if (typeof messages !== 'object' || messages === null) return [typeInvalid(path, messages, 'must be a map')];
  const texts = Object.entries(messages).flatMap(([field, text]) => textErrors(text, MAX_TEXT, path.child(field)));
  return [...unknownFields(messages, MESSAGES, path), ...texts];
}

/** Either all parts have a share, or none; with points of the whole they add up to these. */
function validateShares({ points }: CheckSpec, parts: readonly CheckPartSpec[], path: Path): FieldError[] {
  const own = parts.flatMap((part) => part.points ?? []);
  if (own.length === 0) return [];
  const at = path.child('parts');
  if (own.length < parts.length) return [required(at, 'points of every part, or of none')];
  const sum = roundPoints(own.reduce((total, one) => total + one, 0));
  if (points === undefined || points === sum) return [];
  return [invalidValue(path.child('points'), points, `must be the points of the parts together: ${sum}`)];
}

function validatePart(part: CheckPartSpec, path: Path, before: ReadonlySet<string>): FieldError[] {
  const words = WORDS.filter((word) => part[word] !== undefined);
  if (words.length !== 1) return [required(path, `exactly one of ${WORDS.join(', ')}`)];
  const word = wordOf(part);
  const errors = [...validateTimes(part, path), ...validateWindow(part, path, before)];
  if (word === 'probe') return [...errors, ...validateProbe(part.probe!, path.child('probe'))];
  const found = expressionErrors(part[word], path.child(word), before);
  if (!('named' in found)) return [...errors, ...found];
  if (found.occurrence && (word === 'now' || part.at !== undefined || part.atRevision !== undefined))
    errors.push(
      forbiddenField(path.child(word), `${found.occurrence} may be asked for by eventually, always and never`),
    );
  if (part.times !== undefined && !found.occurrence)
    errors.push(forbiddenField(path.child('times'), 'may only be set where change or request is asked for'));
  return errors;
}

function expressionErrors(text: unknown, path: Path, before: ReadonlySet<string>): FieldError[] | Expression {
  const errors = textErrors(text, MAX_EXPRESSION, path);
  if (errors.length > 0) return errors;
  const compiled = checkExpression(text as string);
  if ('error' in compiled) return [invalidValue(path, text, compiled.error)];
  const { named } = compiled;
  const unknown = [...(named.entries.get('parts') ?? [])].filter((name) => !before.has(name));
  return unknown.length === 0
    ? compiled
    : [invalidValue(path, unknown[0], 'must be the name of a part that stands before this one')];
}

function validateTimes({ times, every, ...part }: CheckPartSpec, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (times !== undefined) {
    if (!Number.isSafeInteger(times) || times < 1 || times > MAX_TIMES)
      errors.push(invalidValue(path.child('times'), times, `must be a whole number from 1 to ${MAX_TIMES}`));
    if (part.eventually === undefined && part.never === undefined)
      errors.push(forbiddenField(path.child('times'), 'may only be set with eventually or never'));
  }
  if (every !== undefined && !(readSpan(every)! >= LEAST_EVERY))
    errors.push(invalidValue(path.child('every'), every, 'must be a duration of at least 1s'));
  return errors;
}

function validateWindow(part: CheckPartSpec, path: Path, before: ReadonlySet<string>): FieldError[] {
  const { within, at, atRevision } = part;
  const errors: FieldError[] = [];
  for (const field of ['from', 'to', 'at'] as const)
    if (part[field] !== undefined && !isMoment(part[field]))
      errors.push(invalidValue(path.child(field), part[field], MOMENT));
  if (within !== undefined && !(readSpan(within)! > 0))
    errors.push(invalidValue(path.child('within'), within, 'must be a duration greater than 0, such as "10m"'));
  for (const field of ['after', 'until'] as const) {
    if (part[field] === undefined) continue;
    const found = expressionErrors(part[field], path.child(field), before);
    if (!('named' in found)) errors.push(...found);
    else if (found.occurrence || found.isLook)
      errors.push(forbiddenField(path.child(field), 'may only name objects, now and parts'));
  }
  if (atRevision !== undefined && (!Number.isSafeInteger(atRevision) || atRevision < 1))
    errors.push(invalidValue(path.child('atRevision'), atRevision, 'must be a revision'));
  if (at === undefined && atRevision === undefined) return errors;
  const others = ['from', 'after', 'to', 'within', 'until', 'eventually', 'always', 'never', 'probe'] as const;
  for (const field of others)
    if (part[field] !== undefined)
      errors.push(forbiddenField(path.child(field), 'what is asked at one moment is asked by now'));
  if (at !== undefined && atRevision !== undefined)
    errors.push(forbiddenField(path.child('atRevision'), 'may not be set beside at'));
  return errors;
}

const isMoment = (text: unknown): boolean =>
  typeof text === 'string' &&
  text.length <= 40 &&
  ((readSpan(text) ?? -1) >= 0 || (/^\d{4}-/.test(text) && !Number.isNaN(parseTimestamp(text))));

function validateProbe(probe: CheckProbe, path: Path): FieldError[] {
  if (typeof probe !== 'object' || probe === null) return [typeInvalid(path, probe, 'must be a probe')];
  const { url, method, status, body, failures } = probe;
  const errors = unknownFields(probe, PROBE_FIELDS, path);
  if (typeof url !== 'string' || url.length > MAX_URL || !URL_TEXT.test(url))
    errors.push(
      invalidValue(path.child('url'), url ?? '', 'must be an http or https URL such as http://shop.example.com/'),
    );
  if (method !== undefined && !METHODS.includes(method))
    errors.push(notSupported(path.child('method'), method, METHODS));
  if (status !== undefined && !(Number.isInteger(status) && status >= 100 && status <= 599))
    errors.push(invalidValue(path.child('status'), status, 'must be a status of HTTP'));
  if (body !== undefined) errors.push(...textErrors(body, MAX_TEXT, path.child('body')));
  if (failures !== undefined && !(Number.isSafeInteger(failures) && failures >= 0 && failures <= MAX_TIMES))
    errors.push(invalidValue(path.child('failures'), failures, `must be a whole number from 0 to ${MAX_TIMES}`));
  return errors;
}

function textErrors(text: unknown, max: number, path: Path): FieldError[] {
  if (typeof text !== 'string') return [typeInvalid(path, text, 'must be a text')];
  return text.length <= max ? [] : [invalidValue(path, '', `must be a text of at most ${max} characters`)];
}
