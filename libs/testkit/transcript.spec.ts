import { describe, expect, test } from '@jest/globals';
import { matches, parseDuration, parseTranscript, run, withoutCutWatches } from './transcript.js';

test('a transcript is commands and what they print', () => {
  const steps = parseTranscript(
    '# title\n\n$ kubectl get pods\nNAME\nweb\n\n$ cat <<EOF\nhello\nEOF\nhello\n$ wait 10s\n',
  );
  expect(steps.map((s) => [s.command, s.expected])).toEqual([
    ['kubectl get pods', 'NAME\nweb'],
    ['cat <<EOF\nhello\nEOF', 'hello'],
    ['wait 10s', ''],
  ]);
});

describe('output matches', () => {
  test.each([
    ['web-abc   1/1  Running', 'web-<hash> 1/1 Running', true],
    ['web-abc 0/1 Running', 'web-<hash> 1/1 Running', false],
    ['a\nb\nc', 'a\n...\nc', true],
    ['a\nb\nc', 'a\n...', true],
    ['a\nb', 'a', false],
    ['', '', true],
    ['x', '', false],
    ['Warning: b: web-1; a: two', 'Warning: a: two; b: web-<hash>', true],
    ['Warning: v1 is deprecated; use v2', 'Warning: v1 is deprecated; use v2', true],
  ])('%j against %j: %s', (output, expected, yes) => expect(matches(output, expected)).toBe(yes));
});

test.each([
  ['10s', 10_000],
  ['1m30s', 90_000],
  ['500ms', 500],
])('%s is %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

test('a watch that kubectl has ended itself is not told of', () => {
  const told = (why: string): string =>
    `I1129 05:27:36.735257   11461 reflector.go:664] "Warning: watch ended with error" reflector="w" err="${why}"\n`;
  expect(withoutCutWatches(`${told('an event: context canceled')}pod/a condition met\n`)).toBe('pod/a condition met\n');
  expect(withoutCutWatches(told('an error on the server'))).toBe(told('an error on the server'));
});

test('what a command prints is read in each order that its two streams may come in', async () => {
  const options = { cwd: '.', env: {}, timeoutMs: 5000 };
  const outputs = await run('echo one >&2; sleep 0.05; echo two; sleep 0.05; echo three >&2', options);
  expect(outputs).toEqual(['one\ntwo\nthree\n', 'two\none\nthree\n', 'one\nthree\ntwo\n']);
  expect((await run('sleep 5', { ...options, timeoutMs: 50 }))[0]).toContain('(stopped after 50 ms)');
});
