import { expect, test } from '@jest/globals';
import { originOf, parseEmbedRequest } from './embed-messages.js';

test.each<[unknown, unknown]>([
  [
    { type: 'terrarium:show', view: 'overview', moment: '12' },
    { type: 'terrarium:show', view: 'overview', moment: '12' },
  ],
  [{ type: 'terrarium:show', more: 1 }, { type: 'terrarium:show' }],
  [
    { type: 'terrarium:token', token: 'tc_a.b.c' },
    { type: 'terrarium:token', token: 'tc_a.b.c' },
  ],
  [{ type: 'terrarium:token', token: 'tk_key' }, undefined],
  [{ type: 'terrarium:show', view: '../operator' }, undefined],
  [{ type: 'terrarium:show', moment: 12 }, undefined],
  [{ type: 'other' }, undefined],
  ['terrarium:show', undefined],
  [null, undefined],
])('%j is the request %j', (data, request) => expect(parseEmbedRequest(data)).toEqual(request));

test.each([
  ['?origin=https://learn.example.com', 'https://learn.example.com'],
  ['?origin=https://learn.example.com/page', undefined],
  ['?origin=*', undefined],
  ['?origin=null', undefined],
  ['', undefined],
])('%s names %s', (search, origin) => expect(originOf(search)).toBe(origin));
