import { expect, jest, test } from '@jest/globals';
import { TemplateNotFound } from '../log-store.js';
import { MemoryTemplates } from './memory-templates.js';

test.each([
  ['unused and on no cluster', 2_000, false, ['template:a@1']],
  ['used since', 500, false, []],
  ['on a cluster', 2_000, true, []],
])('a template that is %s', (_, unusedSince, isInUse, expected) => {
  jest.useFakeTimers({ now: 1_000 });
  const templates = new MemoryTemplates();
  templates.save('template:a', 1);
  const dropped: string[] = [];
  const drop = (owner: string, revision: number): number => dropped.push(`${owner}@${revision}`);
  expect(templates.dropUnused(unusedSince, 9, () => isInUse, drop)).toBe(expected.length);
  expect(dropped).toEqual(expected);
  const use = (): void => templates.use({ template: 'a', revision: 1 });
  if (dropped.length > 0) expect(use).toThrow(TemplateNotFound);
  else use();
  jest.useRealTimers();
});
