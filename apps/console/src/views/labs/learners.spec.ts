import { expect, test } from '@jest/globals';
import type { Learner } from '../../api/labs.generated.js';
import { afterLearners, arrange, isFinished, type LearnerMap } from './learners.js';

const learner = (name: string, part: Partial<Learner> = {}): Learner => ({
  ...{ name, clusterId: name, step: 1, steps: 3, done: [], score: 0, points: 4, checks: [] },
  ...{ lastActivity: '2026-01-01T00:00:00Z', lastCommand: '', state: 'running' },
  ...part,
});
const known: LearnerMap = new Map(['ada', 'bert'].map((name) => [name, learner(name)]));
const names = (map: LearnerMap): string[] => [...map.keys()];

test('who has come stands beside those that there are; who is gone does not', () => {
  expect(names(afterLearners(known, [learner('cleo'), learner('ada', { state: 'deleted' })], false))).toEqual([
    'bert',
    'cleo',
  ]);
  expect(names(afterLearners(known, [learner('cleo')], true))).toEqual(['cleo']);
});

test.each<['name' | 'progress' | 'activity', string, string[]]>([
  ['name', '', ['learner-2', 'learner-10', 'zoe']],
  ['progress', '', ['zoe', 'learner-10', 'learner-2']],
  ['activity', '', ['learner-10', 'learner-2', 'zoe']],
  ['name', 'ZOE ', ['zoe']],
])('by %s, with %p', (order, text, expected) => {
  const all = [
    learner('zoe'),
    learner('learner-2', { step: 3 }),
    learner('learner-10', { step: 2, lastActivity: '2026-01-02T00:00:00Z' }),
  ];
  expect(arrange(afterLearners(new Map(), all, true), order, text).map(({ name }) => name)).toEqual(expected);
});

test('one step more than there are: the end', () => {
  expect([isFinished(learner('a', { step: 3 })), isFinished(learner('a', { step: 4 }))]).toEqual([false, true]);
});
