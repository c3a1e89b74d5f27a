import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

const unsorted = (name: string, ...lines: string[]) => ({
  stderr: [...lines, 'input is not in sorted order'].map((line) => `${name}: ${line}\n`).join(''),
  code: 1,
});
const files = 'printf "b\\na\\n" > x; printf "a\\nc\\n" > y';

testCases({ ...text, ...programs }, [
  [`${files}; comm x y`, '\ta\nb\na\n\tc\n', unsorted('comm', 'file 1 is not in sorted order')],
  [`${files}; comm --nocheck-order x y`, '\ta\nb\na\n\tc\n'],
  [`${files}; comm --check-order x y`, '\ta\nb\n', { stderr: 'comm: file 1 is not in sorted order\n', code: 1 }],
  [`${files}; join x y`, '', unsorted('join', 'x:2: is not sorted: a')],
  ['seq 1 3 > x; seq 2 4 > y; comm --total x y', '1\n\t\t2\n\t\t3\n\t4\n1\t1\t2\ttotal\n'],
  ['seq 1 3 > x; join -a1 -e - -o 0,2.2 x x', '1 -\n2 -\n3 -\n'],
  ['comm x', '', { stderr: "comm: missing operand after 'x'\nTry 'comm --help' for more information.\n", code: 1 }],
]);
