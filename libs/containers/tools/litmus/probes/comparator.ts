import { compilePattern } from '../../../../engine/machinery/text/regex.js';

/** What a comparison is about. */
export interface Comparison {
  readonly type: string;
  readonly criteria: string;
  readonly actual: string;
  readonly expected: string;
}

/** Why a value is not as it should be; undefined: it is. Models litmus-go/pkg/probe/comparator. */
export function compare(comparison: Comparison): string | undefined {
  return comparison.type.toLowerCase() === 'string' ? compareTexts(comparison) : compareNumbers(comparison);
}

/** Both sides as the comparator's log has them. */
export function readSides({ type, actual, expected }: Comparison): readonly [actual: string, expected: string] {
  const list = listOf(expected);
  if (type.toLowerCase() === 'string') return [actual, list.length > 1 ? '' : expected];
  const read = readerOf(type);
  return [String(read(actual)), String(list.length > 1 ? 0 : read(expected))];
}

const listOf = (text: string): string[] => text.trim().split(',');

/** strconv.Atoi and ParseFloat, whose errors are not looked at: 0. */
const readerOf =
  (type: string) =>
  (text: string): number => {
    const isNumber =
      type.toLowerCase() === 'int' ? /^[+-]?\d+$/.test(text) : /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text);
    return isNumber ? Number(text) : 0;
  };

function compareNumbers({ type, criteria, actual, expected }: Comparison): string | undefined {
  const read = readerOf(type);
  const list = listOf(expected).map(read);
  const isList = list.length > 1;
  const a = read(actual);
  const b = isList ? 0 : read(expected);
  const shown = isList ? list.join(' ') : '';
  const unless = (holds: boolean, why: string): string | undefined => (holds ? undefined : `Actual value: ${a}${why}`);
  const isInt = type.toLowerCase() === 'int';
  switch (criteria) {
    case '>=':
      return unless(a >= b, `. Expected value: greater than or equal to ${b}`);
    case '<=':
      return unless(a <= b, `. Expected value: lesser than or equal to ${b}`);
    case '>':
      return unless(a > b, `. Expected value: greater than ${b}`);
    case '<':
      return unless(a < b, `. Expected value: lesser than ${b}`);
    case '==':
      return unless(a === b, `. Expected value: ${isInt ? 'should be equal' : 'equal'} to ${b}`);
    case '!=':
      return unless(a !== b, `. Expectation: should not match the provided value: ${b}`);
    case 'OneOf':
    case 'oneOf':
      return unless(isList && list.includes(a), ` doesn't matched any of the Expected values: [[${shown}]]`);
    case 'between':
    case 'Between':
      if (!isList) return `The expected value [] should specify both lower and upper limits`;
      return unless(a >= list[0]! && a <= list[1]!, ` doesn't lie in between the Expected range: [[${shown}]]`);
    default:
      return `criteria '${criteria}' not supported in the probe`;
  }
}

function compareTexts({ criteria, actual, expected }: Comparison): string | undefined {
  const list = listOf(expected);
  const b = list.length > 1 ? '' : expected;
  const unless = (holds: boolean, why: string): string | undefined =>
    holds ? undefined : `Actual value: ${actual}. Expected ${why}`;
  switch (criteria) {
    case 'equal':
    case 'Equal':
      return unless(actual === b, `value: equal to ${b}`);
    case 'notEqual':
    case 'NotEqual':
      return unless(actual !== b, `value: should not be equal to ${b}`);
    case 'contains':
    case 'Contains':
      return unless(actual.includes(b), `value: should contain ${b}`);
    case 'matches':
    case 'Matches':
      return matchTexts(actual, b, (found) => unless(found, `value: should match regex ${b}`));
    case 'notMatches':
    case 'NotMatches':
      return matchTexts(actual, b, (found) => unless(!found, `value: should not match regex: ${b}`));
    case 'oneOf':
    case 'OneOf':
      return unless(
        list.length > 1 && list.includes(actual),
        `values: should match one of following [[${list.length > 1 ? list.join(' ') : ''}]]`,
      );
    default:
      return `criteria '${criteria}' not supported in the probe`;
  }
}

function matchTexts(text: string, pattern: string, judge: (found: boolean) => string | undefined): string | undefined {
  const compiled = compilePattern(pattern);
  return compiled ? judge(compiled.test(text)) : `The probe regex '${pattern}' is not a valid expression`;
}
