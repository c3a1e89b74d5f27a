import { describe, expect, test } from '@jest/globals';
import { ConfigMaps } from '../../../kinds/index.js';
import { badRequest } from '../../../machinery/meta/status.js';
import type { Call } from '../../call.js';
import { FramePrinter, type Frame } from './watch-frames.js';

const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '5' }, data: { k: 'v' } };
const printer = (shape: Call['output']['shape'], format: Call['output']['format'] = 'json'): FramePrinter =>
  new FramePrinter({ kind: ConfigMaps, now: 0, output: { shape, format, metaVersion: 'v1' } } as Call, 'Metadata');
const parse = (frame: Frame): any => JSON.parse(String(frame));

describe('an event', () => {
  test('shows the object', () =>
    expect(printer('object').event('ADDED', MAP, 0)).toBe(`{"type":"ADDED","object":${JSON.stringify(sorted)}}\n`));

  test('shows its metadata', () =>
    expect(parse(printer('partial').event('MODIFIED', MAP, 0)).object).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: MAP.metadata,
    }));

  test('is prefixed with its length in protobuf', () => {
    const frame = printer('object', 'protobuf').event('ADDED', MAP, 0) as Uint8Array;
    expect(new DataView(frame.buffer, frame.byteOffset).getUint32(0)).toBe(frame.length - 4);
  });
});

const sorted = { kind: 'ConfigMap', apiVersion: 'v1', metadata: MAP.metadata, data: MAP.data };

describe('the columns of a Table', () => {
  const definitionsOf = (frame: Frame): unknown => parse(frame).object.columnDefinitions?.length;

  test('are in the first of the initial frames, and in no other', () => {
    const table = printer('table');
    expect(definitionsOf(table.event('ADDED', MAP, 0))).toBe(3);
    expect(table.endInitial()).toBe(true);
    expect(definitionsOf(table.event('MODIFIED', MAP, 0))).toBeUndefined();
  });

  test('are in every shared frame, when there were no initial ones', () => {
    const table = printer('table');
    expect(table.endInitial()).toBe(false);
    for (let i = 0; i < 2; i++) expect(definitionsOf(table.event('ADDED', MAP, 0))).toBe(3);
  });
});

describe('a bookmark', () => {
  const END = { 'k8s.io/initial-events-end': 'true' };
  test.each([
    ['object', false, { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '9' } }],
    ['object', true, { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '9', annotations: END } }],
    ['table', false, { kind: 'Table', metadata: { resourceVersion: '9' }, rows: [] }],
    ['table', true, { kind: 'Table', rows: [{ cells: [], object: { metadata: { annotations: END } } }] }],
  ] as const)('of a watch of %s, %j', (shape, endsInitial, object) =>
    expect(parse(printer(shape).bookmark(9, endsInitial))).toMatchObject({ type: 'BOOKMARK', object }),
  );
});

test('an error is a Status', () => {
  expect(parse(printer('table').error(badRequest('no')))).toMatchObject({
    type: 'ERROR',
    object: { kind: 'Status', code: 400, message: 'no' },
  });
});
