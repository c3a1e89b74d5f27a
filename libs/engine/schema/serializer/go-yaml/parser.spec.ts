import { expect, test } from '@jest/globals';
import { findYamlError } from './parser.js';

/** What sigs.k8s.io/yaml v1.6.0 says of each. */
test.each<[string, string]>([
  ['a: b: c\n', 'yaml: mapping values are not allowed in this context'],
  ['a:\n  - x\n b: 1\n', 'yaml: line 2: did not find expected key'],
  ['a: [1, 2\n', "yaml: line 1: did not find expected ',' or ']'"],
  ['a: {b: 1\n', "yaml: line 1: did not find expected ',' or '}'"],
  ['\ta: 1\n', 'yaml: found character that cannot start any token'],
  ['a:\n\tb: 1\n', 'yaml: line 2: found character that cannot start any token'],
  ['a: 1\nfoo\nb: 2\n', "yaml: line 3: could not find expected ':'"],
  ['a: 1\nfoo\n', "yaml: line 3: could not find expected ':'"],
  ['foo\nb: 2\n', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a: "x\nb: 1\n', 'yaml: line 3: found unexpected end of stream'],
  ["a: 'x\nb: 1\n", 'yaml: line 3: found unexpected end of stream'],
  ['- a\nb: 1\n', "yaml: line 1: did not find expected '-' indicator"],
  ['a: 1\n- b\n', 'yaml: line 1: did not find expected key'],
  ['a:\n- x\n y\n', ''],
  ['a: *x\n', "yaml: unknown anchor 'x' referenced"],
  ['a: @x\n', 'yaml: found character that cannot start any token'],
  ['a: `x`\n', 'yaml: found character that cannot start any token'],
  ['a: %x\n', 'yaml: found character that cannot start any token'],
  ['a: |\nx\n', "yaml: line 3: could not find expected ':'"],
  ['a: 1\n  b: 2\n', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a:\n    b: 1\n  c: 2\n', 'yaml: line 2: did not find expected key'],
  ['a:\n  b: 1\n    c: 2\n', 'yaml: line 3: mapping values are not allowed in this context'],
  ['}\n', 'yaml: did not find expected node content'],
  [']\n', 'yaml: did not find expected node content'],
  ['a: ]\n', 'yaml: did not find expected node content'],
  ['a: }\n', 'yaml: did not find expected node content'],
  ['a: {b: 1, c}\n', ''],
  ['{a: 1\nb: 2}\n', "yaml: line 1: did not find expected ',' or '}'"],
  ['a: &x\n', ''],
  ['? a\n', ''],
  ['a: "\\q"\n', 'yaml: found unknown escape character'],
  [': a\n', 'yaml: did not find expected key'],
  ['a: - b\n', 'yaml: block sequence entries are not allowed in this context'],
  ['a: b\n c: d\n', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a: 1\nb:\n  - c: 1\n   d: 2\n', "yaml: line 3: did not find expected '-' indicator"],
  ['a: 1\nb:\n  - c: 1\n     d: 2\n', 'yaml: line 4: mapping values are not allowed in this context'],
  ['x:\n- a: 1\n  b:\n  - c\n d: 1\n', 'yaml: line 4: did not find expected key'],
  ["a: 'it's'\n", 'yaml: did not find expected key'],
  ['a: "b" c\n', 'yaml: did not find expected key'],
  ['a: [b] c\n', 'yaml: did not find expected key'],
  ['a: {b: c} d\n', 'yaml: did not find expected key'],
  ['x: 1\ny: z: 1\n', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a:\n  b: |\n  text\n c: d\n', "yaml: line 4: could not find expected ':'"],
  ['- - a\n - b\n', "yaml: line 1: did not find expected '-' indicator"],
  ['a: b\n---\nc: d: e\n', ''],
  ['%\na: 1\n', 'yaml: could not find expected directive name'],
  ['%FOO\n---\na: 1\n', 'yaml: found unknown directive name'],
  ['{a: b, c: d\n', "yaml: line 1: did not find expected ',' or '}'"],
  ['[a, b\n- c\n', "yaml: line 2: did not find expected ',' or ']'"],
  ['a: "\n---\n"\n', 'yaml: line 2: found unexpected document indicator'],
  ['a: |3\n b\n', 'yaml: line 1: did not find expected key'],
  ['a: |0\n', 'yaml: found an indentation indicator equal to 0'],
  ['a: | x\n b\n', 'yaml: did not find expected comment or line break'],
  ['a:\n  b: |\n   x\n\t y\n', 'yaml: line 4: found a tab character where an indentation space is expected'],
  ['- a\n-b\n', "yaml: line 3: could not find expected ':'"],
  ['a: [b, c]]\n', 'yaml: did not find expected key'],
  ['a: [{b: c]\n', "yaml: did not find expected ',' or '}'"],
  ['a: &\n', 'yaml: did not find expected alphabetic or numeric character'],
  ['a: *\n', 'yaml: did not find expected alphabetic or numeric character'],
  ['--- a\n--- b\n', ''],
  ['a: b\n...\nc\n', ''],
  ['? [a\n', "yaml: line 1: did not find expected ',' or ']'"],
  ['a: {b: c,, d: e}\n', 'yaml: did not find expected node content'],
  ['a: [,]\n', 'yaml: did not find expected node content'],
  ['a: "b\n  c"\nd: e f: g\n', 'yaml: line 3: mapping values are not allowed in this context'],
  ['{,a}\n', 'yaml: did not find expected node content'],
  ['{a b: c\nd: e}\n', "yaml: line 1: did not find expected ',' or '}'"],
])('%j: %s', (text, error) => expect(findYamlError(text) ?? '').toBe(error));

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: a
spec:
  containers:
  - name: c
    image: nginx
    ports:
    - containerPort: 80
`;

test.each<[string, string, string]>([
  ['kind: Pod', 'kind Pod', "yaml: line 3: could not find expected ':'"],
  ['    image: nginx', '   image: nginx', 'yaml: line 7: did not find expected key'],
  ['    image: nginx', '     image: nginx', 'yaml: line 8: mapping values are not allowed in this context'],
  ['  name: a', '\tname: a', 'yaml: line 4: found character that cannot start any token'],
  ['image: nginx', 'image nginx', "yaml: line 9: could not find expected ':'"],
  ['- name: c', '-name: c', 'yaml: line 8: mapping values are not allowed in this context'],
  ['spec:', 'spec', "yaml: line 6: could not find expected ':'"],
  ['  containers:', ' containers:', ''],
  ['    - containerPort: 80', '   - containerPort: 80', 'yaml: line 9: did not find expected key'],
  ['    ports:', '  ports:', ''],
  ['image: nginx', 'image: nginx:', 'yaml: line 8: mapping values are not allowed in this context'],
  ['image: nginx', 'image: nginx: 1.2', 'yaml: line 8: mapping values are not allowed in this context'],
  ['image: nginx', 'image: "nginx', 'yaml: line 11: found unexpected end of stream'],
  ['metadata:\n', 'metadata\n', "yaml: line 4: could not find expected ':'"],
  ['- containerPort: 80', '- containerPort:80', ''],
  ['  - name: c', '  name: c\n  - name: d', 'yaml: line 7: did not find expected key'],
  ['  - name: c', '   - name: c', "yaml: line 7: did not find expected '-' indicator"],
  ['name: a\n', 'name: a\n   labels:\n', 'yaml: line 5: mapping values are not allowed in this context'],
  ['name: a\n', 'name: a\n  labels\n    a: b\n', "yaml: line 6: could not find expected ':'"],
  ['apiVersion: v1', 'apiVersion v1', 'yaml: line 2: mapping values are not allowed in this context'],
  ['apiVersion: v1', '  apiVersion: v1', ''],
  ['kind: Pod', ' kind: Pod', 'yaml: line 2: mapping values are not allowed in this context'],
])('a pod with %j changed to %j: %s', (found, replacement, error) =>
  expect(findYamlError(POD.replace(found, replacement)) ?? '').toBe(error),
);

test('brackets without end are not followed', () => {
  expect(findYamlError('['.repeat(100_000))).toBe('yaml: exceeded max depth of 1000');
  expect(findYamlError('- '.repeat(100_000))).toBe('yaml: exceeded max depth');
});

test('a long text is not gone through', () => expect(findYamlError(`${'a'.repeat(600_000)}: b: c`)).toBeUndefined());
