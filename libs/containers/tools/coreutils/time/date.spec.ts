import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['date -d @0', 'Thu Jan  1 00:00:00 UTC 1970\n'],
  ["date -u -d '2026-01-02 03:04:05' +%s", '1767323045\n'],
  ["date -d '2024-02-29 12:00' '+%Y/%m/%d %H:%M:%S %a %b %j %U %V'", '2024/02/29 12:00:00 Thu Feb 060 08 09\n'],
  ["date -d '2026-01-02 +1 day' +%F", '2026-01-03\n'],
  ["date -d 'nonsense'", '', { stderr: "date: invalid date 'nonsense'\n", code: 1 }],
  ["date -d '2026-03-01T10:20:30Z' -Iseconds", '2026-03-01T10:20:30+00:00\n'],
  ['date -d @86400 -R', 'Fri, 02 Jan 1970 00:00:00 +0000\n'],
  ["date -d '10 May 2025' +%D", '05/10/25\n'],
  ['date -d @1 --rfc-3339=seconds', '1970-01-01 00:00:01+00:00\n'],
  ['date -d @1.5 +%N', '500000000\n'],
  ["date -d '2025-12-31' '+%G-W%V-%u %e %k %l %p %I %-d %_m %^a'", '2026-W01-3 31  0 12 AM 12 31 12 WED\n'],
  ['date +%', '%\n'],
]);
