import { expect, test } from '@jest/globals';
import { kindOf, placeAt } from './yaml-path.js';

const place = (text: string): string => {
  const offset = text.indexOf('|');
  const { path, key, word } = placeAt(text.replace('|', ''), offset);
  return `${path.join('.')} ${key === undefined ? 'key' : `value of ${key}`} "${word}"`;
};

test.each([
  ['|', ' key ""'],
  ['api|', ' key "api"'],
  ['kind: Po|', ' value of kind "Po"'],
  ['spec:\n  rep|', 'spec key "rep"'],
  ['spec:\n  replicas: 3\n  |', 'spec key ""'],
  [
    'spec:\n  template:\n    spec:\n      containers:\n      - name: web\n        im|',
    'spec.template.spec.containers key "im"',
  ],
  ['spec:\n  containers:\n  - |', 'spec.containers key ""'],
  [
    'spec:\n  containers:\n    - name: a\n      ports:\n        - containerPort: 80\n          pro|',
    'spec.containers.ports key "pro"',
  ],
  ['spec:\n  containers:\n  - name: a\n  - name: b\n    image: x\n    env:\n    - |', 'spec.containers.env key ""'],
  ['metadata:\n  name: x\nspec:\n  restartPolicy: Al|', 'spec value of restartPolicy "Al"'],
  ['spec:\n  a:\n    b: 1\n---\nmetadata:\n  na|', 'metadata key "na"'],
  ['spec:\n  # a comment: here\n\n  no|', 'spec key "no"'],
])('%j', (text, expected) => expect(place(text)).toBe(expected));

test('the kind is that of the document in which the place is', () => {
  const text = 'apiVersion: v1\nkind: Pod\n---\napiVersion: apps/v1\nkind: Deployment\nspec:\n  ';
  expect(kindOf(placeAt(text, text.length).document)).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment' });
  expect(kindOf(placeAt(text, 3).document)).toEqual({ apiVersion: 'v1', kind: 'Pod' });
  expect(kindOf('metadata: {}')).toEqual({ apiVersion: '', kind: '' });
});
