import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DeleteOptions } from '../../api/meta_v1.js';
import { defineKind } from '../../machinery/kind.js';
import { ApiError } from '../../machinery/meta/status.js';
import { Registry } from '../../runtime/registry.js';
import { State } from '../../runtime/state.js';
import { widget, Widgets, type Widget } from '../../runtime/testing.js';
import { Store } from './store.js';
import { componentOptions } from './write-options.js';

const KEY = { namespace: 'default', name: 'a' };
const NOON = Date.UTC(2026, 0, 1, 12);
const options = componentOptions({ user: { name: 'me', groups: [] }, cause: 0 }, true);
/** Widgets that end gracefully, as pods do. */
const Graceful = defineKind<Widget>({ ...Widgets, gracePeriod: () => 30 });

let state: State;
let writer: Store;
beforeEach(() => {
  state = new State({ now: NOON });
  writer = new Store(state, new Registry([Widgets]), [], { seed: 'seed' });
});

const create = (kind = Widgets, metadata: Widget['metadata'] = {}) =>
  writer.create(kind, widget('a', { size: 1 }, metadata), options);
const stored = () => state.get(Widgets, KEY);
const failure = (act: () => unknown): [number, string] => {
  try {
    act();
  } catch (e) {
    if (e instanceof ApiError) return [e.code, e.message];
    throw e;
  }
  throw new Error('it went through');
};

describe('create', () => {
  test('fills what the server owns', () => {
    const { metadata } = create(Widgets, { uid: 'mine', deletionTimestamp: 'x', selfLink: '/x' });
    expect(metadata).toEqual({
      name: 'a',
      namespace: 'default',
      uid: expect.not.stringMatching('mine'),
      creationTimestamp: '2026-01-01T12:00:00Z',
      generation: 1,
      resourceVersion: '1',
      managedFields: [expect.objectContaining({ manager: 'kube-controller-manager' })],
    });
  });

  test.each<[string, Widget['metadata'], number, string]>([
    ['the same name again', {}, 409, 'widgets.test.dev "a" already exists'],
    [
      'a resourceVersion',
      { name: 'b', resourceVersion: '7' },
      400,
      'resourceVersion should not be set on objects to be created',
    ],
    [
      'a bad name',
      { name: 'B_' },
      422,
      "Widget.test.dev \"B_\" is invalid: metadata.name: Invalid value: \"B_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      'no name',
      { name: undefined },
      422,
      'Widget.test.dev "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
  ])('refuses %s', (_, metadata, code, message) => {
    create();
    expect(failure(() => create(Widgets, metadata))).toEqual([code, message]);
  });

  test('names what only has a prefix', () => {
    const made = create(Widgets, { name: undefined, generateName: 'a-' });
    expect(made.metadata.name).toMatch(/^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test('a dry run stores nothing', () => {
    expect(writer.create(Widgets, widget('a'), { ...options, dryRun: true }).metadata.uid).toBeDefined();
    expect(state.revision).toBe(0);
  });
});

describe('update', () => {
  test.each<[string, Partial<Widget>, number, number]>([
    ['the spec', { spec: { size: 2 } }, 2, 2],
    ['labels only', { metadata: { name: 'a', namespace: 'default', labels: { x: 'y' } } }, 2, 1],
    ['nothing', {}, 1, 1],
    ['the status, which is not its own', { status: { seen: 9 } }, 1, 1],
  ])('of %s', (_, change, revision, generation) => {
    const old = create();
    writer.update(Widgets, { ...old, ...change }, options);
    expect([state.revision, stored()!.metadata.generation, stored()!.status]).toEqual([revision, generation, {}]);
  });

  test('of the status leaves the spec and the generation alone', () => {
    const old = create();
    writer.update(Widgets, { ...old, spec: { size: 5 }, status: { seen: 1 } }, options, 'status');
    expect([stored()!.spec, stored()!.status, stored()!.metadata.generation]).toEqual([{ size: 1 }, { seen: 1 }, 1]);
  });

  test('of an older version is a conflict', () => {
    const old = create();
    writer.update(Widgets, { ...old, spec: { size: 2 } }, options);
    expect(failure(() => writer.update(Widgets, { ...old, spec: { size: 3 } }, options))).toEqual([
      409,
      'Operation cannot be fulfilled on widgets.test.dev "a": the object has been modified; please apply your changes to the latest version and try again',
    ]);
  });

  test('of what does not exist is not found', () => {
    expect(failure(() => writer.update(Widgets, widget('a'), options))).toEqual([
      404,
      'widgets.test.dev "a" not found',
    ]);
  });
});

describe('delete', () => {
  const finalizers = ['example.com/x'];
  test.each<[string, typeof Widgets, Widget['metadata'], DeleteOptions, unknown]>([
    ['at once', Widgets, {}, {}, undefined],
    ['gracefully', Graceful, {}, {}, { deletionTimestamp: '2026-01-01T12:00:30Z', deletionGracePeriodSeconds: 30 }],
    [
      'with less grace',
      Graceful,
      {},
      { gracePeriodSeconds: 5 },
      { deletionTimestamp: '2026-01-01T12:00:05Z', deletionGracePeriodSeconds: 5 },
    ],
    ['by force', Graceful, {}, { gracePeriodSeconds: 0 }, undefined],
    [
      'behind a finalizer',
      Widgets,
      { finalizers },
      {},
      { deletionTimestamp: '2026-01-01T12:00:00Z', deletionGracePeriodSeconds: 0, finalizers },
    ],
    ['foreground', Widgets, {}, { propagationPolicy: 'Foreground' }, { finalizers: ['foregroundDeletion'] }],
    ['orphaning', Widgets, {}, { propagationPolicy: 'Orphan' }, { finalizers: ['orphan'] }],
    ['background', Widgets, { finalizers: ['orphan'] }, { propagationPolicy: 'Background' }, undefined],
  ])('%s', (_, kind, metadata, deletion, left) => {
    create(kind, metadata);
    writer.delete(kind, KEY, deletion, options);
    if (left) expect(stored()!.metadata).toMatchObject(left);
    else expect(stored()).toBeUndefined();
  });

  test('again: only sooner', () => {
    create(Graceful);
    writer.delete(Graceful, KEY, {}, options);
    writer.delete(Graceful, KEY, { gracePeriodSeconds: 60 }, options);
    expect(stored()!.metadata.deletionGracePeriodSeconds).toBe(30);
    writer.delete(Graceful, KEY, { gracePeriodSeconds: 10 }, options);
    expect(stored()!.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T12:00:10Z',
      deletionGracePeriodSeconds: 10,
    });
    writer.delete(Graceful, KEY, { gracePeriodSeconds: 0 }, options);
    expect(stored()).toBeUndefined();
  });

  test('the last finalizer gone, the object goes', () => {
    create(Widgets, { finalizers });
    writer.delete(Widgets, KEY, {}, options);
    const { finalizers: _, ...metadata } = stored()!.metadata;
    writer.update(Widgets, { ...stored()!, metadata }, options);
    expect(stored()).toBeUndefined();
  });

  test('a precondition that does not hold', () => {
    const { metadata } = create();
    expect(failure(() => writer.delete(Widgets, KEY, { preconditions: { uid: 'other' } }, options))).toEqual([
      409,
      `Operation cannot be fulfilled on Widget.test.dev "a": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    ]);
  });
});
