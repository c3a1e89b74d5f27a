import { beforeEach, describe, expect, test } from '@jest/globals';
import { widget, Widgets, type Widget } from '../../../runtime/testing.js';
import { COMPONENT, recordHooks, refusalOf, TestStore } from '../testing.js';

let bed: TestStore;
beforeEach(() => {
  bed = new TestStore();
});

describe('create', () => {
  test('fills what the server owns', () => {
    const { metadata } = bed.create(Widgets, { uid: 'mine', deletionTimestamp: 'x', selfLink: '/x' });
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
    bed.create();
    expect(refusalOf(() => bed.create(Widgets, metadata))).toEqual([code, message]);
  });

  test('names what only has a prefix', () => {
    const made = bed.create(Widgets, { name: undefined, generateName: 'a-' });
    expect(made.metadata.name).toMatch(/^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test('a dry run stores nothing', () => {
    expect(bed.store.create(Widgets, widget('a'), { ...COMPONENT, dryRun: true }).metadata.uid).toBeDefined();
    expect(bed.state.revision).toBe(0);
  });
});

test("the hooks of a kind and of plug-ins run in upstream's order", () => {
  const { calls, kind, plugin } = recordHooks();
  new TestStore([plugin], [kind]).create(kind);
  expect(calls).toEqual(['defaults', 'mutate', 'prepareForCreate', 'validate', 'validateNew', 'admit']);
});

test("a component's objects are not validated unless admission has changed them", () => {
  const invalid = { ...widget('Not_A_Name'), metadata: { name: 'Not_A_Name', namespace: 'default' } };
  const options = { ...COMPONENT, validate: false };
  expect(bed.store.create(Widgets, { ...invalid }, options).metadata.name).toBe('Not_A_Name');
  const changed = new TestStore([{ name: 'Changes', mutate: (request) => request.revalidate() }]);
  expect(refusalOf(() => changed.store.create(Widgets, { ...invalid }, options))[0]).toBe(422);
});
