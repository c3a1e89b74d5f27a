import { describe, expect, test } from '@jest/globals';
import { widget, Widgets } from '../../../runtime/testing.js';
import type { AdmissionRequest } from '../../../runtime/admission.js';
import { COMPONENT, requestOptions, TestStore } from '../testing.js';

/** Runs a write, and returns what `read` reads off its attributes. */
function attributesOf<R>(read: (request: AdmissionRequest) => R, write: (bed: TestStore) => unknown): R[] {
  const results: R[] = [];
  const bed = new TestStore([{ name: 'Reader', mutate: (request) => void results.push(read(request)) }]);
  write(bed);
  return results;
}

const operationOf = ({ operation, subresource, namespace, name, object, old }: AdmissionRequest): unknown[] => [
  operation,
  subresource,
  namespace,
  name,
  object !== undefined,
  old !== undefined,
];

describe('what plug-ins see', () => {
  test('of each operation', () => {
    const key = { namespace: 'default', name: 'a' };
    const operations = attributesOf(operationOf, (bed) => {
      const old = bed.create();
      bed.store.update(Widgets, { ...old, status: { seen: 1 } }, COMPONENT, 'status');
      bed.store.delete(Widgets, key, {}, COMPONENT);
    });
    expect(operations).toEqual([
      ['CREATE', '', 'default', 'a', true, false],
      ['UPDATE', 'status', 'default', 'a', true, true],
      ['DELETE', '', 'default', 'a', false, true],
    ]);
  });

  test('of an object that is written through a view', () => {
    const type = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    const view = { subresource: 'scale', type, show: () => ({}) };
    const seen = attributesOf(
      (request) => [request.subresource, request.view?.type],
      (bed) => bed.store.update(Widgets, { ...bed.create(), spec: { size: 2 } }, COMPONENT, '', view),
    );
    expect(seen).toEqual([
      ['', undefined],
      ['scale', type],
    ]);
  });

  test.each([
    ['a component', COMPONENT, { fromOutside: false, dryRun: false, operationOptions: {} }],
    [
      'a request',
      { ...requestOptions(), dryRun: true, origin: { type: 'request', options: { fieldManager: 'm' }, warn() {} } },
      { fromOutside: true, dryRun: true, operationOptions: { fieldManager: 'm' } },
    ],
  ] as const)('of %s', (_, options, expected) => {
    const read = ({ fromOutside, dryRun, operationOptions }: AdmissionRequest): object => ({
      fromOutside,
      dryRun,
      operationOptions,
    });
    expect(attributesOf(read, (bed) => bed.store.create(Widgets, widget('a'), options))).toEqual([expected]);
  });
});

test('a warning reaches a request, and is dropped for a component', () => {
  const warnings: string[] = [];
  const warn = (request: AdmissionRequest): void => request.warn('careful');
  attributesOf(warn, (bed) => bed.store.create(Widgets, widget('a'), COMPONENT));
  expect(warnings).toEqual([]);
  attributesOf(warn, (bed) => bed.store.create(Widgets, widget('a'), requestOptions(warnings)));
  expect(warnings).toEqual(['careful']);
});
