import { expect, test } from '@jest/globals';
import { SeededRandom } from '../random.js';
import { ANY, Environment, EvaluationError } from './index.js';

const NAMES = [
  'size',
  'int',
  'double',
  'string',
  'bool',
  'bytes',
  'timestamp',
  'duration',
  'type',
  'dyn',
  'getFullYear',
  'getHours',
  'contains',
  'matches',
  'findAll',
  'charAt',
  'indexOf',
  'lastIndexOf',
  'replace',
  'split',
  'substring',
  'join',
  'format',
  'min',
  'max',
  'sum',
  'isSorted',
  'sets.contains',
  'optional.of',
  'value',
  'orValue',
  'quantity',
  'add',
  'sub',
  'asInteger',
  'compareTo',
  'url',
  'getQuery',
  'getPort',
  'semver',
  'isSemver',
  'ip',
  'cidr',
  'containsCIDR',
  'masked',
  'isGlobalUnicast',
  'format.named',
  'validate',
];
const LITERALS = [
  '0',
  '-1',
  '9223372036854775807',
  '1.5',
  '1e308',
  '""',
  '"abc"',
  '"%s %d %.99f %e %x"',
  '"1.2.3"',
  '"10.0.0.0/8"',
  '"::1"',
  '"1Gi"',
  '"999999999999999999999999999999E"',
  '"9999-12-31T23:59:59Z"',
  '"1h"',
  '"["',
  '"(a+)+"',
  '"https://a:b@c:1/x?y=%zz"',
  'true',
  'null',
  '[]',
  '[1, 2]',
  '["a", "b"]',
  '{}',
  '{"a": 1}',
  '{1: 2}',
  'o',
  'o.a',
  'o.b',
  'int',
  'b"\\xff"',
  'timestamp("0001-01-01T00:00:00Z")',
  'duration("-1h")',
  'quantity("1")',
  'ip("1.2.3.4")',
  'cidr("::/0")',
  'optional.of(1)',
  'optional.none()',
  'format.dns1123Label()',
];
const OPERATORS = ['+', '-', '*', '/', '%', '==', '<', 'in', '&&', '||'];

test('no expression does more than fail', () => {
  const random = new SeededRandom(20_26);
  const pick = (list: readonly string[]): string => list[random.below(list.length)]!;
  const expression = (depth: number): string => {
    const choice = depth <= 0 ? 0 : random.below(10);
    const part = (): string => expression(depth - 1);
    if (choice < 3) return pick(LITERALS);
    if (choice < 5) return `(${part()} ${pick(OPERATORS)} ${part()})`;
    if (choice < 6) return `(${part()} ? ${part()} : ${part()})`;
    if (choice < 7) return `[${part()}, ${part()}].${pick(['map', 'filter', 'all', 'exists'])}(x, ${part()})`;
    const args = Array.from({ length: random.below(4) }, () => `dyn(${part()})`);
    return choice < 9 && args.length > 0
      ? `${args[0]}.${pick(NAMES)}(${args.slice(1).join(', ')})`
      : `${pick(NAMES)}(${args.join(', ')})`;
  };
  const environment = new Environment({ variables: { o: ANY } });
  let ran = 0;
  for (let i = 0; i < 10_000; i++) {
    const { program } = environment.compile(expression(3));
    if (!program) continue;
    ran++;
    try {
      program.run(() => ({ a: 1, b: [1.5, null, { c: 'x' }] }));
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw new Error(program.text, { cause: error });
    }
  }
  expect(ran).toBeGreaterThan(1_000);
});
