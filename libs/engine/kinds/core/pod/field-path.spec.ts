import { expect, test } from '@jest/globals';
import { splitMaybeSubscriptedPath } from './field-path.js';

// Models pkg/fieldpath TestSplitMaybeSubscriptedPath.
test.each<[string, string | undefined, string | undefined]>([
  ["metadata.annotations['key']", 'metadata.annotations', 'key'],
  ["metadata.annotations['a[b']c']", 'metadata.annotations', "a[b']c"],
  ["metadata.labels['']", 'metadata.labels', ''],
  ["metadata.labels['['a']", 'metadata.labels', "['a"],
  ['metadata.labels', undefined, undefined],
  ["metadata.labels[']", undefined, undefined],
  ["metadata.labels'a']", undefined, undefined],
  ["['key']", undefined, undefined],
  ['', undefined, undefined],
])('%s', (fieldPath, path, subscript) =>
  expect(splitMaybeSubscriptedPath(fieldPath)).toEqual(path === undefined ? undefined : { path, subscript }),
);
