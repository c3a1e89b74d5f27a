import { expect, test } from '@jest/globals';
import { formatDate, formatterOf } from './date-format.js';

const START = Date.UTC(2026, 11, 31, 23, 57, 58, 250);
/** Steps of an hour of loops, and over the end of a minute, a day and a year. */
const TIMES = Array.from({ length: 200 }, (_, i) => START + i * 1_001);

test.each([
  '%a %b %e %H:%M:%S %Z %Y',
  '%s',
  '%T.%N',
  '%-S %_S %3S %^c',
  '%-T %c %r %X',
  '%%S %S',
  'plain',
  '',
  '%S%S',
  '%q %:z %Q',
  '%I:%M %p %P %k %l %R, %j %U %V %G-W%V',
  '%_H%-M %03H %^p',
  '%S %F %H:%M',
])('%s for many times is as for one', (format) => {
  const many = formatterOf(format);
  for (const at of TIMES) expect(many(at)).toBe(formatDate(format, at));
});
