import { expect, test } from '@jest/globals';
import type { DaemonSet } from '../../../api/apps_v1.js';
import { kind } from './kind.js';

const GENERATION = 'deprecated.daemonset.template.generation';
const context = {} as never;
const daemonSet = (image: string, annotations?: Record<string, string>): DaemonSet =>
  ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'd', annotations },
    spec: { selector: {}, template: { spec: { containers: [{ name: 'c', image }] } } },
    status: {},
  }) as unknown as DaemonSet;

test('a new DaemonSet is of its first template', () => {
  const draft = daemonSet('a');
  kind.prepareForCreate!(draft, context);
  expect(draft.metadata.annotations).toEqual({ [GENERATION]: '1' });
});

test.each([
  ['the same template', 'a', '3'],
  ['another template', 'b', '4'],
])('%s', (_what, image, expected) => {
  const draft = daemonSet(image);
  kind.prepareForUpdate!(draft, daemonSet('a', { [GENERATION]: '3' }), context);
  expect(draft.metadata.annotations?.[GENERATION]).toBe(expected);
});
