import { describe, expect, it } from '@jest/globals';
import type { AppliedChange, KubeObject } from '@terrarium/engine';
import {
  changesInText,
  changesWith,
  decodeChanges,
  decodeSegment,
  encodeChanges,
  restore,
  timeOfFirst,
  unpack,
  type StoredChange,
} from './codec.js';

type Fields = Record<string, unknown>;
const pod = (revision: number, extra: Fields = {}, metadata: Fields = {}): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      namespace: 'default',
      labels: { app: 'web' },
      ...metadata,
      resourceVersion: String(revision),
    },
    spec: { nodeName: 'worker-1' },
    status: {},
    ...extra,
  }) as KubeObject;

const change = (
  revision: number,
  object: KubeObject,
  old?: KubeObject,
  type: 'put' | 'delete' = 'put',
): AppliedChange => ({
  revision,
  type,
  resource: 'pods',
  namespace: 'default',
  name: 'web',
  object,
  old,
  actor: 'kubelet',
  cause: revision - 1,
  at: 1_000 + revision,
});

const withStatus = (object: KubeObject, revision: number, status: Fields): KubeObject =>
  ({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) }, status }) as KubeObject;

const roundTrip = (c: AppliedChange, previous: KubeObject | undefined) =>
  restore(decodeChanges(encodeChanges([c]).stored, c.revision)[0]!, previous);

describe('segment codec', () => {
  const first = pod(7);
  const running = withStatus(first, 8, { phase: 'Running' });
  const cases: [string, AppliedChange][] = [
    ['a create', change(7, first)],
    ['a status update that shares spec and metadata', change(8, running, first)],
    ['a change of labels', change(8, pod(8, {}, { labels: { app: 'api' } }), first)],
    ['a field that goes away', change(8, { ...running, spec: undefined } as unknown as KubeObject, first)],
    ['a field that has the placeholder as its value', change(8, { ...running, replicas: 0 } as KubeObject, first)],
    ['a deletion', change(8, { ...first, metadata: { ...first.metadata, resourceVersion: '8' } }, first, 'delete')],
    ['a deletion that changes a label, too', change(8, pod(8, {}, { labels: { app: 'api' } }), first, 'delete')],
    ['a deletion that takes a field away', change(8, { ...pod(8), spec: 0 } as never, running, 'delete')],
    ['a resourceVersion that is not the revision', change(8, pod(5), first)],
    ['text beyond ASCII', change(8, pod(8, {}, { annotations: { note: 'Grüße 🌱' } }), first)],
  ];
  it.each(cases)('reads back %s', (_name, applied) => {
    const { old, ...expected } = applied;
    const expectedJson = JSON.stringify(expected);
    const found = roundTrip(applied, old);
    expect(JSON.stringify({ ...expected, ...found })).toBe(expectedJson);
    expect(found).toEqual(JSON.parse(expectedJson));
  });

  it('shares what two revisions have in common, and keeps apart what was written again', () => {
    const spec = { nodeName: 'worker-1' };
    const labels = { app: 'web', of: 'shop' };
    const conditions = [{ type: 'Ready' }];
    const before = pod(7, { spec, status: { conditions, podIP: '10.0.0.1' } }, { labels });
    const status = { conditions: [{ type: 'Ready' }], podIP: '10.0.0.2' };
    const next = pod(8, { spec, status }, { labels: { ...labels } });
    const object = roundTrip(change(8, next, before), before).object as KubeObject & Record<'spec' | 'status', Fields>;
    expect(object).toEqual(next);
    expect(object.spec).toBe(spec);
    expect(object.status['conditions']).toBe(conditions);
    expect(object.metadata).not.toBe(before.metadata);
    expect(object.metadata.labels).not.toBe(labels);
  });

  it('does not write again what a status update left as it was', () => {
    const big = pod(7, { spec: { text: 'x'.repeat(4_000) } });
    expect(encodeChanges([change(8, withStatus(big, 8, { phase: 'Running' }), big)]).stored.length).toBeLessThan(300);
  });

  it('does not write again what is deleted', () => {
    const gone = { ...first, metadata: { ...first.metadata, resourceVersion: '8' } };
    const text = unpack(encodeChanges([change(8, gone, first, 'delete')]).stored);
    expect(text).toMatch(/,0\]\]$/);
    expect(text.length).toBeLessThan(60);
  });

  it('takes the texts of what was created, and records their size', () => {
    const [created, foreign] = [first, pod(9, {}, { annotations: { note: 'Grüße 🌱' } })];
    const deletion = change(10, { ...created }, undefined, 'delete');
    const sizes: [KubeObject, number][] = [];
    const changes = [change(7, created), change(8, running, created), change(9, foreign), deletion];
    const encoded = encodeChanges(changes, {
      textOf: (object) => JSON.stringify(object),
      recordSize: (object, bytes) => sizes.push([object, bytes]),
    });
    expect(encoded).toEqual(encodeChanges(changes));
    expect(encoded.textBytes).toBe(Buffer.byteLength(unpack(encoded.stored)));
    expect(decodeSegment(encoded.stored, 7).textLength).toBe(unpack(encoded.stored).length);
    expect(sizes).toEqual([created, foreign].map((object) => [object, Buffer.byteLength(JSON.stringify(object))]));
  });

  const beyondAscii = pod(9, {}, { annotations: { note: 'Grüße 🌱' } });
  const tricky = pod(9, {}, { annotations: { note: '],\n[,{' } });
  it.each<[string, AppliedChange[], (number | undefined)[]]>([
    ['creations', [change(7, first), change(8, tricky)], [first, tricky].map((o) => JSON.stringify(o).length)],
    [
      'a creation after an update',
      [change(8, running, first), change(9, tricky)],
      [undefined, JSON.stringify(tricky).length],
    ],
    ['a deletion', [change(8, { ...first }, undefined, 'delete')], [undefined]],
    ['text beyond ASCII', [change(7, first), change(9, beyondAscii)], [undefined, undefined]],
  ])('tells the encoded size of what was created: %s', (_name, changes, sizes) => {
    expect(decodeChanges(encodeChanges(changes).stored, 7).map(({ bodyBytes }) => bodyBytes)).toEqual(sizes);
  });

  it('reads a segment without line ends between its rows, and does not tell sizes', () => {
    const text = unpack(encodeChanges([change(7, first), change(8, running, first)]).stored).replaceAll('\n', '');
    expect(decodeChanges(Buffer.from(text), 7).map(({ revision, bodyBytes }) => [revision, bodyBytes])).toEqual([
      [7, undefined],
      [8, undefined],
    ]);
  });

  it('shares the previous object’s fields in memory', () => {
    const found = roundTrip(change(8, running, first), first).object as KubeObject & { spec: unknown };
    expect(found.spec).toBe((first as KubeObject & { spec: unknown }).spec);
  });

  it('deflates large segments and numbers their changes', () => {
    const many = Array.from({ length: 200 }, (_, i) => change(i + 1, pod(i + 1, { spec: { text: 'x'.repeat(100) } })));
    const { stored: bytes } = encodeChanges(many);
    expect(bytes.length).toBeLessThan(JSON.stringify(many).length / 5);
    expect(decodeChanges(bytes, 1).map((c) => c.revision)).toEqual(many.map((c) => c.revision));
  });

  it('keeps no more memory than a large segment has bytes', () => {
    const texts = Array.from({ length: 2_000 }, (_, i) => Math.sin(i).toString(36).repeat(8));
    const { stored } = encodeChanges(texts.map((text, i) => change(i + 1, pod(i + 1, { spec: { text } }))));
    expect(stored.length).toBeGreaterThan(Buffer.poolSize / 2);
    expect(stored.buffer.byteLength).toBe(stored.length);
  });

  it('refuses a change of an object that is not there', () => {
    expect(() => roundTrip(change(8, running, first), undefined)).toThrow(
      'revision 8 of pods default/web changes an object that is not there',
    );
  });
});

