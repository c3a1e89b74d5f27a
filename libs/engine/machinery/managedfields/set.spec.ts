import { describe, expect, it } from '@jest/globals';
import { difference, eachPath, intersection, NONE, parseSet, pathText, union, type FieldSet } from './set.js';

const leaf = NONE;

describe('sets', () => {
  const a: FieldSet = { 'f:x': { '.': leaf, 'f:y': leaf }, 'f:z': leaf };
  it.each([
    ['union', union({ 'f:x': { 'f:y': leaf } }, { 'f:x': leaf }), { 'f:x': { '.': leaf, 'f:y': leaf } }],
    [
      'union with a leaf keeps what is below',
      union({ 'f:x': leaf }, { 'f:x': { 'f:y': leaf } }),
      { 'f:x': { '.': leaf, 'f:y': leaf } },
    ],
    [
      'difference takes a member and leaves its children',
      difference(a, { 'f:x': leaf }),
      { 'f:x': { 'f:y': leaf }, 'f:z': leaf },
    ],
    [
      'difference takes a child and leaves the member',
      difference(a, { 'f:x': { 'f:y': leaf } }),
      { 'f:x': leaf, 'f:z': leaf },
    ],
    ['difference of all is nothing', difference(a, a), {}],
    ['intersection', intersection(a, { 'f:x': { 'f:y': leaf }, 'f:q': leaf }), { 'f:x': { 'f:y': leaf } }],
  ])('%s', (_text, is, expected) => expect(is).toEqual(expected));

  it('are printed as upstream prints paths', () => {
    const paths: string[] = [];
    eachPath(
      {
        'f:spec': {
          'k:{"port":80,"protocol":"TCP"}': { '.': leaf, 'f:name': leaf },
          'v:"a"': leaf,
          'i:3': leaf,
          'f:b': leaf,
        },
      },
      (path) => paths.push(pathText(path)),
    );
    expect(paths).toEqual([
      '.spec.b',
      '.spec[3]',
      '.spec[port=80,protocol="TCP"]',
      '.spec[="a"]',
      '.spec[port=80,protocol="TCP"].name',
    ]);
  });

  it.each([
    ['keys are put in order', { 'k:{"b":1, "a":2}': {} }, { 'k:{"a":2,"b":1}': leaf }],
    ['a member alone is a leaf', { 'f:a': { '.': {} } }, { 'f:a': leaf }],
    ['an unknown element is refused', { a: {} }, undefined],
    ['a broken key is refused', { 'k:{': {} }, undefined],
    ['a value that is no object is refused', { 'f:a': 1 }, undefined],
  ])('of clients: %s', (_text, given, expected) => expect(parseSet(given)).toEqual(expected));
});
