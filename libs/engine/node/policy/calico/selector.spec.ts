import { expect, test } from '@jest/globals';
import { parseSelector } from './selector.js';

const LABELS = { app: 'web', 'example.com/tier': 'front-end', empty: '' };

test.each<[string, boolean | undefined]>([
  ['', true],
  ['all()', true],
  ['global()', true],
  ["app == 'web'", true],
  ['app == "web"', true],
  ["app != 'web'", false],
  ["other != 'web'", true],
  ['has(app)', true],
  ['!has(app)', false],
  ["app in { 'db', 'web' }", true],
  ['app in {}', false],
  ["app not in {'db'}", true],
  ["other not in {'db'}", true],
  ["example.com/tier contains 't-e'", true],
  ["example.com/tier starts with 'front'", true],
  ["example.com/tier ends with 'front'", false],
  ["app == 'db' || has(empty) && app == 'web'", true],
  ["(app == 'db' || has(empty)) && app == 'db'", false],
  ["!(app == 'db')", true],
  ["in == 'x'", false],
  ['app', undefined],
  ['app == web', undefined],
  ["app == 'web' &&", undefined],
  ["(app == 'web'", undefined],
  ["app = 'web'", undefined],
  ['('.repeat(40) + 'all()' + ')'.repeat(40), undefined],
  [`app == '${'x'.repeat(5_000)}'`, undefined],
])('%s: %s', (text, selected) => {
  expect(parseSelector(text)?.(LABELS)).toBe(selected);
});
