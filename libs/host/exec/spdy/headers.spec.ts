import { inflateSync, constants } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SpdyError } from './frames.js';
import { DICTIONARY, HeaderReader, HeaderWriter, encodeHeaderBlock } from './headers.js';
import { DeflatedHeaders } from './testing.js';

let reader: HeaderReader;
let client: DeflatedHeaders;
beforeEach(() => {
  reader = new HeaderReader();
  client = new DeflatedHeaders();
});
afterEach(() => reader.close());

test('the dictionary is the one of SPDY/3: its checksum is in the first bytes of every connection', async () => {
  expect(DICTIONARY).toHaveLength(1423);
  expect((await client.encode({})).subarray(2, 6).toString('hex')).toBe('e3c6a7c2');
});

test('blocks of one connection', async () => {
  const blocks: Record<string, string>[] = [
    { streamtype: 'error', port: '80', requestid: '0' },
    {},
    { StreamType: 'data', port: '80' },
  ];
  const read = [];
  for (const block of blocks) read.push(Object.fromEntries(await reader.read(await client.encode(block))));
  expect(read).toEqual([blocks[0], {}, { streamtype: 'data', port: '80' }]);
});

describe('is refused', () => {
  test.each<[string, () => Promise<Buffer>]>([
    ['what is no zlib', async () => Buffer.from('nonsense')],
    ['a block without a count', async () => Buffer.alloc(0)],
    ['a block that decompresses to 1 MiB', () => client.encode({ a: 'x'.repeat(1024 * 1024) })],
  ])('%s', async (_, make) => {
    const error = await reader.read(await make()).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(SpdyError);
  });

  test('every block after a bad one', async () => {
    await expect(reader.read(Buffer.from('nonsense'))).rejects.toThrow(SpdyError);
    await expect(reader.read(await client.encode({}))).rejects.toThrow('headers after the end');
  });

  test.each([
    ['a count beyond its end', '00000005'],
    ['a name beyond its end', '00000001' + 'ffffffff' + '61'],
  ])('%s', async (_, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    // A stored block of zlib.
    const header = Buffer.from([0x78, 0x01, 0, bytes.length, 0, ~bytes.length & 0xff, 0xff]);
    await expect(reader.read(Buffer.concat([header, bytes]))).rejects.toThrow('a header block that ends early');
  });
});

test('what is written ends with a sync flush, without which Go does not read it', () => {
  const writer = new HeaderWriter();
  expect(writer.write({}).toString('hex')).toBe('7801' + '000400fbff' + '00000000' + '000000ffff');
  expect(writer.write({}).toString('hex')).toBe('000400fbff' + '00000000' + '000000ffff');
});

test('what is written can be read, by zlib and by the reader', async () => {
  const writer = new HeaderWriter();
  const blocks: Record<string, string>[] = [{}, { status: '200' }];
  const written = blocks.map((block) => writer.write(block));
  const options = { finishFlush: constants.Z_SYNC_FLUSH };
  expect(inflateSync(Buffer.concat(written), options)).toEqual(
    Buffer.concat(blocks.map((block) => encodeHeaderBlock(block))),
  );
  for (const [i, bytes] of written.entries()) expect(Object.fromEntries(await reader.read(bytes))).toEqual(blocks[i]);
});
