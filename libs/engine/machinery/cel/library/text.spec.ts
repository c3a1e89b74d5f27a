import { expect, test } from '@jest/globals';
import { evaluate } from '../testing.js';

test.each<[string, unknown]>([
  ['"abc 123".find("[0-9]+")', '123'],
  ['"1 22 333".findAll("[0-9]+")', ['1', '22', '333']],
  ['"1 22 333".findAll("[0-9]+", 2)', ['1', '22']],
  ['"abc".matches("^a.c$") && matches("abc", "b")', true],
  ['"a".matches("(")', 'ERROR: <input>:1:13: invalid matches argument'],
  ['"ÄaBb".lowerAscii() + "ÄaBb".upperAscii()', 'ÄabbÄABB'],
  ['["a", "b"].join("-")', 'a-b'],
  ['"%d of %.1f, %s".format([2, 1.25, ["a"]])', '2 of 1.2, ["a"]'],
  ['"%d".format(["a"])', 'error during formatting: d clause does not take this type'],
  ['"%q".format([1])', 'could not parse formatting clause: unrecognized formatting clause "q"'],
  ['"%s %s".format([1])', 'index 1 out of range'],
  ['"abc".charAt(4)', 'index out of range: 4'],
  ['"abc".substring(2, 1)', 'invalid substring range. start: 2, end: 1'],
])('%s is %s', (text, outcome) => expect(evaluate(text)).toEqual(outcome));

/** A value of each named format, and one that is not of the format. */
test.each([
  ['format.dns1123Label()', 'web-1', 'Web'],
  ['format.dns1123Subdomain()', 'a.b', 'a..b'],
  ['format.dns1035Label()', 'web', '1web'],
  ['format.qualifiedName()', 'example.com/a', 'a b'],
  ['format.dns1123LabelPrefix()', 'web-', '-web'],
  ['format.dns1123SubdomainPrefix()', 'a.b-', '.a'],
  ['format.dns1035LabelPrefix()', 'web-', '1web-'],
  ['format.labelValue()', 'A_b.c', '-a'],
  ['format.uri()', 'https://example.com/a', 'example.com a'],
  ['format.uuid()', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
  ['format.byte()', 'aGVsbG8=', 'aGVsbG8'],
  ['format.date()', '2026-02-28', '2026-02-30'],
  ['format.datetime()', '2026-02-28T12:00:00Z', '2026-02-28 12:00'],
])('%s takes %s and refuses %s', (call, good, bad) => {
  const hasErrors = (call: string, text: string): unknown => evaluate(`${call}.validate('${text}').hasValue()`);
  const name = call.slice('format.'.length, -'()'.length);
  expect([hasErrors(call, good), hasErrors(call, bad)]).toEqual([false, true]);
  expect(hasErrors(`format.named('${name}').value()`, bad)).toBe(true);
});

test('a format says what is wrong', () =>
  expect(evaluate("format.uuid().validate('x').value()")).toEqual(['does not match the UUID format']));
test('format.named knows no other names', () => expect(evaluate("format.named('nothing').hasValue()")).toBe(false));
