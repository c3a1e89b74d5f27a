import { describe, expect, test } from '@jest/globals';
import type { DeleteOptions } from '../../../api/meta_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { widget, Widgets, type Widget } from '../../../runtime/testing.js';
import { markForDeletion, planDeletion, type DeletionPlan } from './before-delete.js';

const Graceful = defineKind<Widget>({ ...Widgets, gracePeriod: (_, requested = 30) => requested });
const Forced = defineKind<Widget>({ ...Widgets, gracePeriod: () => 0 });
const Blocked = defineKind<Widget>({ ...Widgets, blocksDeletion: () => true });
const NOON = Date.UTC(2026, 0, 1, 12);
const DELETING = { deletionTimestamp: '2026-01-01T12:00:30Z', deletionGracePeriodSeconds: 30 };
const REMOVE: DeletionPlan = { action: 'remove' };
const mark = (graceSeconds: number, ...finalizers: string[]): DeletionPlan => ({
  action: 'mark',
  graceSeconds,
  finalizers,
});

describe('a deletion', () => {
  test.each<[string, typeof Widgets, Widget['metadata'], DeleteOptions, DeletionPlan]>([
    ['of a kind without grace', Widgets, {}, { gracePeriodSeconds: 9 }, REMOVE],
    ['of an object that its kind blocks', Blocked, {}, {}, mark(0)],
    ['of an object that needs no grace', Forced, {}, { gracePeriodSeconds: 9 }, REMOVE],
    ["with the kind's grace", Graceful, {}, {}, mark(30)],
    ['with a grace of its own', Graceful, {}, { gracePeriodSeconds: 9 }, mark(9)],
    ['with a negative grace', Graceful, {}, { gracePeriodSeconds: -1 }, mark(1)],
    ['under way, without a grace', Graceful, DELETING, {}, { action: 'pending' }],
    ['under way, with a longer grace', Graceful, DELETING, { gracePeriodSeconds: 31 }, { action: 'pending' }],
    ['under way, with a shorter grace', Graceful, DELETING, { gracePeriodSeconds: 5 }, mark(5)],
    ['under way, with another policy', Graceful, DELETING, { propagationPolicy: 'Orphan' }, mark(30, 'orphan')],
    ['that orphans', Widgets, {}, { orphanDependents: true }, mark(0, 'orphan')],
    ['that does not orphan', Widgets, { finalizers: ['orphan'] }, { orphanDependents: false }, REMOVE],
    [
      'in the foreground after one that orphans',
      Widgets,
      { finalizers: ['orphan', 'x/y'] },
      { propagationPolicy: 'Foreground' },
      mark(0, 'x/y', 'foregroundDeletion'),
    ],
  ])('%s', (_, kind, metadata, options, plan) =>
    expect(planDeletion(kind, widget('a', {}, metadata), options)).toEqual(plan),
  );

  test.each<[DeleteOptions['preconditions'], string]>([
    [
      { uid: 'other' },
      'Operation cannot be fulfilled on Widget.test.dev "a": the UID in the precondition (other) does not match the UID in record (u). The object might have been deleted and then recreated',
    ],
    [
      { uid: 'u', resourceVersion: '1' },
      'Operation cannot be fulfilled on Widget.test.dev "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (2). The object might have been modified',
    ],
  ])('is refused for the preconditions %j', (preconditions, message) => {
    const stored = widget('a', {}, { uid: 'u', resourceVersion: '2' });
    expect(() => planDeletion(Widgets, stored, { preconditions })).toThrow(message);
  });
});

describe('an object that is marked', () => {
  test('for the first time ends after its grace, in a new generation', () => {
    const marked = markForDeletion(Graceful, widget('a', {}, { generation: 3 }), { ...mark30 }, NOON);
    expect(marked.metadata).toEqual({ name: 'a', namespace: 'default', generation: 4, ...DELETING });
  });

  test.each([
    ['5 s after the first deletion', 3, 5, '2026-01-01T12:00:05Z', 5],
    ['at once when these 5 s have passed', 20, 5, '2026-01-01T12:00:20Z', 1],
    ['at once without any grace', 20, 0, '2026-01-01T12:00:20Z', 0],
  ])('again ends sooner: %s', (_, secondsLater, graceSeconds, deletionTimestamp, deletionGracePeriodSeconds) => {
    const stored = widget('a', {}, { generation: 4, finalizers: ['x/y'], ...DELETING });
    const marked = markForDeletion(Graceful, stored, { ...mark30, graceSeconds }, NOON + secondsLater * 1_000);
    expect(marked.metadata).toEqual({
      name: 'a',
      namespace: 'default',
      generation: 4,
      deletionTimestamp,
      deletionGracePeriodSeconds,
    });
  });
});

const mark30 = { action: 'mark', graceSeconds: 30, finalizers: [] } as const;
