import { expect, test } from '@jest/globals';
import type { Kind } from '../../machinery/kind.js';
import { NONE } from '../../machinery/managedfields/index.js';
import { Widgets } from '../../runtime/testing.js';
import { resetFieldsFilter } from './reset-fields.js';

const METADATA = { 'f:labels': NONE, 'f:annotations': NONE };
const SET = { 'f:metadata': METADATA, 'f:spec': { 'f:size': NONE }, 'f:status': { 'f:seen': NONE } };
const keeps = (...statusKeeps: NonNullable<Kind['statusKeeps']>): Kind => ({ ...Widgets, statusKeeps });

test.each<[string, Kind, string, object]>([
  ['the object', Widgets, '', { 'f:metadata': METADATA, 'f:spec': { 'f:size': NONE } }],
  ['an object without a status', { ...Widgets, subresources: {} }, '', SET],
  ['an action', Widgets, 'resize', SET],
  ['the status', Widgets, 'status', { 'f:metadata': METADATA, 'f:status': { 'f:seen': NONE } }],
  [
    'the status of a kind that keeps its labels',
    keeps('labels'),
    'status',
    { 'f:metadata': { 'f:annotations': NONE }, 'f:status': { 'f:seen': NONE } },
  ],
  [
    'the status of a kind that keeps both',
    keeps('labels', 'annotations'),
    'status',
    { 'f:status': { 'f:seen': NONE } },
  ],
])('a write of %s owns the fields that it can change', (_, kind, subresource, expected) =>
  expect(resetFieldsFilter(kind, subresource)(SET)).toEqual(expected),
);
