import { expect, test } from '@jest/globals';
import type { NameAnswer } from '../../../../engine/kernel/process/syscalls.js';
import type { Directive } from '../corefile.js';
import { logLine, readLog } from './log.js';

const directive = (args: string[], classes: string[] = []): Directive => ({
  ...{ name: 'log', args, line: 2 },
  block: classes.length === 0 ? [] : [{ name: 'class', args: classes, block: [], line: 3 }],
});
const name = 'kubernetes.default.svc.cluster.local.';
const found: NameAnswer = {
  ...{ code: 'NOERROR', delay: 0, canRecurse: true },
  records: [{ name, type: 'A', ttl: 30, data: '10.96.0.1' }],
};
const missing: NameAnswer = { code: 'NXDOMAIN', records: [], delay: 0 };

const line = (log: Directive, answer: NameAnswer): string | undefined =>
  logLine([readLog(log, ['.'], 'Corefile')], { name, type: 'A', now: 5 }, answer);

test('a line is as the common format has it, with the sizes of what is sent', () => {
  expect(line(directive([]), found)).toMatch(
    /^\[INFO\] \{remote\}:\{port\} - \{>id\} "A IN kubernetes\.default\.svc\.cluster\.local\. udp 54 false 512" NOERROR qr,aa,rd,ra 106 0\.000\d+s$/,
  );
});

test.each<[string, Directive, NameAnswer, boolean]>([
  ['a name of the zone', directive(['cluster.local']), found, true],
  ['a name of another zone', directive(['example.com']), found, false],
  ['denials alone: an answer', directive([], ['denial']), found, false],
  ['denials alone: a denial', directive([], ['denial', 'error']), missing, true],
])('%s', (_, log, answer, isLogged) => {
  expect(line(log, answer) !== undefined).toBe(isLogged);
});

test('a format of its own', () => {
  expect(line(directive(['.', '{type} {name} {rcode} from {remote}']), found)).toBe(
    `[INFO] A ${name} NOERROR from {remote}`,
  );
});

test('a class that there is not is refused', () => {
  expect(() => readLog(directive([], ['some']), ['.'], 'Corefile')).toThrow(/some/);
});
