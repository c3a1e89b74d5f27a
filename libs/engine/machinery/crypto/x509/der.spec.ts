import { describe, expect, test } from '@jest/globals';
import {
  bits,
  compareBytes,
  DerError,
  der,
  fields,
  integer,
  oid,
  readAll,
  readBits,
  readDer,
  readOid,
  readText,
  readTime,
  sequence,
  set,
  TAG,
  time,
  utf8,
} from './der.js';

describe('writing', () => {
  test.each([
    ['an empty sequence', sequence(), [0x30, 0]],
    ['text', utf8('é'), [0x0c, 2, 0xc3, 0xa9]],
    ['a number', integer(Uint8Array.of(0, 5)), [2, 1, 5]],
    ['a number whose first bit is set', integer(Uint8Array.of(0, 0x80)), [2, 2, 0, 0x80]],
    ['zero', integer(Uint8Array.of(0)), [2, 1, 0]],
    ['bits', bits(Uint8Array.of(0xa0), 5), [3, 2, 5, 0xa0]],
    ['a set in the order of its bytes', set(utf8('b'), utf8('a')), [0x31, 6, 0x0c, 1, 0x61, 0x0c, 1, 0x62]],
    ['an object identifier', oid('1.2.840.113549'), [6, 6, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d]],
  ])('%s', (_, written, bytes) => expect([...written]).toEqual(bytes));

  test.each([
    [0x7f, [4, 0x7f]],
    [0x80, [4, 0x81, 0x80]],
    [0x1234, [4, 0x82, 0x12, 0x34]],
    [0x12345, [4, 0x83, 0x01, 0x23, 0x45]],
  ])('a length of %i', (length, head) => {
    const bytes = der(TAG.octets, new Uint8Array(length));
    expect([...bytes.subarray(0, head.length)]).toEqual(head);
    expect(readDer(bytes).body).toHaveLength(length);
  });

  test.each([
    ['two digits of the year until 2049', Date.UTC(2049, 11, 31, 23, 59, 59), TAG.utcTime, '491231235959Z'],
    ['four digits from 2050 on', Date.UTC(2050, 0, 1), TAG.time, '20500101000000Z'],
  ])('a time: %s', (_, at, tag, text) => {
    const value = readDer(time(at));
    expect([value.tag, readText(value)]).toEqual([tag, text]);
  });
});

describe('reading', () => {
  test.each(['1.2.840.113549.1.9.14', '2.5.29.37.0', '2.16.840.1.101.3.4.2.1', '0.9.2342.19200300.100.1.1'])(
    'the identifier %s',
    (id) => expect(readOid(readDer(oid(id)))).toBe(id),
  );
  test.each([Date.UTC(1999, 0, 2), Date.UTC(2026, 0, 2, 3, 4, 5), Date.UTC(2049, 11, 31), Date.UTC(2120, 0, 1)])(
    'the time %i',
    (at) => expect(readTime(readDer(time(at)))).toBe(at),
  );
  test('every value, one after another', () =>
    expect(readAll(Uint8Array.of(5, 0, 2, 1, 7)).map(({ tag, body }) => [tag, ...body])).toEqual([[5], [2, 7]]));

  test.each([
    ['nothing', [], 'asn1: syntax error: truncated tag or length'],
    ['half a length', [0x30, 0x82, 1], 'asn1: syntax error: truncated tag or length'],
    ['half a body', [0x30, 5, 1], 'asn1: syntax error: data truncated'],
    ['no length', [0x30, 0x80, 0, 0], 'asn1: syntax error: indefinite length found (not DER)'],
    ['too long a length', [0x30, 0x88, 1, 1, 1, 1, 1, 1, 1, 1], 'asn1: structure error: length too large'],
  ])('%s is refused', (_, bytes, message) =>
    expect(() => readDer(Uint8Array.from(bytes))).toThrow(new DerError(message)),
  );
  test.each([
    ['another tag', () => fields(readDer(utf8('a'))), "asn1: structure error: tags don't match"],
    ['a field that is not there', () => fields(undefined), 'asn1: syntax error: sequence truncated'],
    ['no bits', () => readBits({ tag: TAG.bits, body: new Uint8Array(), whole: new Uint8Array() }), 'zero length'],
    [
      'bits that do not fill their bytes',
      () => readBits(readDer(bits(Uint8Array.of(0x80), 7))),
      'invalid padding bits',
    ],
    ['text that is not UTF-8', () => readText({ body: Uint8Array.of(0xff) }), 'x509: invalid UTF-8 string'],
    ['a time without seconds', () => readTime(readDer(der(TAG.utcTime, Uint8Array.of(0x31)))), "tags don't match"],
  ])('%s is refused', (_, read, message) => {
    expect(read).toThrow(DerError);
    expect(read).toThrow(message);
  });
});

test.each([
  [[1, 2], [1, 2], 0],
  [[1, 2], [1, 3], -1],
  [[2], [1, 3], 1],
  [[1], [1, 0], -1],
])('%j against %j', (a, b, sign) => expect(Math.sign(compareBytes(Uint8Array.from(a), Uint8Array.from(b)))).toBe(sign));
