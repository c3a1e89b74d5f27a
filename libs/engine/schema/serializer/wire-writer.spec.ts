import { expect, test } from '@jest/globals';
import { WireReader } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

function write(act: (writer: WireWriter) => void): Uint8Array {
  const writer = new WireWriter();
  act(writer);
  return writer.finish();
}

test.each([
  ['a small number', (w: WireWriter) => w.varint(5), [5]],
  ['two bytes of a number', (w: WireWriter) => w.varint(150), [0x96, 1]],
  [
    'a negative number, as Go in ten bytes',
    (w: WireWriter) => w.varint(-1),
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
  ],
  ['a tag', (w: WireWriter) => w.tag(16, 2), [0x82, 1]],
  ['ASCII', (w: WireWriter) => w.string(1, 'ab'), [0x0a, 2, 0x61, 0x62]],
  ['text beyond ASCII', (w: WireWriter) => w.string(1, 'é'), [0x0a, 2, 0xc3, 0xa9]],
  ['an empty text', (w: WireWriter) => w.string(1, ''), [0x0a, 0]],
  ['bytes', (w: WireWriter) => w.bytes(2, Uint8Array.of(1, 2)), [0x12, 2, 1, 2]],
  ['a double', (w: WireWriter) => w.double(1.5), [0, 0, 0, 0, 0, 0, 0xf8, 0x3f]],
  ['an empty message', (w: WireWriter) => w.message(1, () => {}), [0x0a, 0]],
  [
    'a message within one',
    (w: WireWriter) => w.message(1, () => w.message(2, () => w.varint(7))),
    [0x0a, 3, 0x12, 1, 7],
  ],
  ['bytes without a tag', (w: WireWriter) => w.append(Uint8Array.of(9)), [9]],
])('%s', (_, act, bytes) => expect([...write(act)]).toEqual(bytes));

test.each([127, 128, 16_383, 16_384, 3_000_000])('a message of %i bytes has its length before it', (size) => {
  const bytes = write((w) => {
    w.message(1, () => w.append(new Uint8Array(size).fill(7)));
    w.varint(5);
  });
  const reader = new WireReader(bytes);
  expect(reader.tag()).toEqual({ number: 1, wire: 2 });
  const raw = reader.raw();
  expect([raw.length, raw[0], raw.at(-1), reader.varint(), reader.done]).toEqual([size, 7, 7, 5, true]);
});
