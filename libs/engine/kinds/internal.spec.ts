import { expect, test } from '@jest/globals';
import { asInternal, pointer, type Struct } from './internal.js';

const SHAPE: Struct = {
  Name: '',
  UID: '',
  Count: 0,
  Enabled: false,
  CIDRs: null,
  APIGroup: '',
  Ref: { Kind: '' },
  Items: [{ NodeName: '' }],
  Optional: pointer({ Value: 0 }),
};

test('a field that is absent prints as the zero value of its type', () =>
  expect(JSON.stringify(asInternal(SHAPE, {}))).toBe(
    '{"Name":"","UID":"","Count":0,"Enabled":false,"CIDRs":null,"APIGroup":"","Ref":{"Kind":""},"Items":null,"Optional":null}',
  ));

test('a field that is there is found by its JSON name', () =>
  expect(
    asInternal(SHAPE, {
      name: 'a',
      uid: 'u',
      cidrs: ['10.0.0.0/8'],
      apiGroup: 'g',
      ref: { kind: 'K' },
      items: [{ nodeName: 'n' }],
      optional: {},
    }),
  ).toEqual({
    Name: 'a',
    UID: 'u',
    Count: 0,
    Enabled: false,
    CIDRs: ['10.0.0.0/8'],
    APIGroup: 'g',
    Ref: { Kind: 'K' },
    Items: [{ NodeName: 'n' }],
    Optional: { Value: 0 },
  }));
