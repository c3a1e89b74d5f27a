import { describe, expect, test } from '@jest/globals';
import {
  FrameParser,
  SpdyError,
  encodeData,
  encodeGoAway,
  encodePing,
  encodeRstStream,
  encodeSynReply,
  encodeSynStream,
  encodeWindowUpdate,
  type Frame,
} from './frames.js';

const parseAll = (bytes: Buffer, chunkBytes = bytes.length): Frame[] => {
  const parser = new FrameParser();
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    frames.push(...parser.parse(bytes.subarray(at, at + chunkBytes)));
  return frames;
};

const BLOCK = Buffer.from('block');

test.each<[string, Buffer, Frame]>([
  // The bytes of moby/spdystream's frames.
  [
    'SYN_STREAM',
    Buffer.from('80030001' + '0000000f' + '00000001' + '00000000' + '0000' + '626c6f636b', 'hex'),
    { type: 'synStream', stream: 1, isLast: false, headers: BLOCK },
  ],
  [
    'SYN_STREAM with FIN',
    encodeSynStream(3, BLOCK, true),
    { type: 'synStream', stream: 3, isLast: true, headers: BLOCK },
  ],
  ['SYN_REPLY', encodeSynReply(3, BLOCK), { type: 'headers', headers: BLOCK }],
  [
    'RST_STREAM',
    Buffer.from('80030003' + '00000008' + '00000005' + '00000005', 'hex'),
    { type: 'rstStream', stream: 5 },
  ],
  ['PING', Buffer.from('80030006' + '00000004' + '00000007', 'hex'), { type: 'ping', id: 7 }],
  ['GOAWAY', encodeGoAway(7, 0), { type: 'goAway' }],
  ['WINDOW_UPDATE', encodeWindowUpdate(1, 100), { type: 'other' }],
  ['a frame of an unknown type', Buffer.from('800300630000000100', 'hex'), { type: 'other' }],
  [
    'DATA',
    Buffer.from('00000001' + '00000002' + '6869', 'hex'),
    { type: 'data', stream: 1, bytes: Buffer.from('hi'), isLast: false },
  ],
  [
    'DATA with FIN',
    encodeData(1, Buffer.from('hi'), true),
    { type: 'data', stream: 1, bytes: Buffer.from('hi'), isLast: true },
  ],
  [
    'empty DATA with FIN',
    encodeData(9, Buffer.alloc(0), true),
    { type: 'data', stream: 9, bytes: Buffer.alloc(0), isLast: true },
  ],
])('%s', (_, bytes, frame) => expect(parseAll(bytes)).toEqual([frame]));

test.each([1, 2, 3, 7, 8, 9, 1000])('frames that come in chunks of %d bytes', (chunkBytes) => {
  const bytes = Buffer.concat([
    encodeSynStream(1, BLOCK),
    encodeData(1, Buffer.from('hello, world')),
    encodePing(1),
    encodeData(1, Buffer.alloc(0), true),
  ]);
  const frames = parseAll(bytes, chunkBytes);
  const data = frames.filter((frame) => frame.type === 'data');
  expect(Buffer.concat(data.map((part) => part.bytes)).toString()).toBe('hello, world');
  expect(data.map((part) => part.isLast)).toEqual([...data.slice(1).map(() => false), true]);
  expect(frames.filter((frame) => frame.type !== 'data')).toEqual([
    { type: 'synStream', stream: 1, isLast: false, headers: BLOCK },
    { type: 'ping', id: 1 },
  ]);
});

test('a data frame is given on as it comes, and is not kept', () => {
  const parser = new FrameParser();
  const header = Buffer.from('00000001' + '01ffffff', 'hex');
  expect([...parser.parse(header)]).toEqual([]);
  expect([...parser.parse(Buffer.from('abc'))]).toEqual([
    { type: 'data', stream: 1, bytes: Buffer.from('abc'), isLast: false },
  ]);
});

describe('is refused', () => {
  test.each([
    ['a control frame of 16 MiB, before it has come', '8003000100ffffff', 'a control frame of 16777215 bytes'],
    ['another version', '8002000100000000', 'version 2'],
    ['a SYN_STREAM without an id', '800300010000000400000001', 'a payload of 4 bytes'],
    ['an RST_STREAM without a status', '800300030000000400000001', 'a payload of 4 bytes'],
    ['an empty PING', '8003000600000000', 'a payload of 0 bytes'],
    ['an empty HEADERS', '8003000800000000', 'a payload of 0 bytes'],
  ])('%s', (_, hex, message) => expect(() => parseAll(Buffer.from(hex, 'hex'))).toThrow(new SpdyError(message)));
});

test('encodeRstStream', () =>
  expect(encodeRstStream(5, 3).toString('hex')).toBe('80030003' + '00000008' + '00000005' + '00000003'));