describe('single changes of a segment', () => {
  const changes = [10, 11, 12, 13].map((revision) => ({
    ...change(revision, pod(revision, {}, { name: `web-${revision % 2}`, annotations: { note: ',\n"' } })),
    name: `web-${revision % 2}`,
  }));
  const { stored } = encodeChanges(changes);
  const text = unpack(stored);
  const whole = decodeChanges(stored, 10);
  const oneLine = `[${changes.map(({ object }) => JSON.stringify([0, 'pods', 'default', 'web-0', 'a', 0, 0, object])).join(',')}]`;
  const withoutSizes = (all: readonly StoredChange[] | undefined) =>
    all?.map((one) => ({ ...one, bodyBytes: undefined }));

  it.each([
    [10, 10],
    [10, 13],
    [11, 12],
    [13, 13],
  ])('those from %i to %i are parsed alone', (from, to) => {
    const expected = whole.filter(({ revision }) => from <= revision && revision <= to);
    expect(changesInText(text, 10, from, to)).toEqual(withoutSizes(expected));
  });

  it.each([
    ['too many', text, 12, 14],
    ['others', text, 15, 15],
    ['those of a row without line ends', oneLine, 11, 11],
    ['the first of them', oneLine, 10, 10],
  ])('%s are not found', (_, of, from, to) => expect(changesInText(of, 10, from, to)).toBeUndefined());

  it('they are found by what their rows have', () => {
    expect(withoutSizes(changesWith(text, 10, ['"pods",', '"web-1",']))).toEqual(
      withoutSizes(whole.filter(({ name }) => name === 'web-1')),
    );
    expect(changesWith(text, 10, ['"web",'])).toEqual([]);
    expect(changesWith(oneLine, 10, ['"web-0",'])).toBeUndefined();
  });

  it.each([
    ['a small segment', stored, 1_010],
    ['a deflated one', encodeChanges(Array.from({ length: 500 }, (_, i) => changes[i % 4]!)).stored, 1_010],
    ['one with text that is escaped', Buffer.from('[[0,"pods","a","q\\"é,",'.concat('"u",7,99,{}]]')), 99],
    ['one that has none', Buffer.from('[]'), undefined],
    ['where a state was replaced', Buffer.from('R'), undefined],
  ])('of %s the first one’s time is read', (_, bytes, at) => expect(timeOfFirst(bytes)).toBe(at));
});
