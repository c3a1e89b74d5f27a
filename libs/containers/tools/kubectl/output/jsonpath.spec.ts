import { expect, test } from '@jest/globals';
import { findValues, printTemplate } from './jsonpath.js';

const LIST = {
  kind: 'List',
  items: [
    {
      metadata: { name: 'a', labels: { 'app.kubernetes.io/name': 'x' } },
      spec: { ports: [{ port: 80 }, { port: 443 }] },
    },
    { metadata: { name: 'b' }, spec: { ports: [] } },
  ],
};

test.each([
  ['{.kind}', 'List'],
  ['kind={.kind}', 'kind=List'],
  ['{.items[*].metadata.name}', 'a b'],
  ['{.items[0].spec.ports}', '[{"port":80},{"port":443}]'],
  ['{.items[-1].metadata.name}', 'b'],
  ['{.items[0:1].metadata.name}', 'a'],
  ['{range .items[*]}{.metadata.name}{"\\t"}{end}', 'a\tb\t'],
  ['{.items[?(@.metadata.name=="b")].metadata.name}', 'b'],
  ['{.items[0].spec.ports[?(@.port>100)].port}', '443'],
  ['{..name}', 'a b'],
  ['{.items[0].metadata.labels.app\\.kubernetes\\.io/name}', 'x'],
  ["{.items[0].metadata['name','labels']}", 'a {"app.kubernetes.io/name":"x"}'],
  ['{.none.at.all}', ''],
])('%s', (template, expected) => expect(printTemplate(template, LIST)).toBe(expected));

test.each([
  ['{.items[*', 'unterminated array'],
  ['{.kind', 'unclosed action'],
  ['{end}', 'not in range'],
])('%s is refused', (template, why) => expect(() => printTemplate(template, LIST)).toThrow(why));

test.each(['.kind', 'kind', '{.kind}', '{kind}'])('%s as a relaxed path', (path) =>
  expect(findValues(path, LIST)).toEqual(['List']),
);
