import { expect, test } from '@jest/globals';
import { formatRequirements, matchesRequirements, type Requirement } from './requirement.js';

const web = { app: 'web', weight: '5' };

test.each<[string, Requirement, boolean]>([
  ['app in (db,web)', { key: 'app', operator: 'in', values: ['web', 'db'] }, true],
  ['app=db', { key: 'app', operator: 'in', values: ['db'], exact: true }, false],
  ['app notin (db)', { key: 'app', operator: 'notin', values: ['db'] }, true],
  ['other!=x', { key: 'other', operator: 'notin', values: ['x'], exact: true }, true],
  ['app', { key: 'app', operator: 'exists', values: [] }, true],
  ['!app', { key: 'app', operator: '!', values: [] }, false],
  ['weight>4', { key: 'weight', operator: 'gt', values: ['4'] }, true],
  ['weight>5', { key: 'weight', operator: 'gt', values: ['5'] }, false],
  ['weight<10', { key: 'weight', operator: 'lt', values: ['10'] }, true],
  ['app<10', { key: 'app', operator: 'lt', values: ['10'] }, false],
  ['constructor', { key: 'constructor', operator: 'exists', values: [] }, false],
])('%s', (text, requirement, matches) => {
  expect(formatRequirements([requirement])).toBe(text);
  expect(matchesRequirements([requirement], web)).toBe(matches);
});

test('all must match; none match always', () => {
  const [app, other] = ['app', 'other'].map((key): Requirement => ({ key, operator: 'exists', values: [] }));
  expect(matchesRequirements([app!, other!], web)).toBe(false);
  expect(matchesRequirements([], undefined)).toBe(true);
  expect(formatRequirements([app!, other!])).toBe('app,other');
});
