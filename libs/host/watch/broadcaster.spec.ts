import { beforeEach, expect, test } from '@jest/globals';
import type { AppliedChange } from '@terrarium/engine';
import { changeAt, RecordingListener } from '../testing.js';
import { Broadcaster, encodeFrames, type FrameListener } from './broadcaster.js';

const encode = (change: AppliedChange): string => `${change.revision}\n`;

/** Records frames and ends; `encoded` counts calls of its encoder. */
function frameListener(resource: string, shareKey: string) {
  const record = { frames: [] as string[], ends: [] as string[], encoded: 0 };
  const listener: FrameListener = {
    resource,
    shareKey,
    encode: (change) => (record.encoded++, encode(change)),
    frames: (frames) => void record.frames.push(...frames.map(String)),
    changes: () => undefined,
    ended: (reason) => void record.ends.push(reason),
  };
  return { listener, record };
}

let errors: unknown[];
beforeEach(() => void (errors = []));

test('every listener gets every change, until it is removed', () => {
  const broadcaster = new Broadcaster((error) => void errors.push(error));
  const [stays, leaves] = [new RecordingListener(), new RecordingListener()];
  broadcaster.add(stays.listener);
  broadcaster.add(leaves.listener);
  broadcaster.publish([changeAt(1), changeAt(2, 'db')]);
  broadcaster.remove(leaves.listener);
  broadcaster.publish([changeAt(3)]);
  expect([stays.revisions, leaves.revisions, leaves.ends]).toEqual([[1, 2, 3], [1, 2], []]);
});

test('frame listeners of one key share the frames, and see their resource only', () => {
  const broadcaster = new Broadcaster((error) => void errors.push(error));
  const [first, second, other] = [
    frameListener('pods', 'p'),
    frameListener('pods', 'p'),
    frameListener('services', 's'),
  ];
  for (const { listener } of [first, second, other]) broadcaster.add(listener);
  broadcaster.publish([changeAt(1), changeAt(2, 'web', 'services'), changeAt(3)]);
  expect([first.record.frames, second.record.frames, other.record.frames]).toEqual([['1\n3\n'], ['1\n3\n'], ['2\n']]);
  expect(first.record.encoded + second.record.encoded).toBe(2);
});

test('a listener that throws is ended and its error told, and the others get the change', () => {
  const broadcaster = new Broadcaster((error) => void errors.push(error));
  const ends: string[] = [];
  broadcaster.add({
    changes: () => {
      throw new Error('broken');
    },
    ended: (reason) => void ends.push(reason),
  });
  const { listener, record } = frameListener('pods', 'p');
  broadcaster.add({
    ...listener,
    frames: () => {
      throw new Error('broken');
    },
  });
  const healthy = new RecordingListener();
  broadcaster.add(healthy.listener);
  broadcaster.publish([changeAt(1)]);
  broadcaster.publish([changeAt(2)]);
  expect([ends, record.ends, healthy.revisions, broadcaster.size]).toEqual([['closed'], ['closed'], [1, 2], 1]);
  expect(errors).toEqual([new Error('broken'), new Error('broken')]);
});

test('at the end all listeners are told the reason and removed', () => {
  const broadcaster = new Broadcaster((error) => void errors.push(error));
  const plain = new RecordingListener();
  const { listener, record } = frameListener('pods', 'p');
  broadcaster.add(plain.listener);
  broadcaster.add(listener);
  expect(broadcaster.size).toBe(2);
  broadcaster.end('deleted');
  expect([plain.ends, record.ends, broadcaster.size]).toEqual([['deleted'], ['deleted'], 0]);
});

test('changes that the watch does not see have no frame', () => {
  const evenOnly = { resource: 'pods', encode: (c: AppliedChange) => (c.revision % 2 ? undefined : encode(c)) };
  expect(encodeFrames(evenOnly, [changeAt(1), changeAt(2), changeAt(4, 'web', 'services')])).toEqual(['2\n']);
});
