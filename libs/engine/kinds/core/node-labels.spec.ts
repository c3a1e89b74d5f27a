import { expect, test } from '@jest/globals';
import { Path } from '../../machinery/meta/field.js';
import { nodeLabelDeprecatedMessage, warningsForNodeSelectorTerm } from './node-labels.js';

test.each([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
  ['kubernetes.io/arch', undefined],
])('the label %s', (key, message) => expect(nodeLabelDeprecatedMessage(key)).toBe(message));

const term = {
  matchExpressions: [
    { key: 'beta.kubernetes.io/os', operator: 'In', values: ['linux'] },
    { key: 'a', operator: 'In', values: ['-'] },
  ],
};
const OLD =
  'term.matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead';

test('a term warns of old labels, and of values only when asked to', () => {
  expect(warningsForNodeSelectorTerm(term, false, Path.of('term'))).toEqual([OLD]);
  expect(warningsForNodeSelectorTerm(term, true, Path.of('term'))).toEqual([
    OLD,
    "term.matchExpressions[1].values[0]: - is invalid, a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ]);
});
