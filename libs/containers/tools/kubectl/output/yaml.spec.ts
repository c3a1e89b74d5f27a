import { expect, test } from '@jest/globals';
import { formatYaml } from './yaml.js';

const LONG = 'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints';

test.each([
  ['keys in order, lists not indented', { b: [1], a: { d: 'true', c: null } }, 'a:\n  c: null\n  d: "true"\nb:\n- 1\n'],
  [
    'a long text goes on in the next line',
    { metadata: { annotations: { 'kubernetes.io/description': LONG } } },
    `metadata:\n  annotations:\n    kubernetes.io/description: ${LONG.slice(0, 51)}\n      ${LONG.slice(52)}\n`,
  ],
  ['what needs quotes', { a: '*/5 * *', b: '1', c: 'x: y', d: '' }, `a: '*/5 * *'\nb: "1"\nc: 'x: y'\nd: ""\n`],
  ['a text of lines stays', { a: `${LONG}\nb\n` }, `a: |\n  ${LONG}\n  b\n`],
])('%s', (_case, value, expected) => expect(formatYaml(value)).toBe(expected));
