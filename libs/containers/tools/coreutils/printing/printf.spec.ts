import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ["printf '%s\\n' a b c", 'a\nb\nc\n'],
  ["printf '%d %5d|%-5d|%05d\\n' 1 2 3 4", '1     2|3    |00004\n'],
  ["printf '%x %X %o %#x\\n' 255 255 8 255", 'ff FF 10 0xff\n'],
  ["printf '%5.2f|%e|%g\\n' 3.14159 1234.5 0.0001", ' 3.14|1.234500e+03|0.0001\n'],
  ["printf '%s %s\\n' a b c", 'a b\nc \n'],
  ["printf '%b' 'a\\nb\\n'", 'a\nb\n'],
  ["printf '%q\\n' 'a b'", "'a b'\n"],
  ["printf '%c%c\\n' abc def", 'ad\n'],
  ["printf '%d\\n' abc", '0\n', { stderr: "printf: 'abc': expected a numeric value\n", code: 1 }],
  ["printf '%d\\n' 12abc", '12\n', { stderr: "printf: '12abc': value not completely converted\n", code: 1 }],
  ["printf '%d\\n' 0x1f 010 \"'A\"", '31\n8\n65\n'],
  ["printf '%%|%5s|%-5s|\\n' a b", '%|    a|b    |\n'],
  ["printf 'a\\tb\\\\n\\n'", 'a\tb\\n\n'],
  ['printf', '', { stderr: "printf: missing operand\nTry 'printf --help' for more information.\n", code: 1 }],
  ["printf '%i %u\\n' -5 3", '-5 3\n'],
  ["printf '%*d|\\n' 5 42", '   42|\n'],
  ["printf '%.3s|\\n' abcdef", 'abc|\n'],
  ["printf '%+d % d\\n' 5 5", '+5  5\n'],
  ["printf '%G %E\\n' 1e-10 12345.678", '1E-10 1.234568E+04\n'],
  ["printf '%q\\n' 'a b'", "'a b'\n"],
  ["printf '%d\\n' abc", '0\n', { stderr: "printf: 'abc': expected a numeric value\n", code: 1 }],
  ["printf '%d\\n' 12abc", '12\n', { stderr: "printf: '12abc': value not completely converted\n", code: 1 }],
  ['printf', '', { stderr: "printf: missing operand\nTry 'printf --help' for more information.\n", code: 1 }],
  ['printf %5000000d 1', '', { stderr: 'printf: write error: Cannot allocate memory\n', code: 1 }],
]);
