import { expect, test } from '@jest/globals';
import { WireReader } from '../serializer/wire-reader.js';
import { encodeOpenApiV2 } from './proto.js';
import { KINDS } from './testing.js';
import { openApiV2 } from './v2.js';

/** Texts at a path of field numbers, each a message within the one before. */
function texts(reader: WireReader, [number, ...rest]: number[], found: string[] = []): string[] {
  while (!reader.done) {
    const tag = reader.tag();
    if (tag.number !== number) reader.skip(tag.wire);
    else if (rest.length > 0) texts(reader.message(), rest, found);
    else found.push(reader.string());
  }
  return found;
}
const bytes = encodeOpenApiV2(openApiV2(KINDS));
const at = (...path: number[]) => texts(new WireReader(bytes), path);
test('names every definition and every path', () => {
  const doc = openApiV2(KINDS) as { definitions: object; paths: object };
  expect(at(9, 1, 1)).toEqual(Object.keys(doc.definitions));
  expect(at(8, 2, 1)).toEqual(Object.keys(doc.paths));
});
test('tells merge keys as vendor extensions', () =>
  expect(at(9, 1, 2, 25, 1, 2, 31, 1)).toContain('x-kubernetes-patch-merge-key'));
test('begins with its version', () => expect(at(1)).toEqual(['2.0']));
