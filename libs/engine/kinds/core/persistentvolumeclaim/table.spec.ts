import { expect, test } from '@jest/globals';
import { accessModesText } from './table.js';

test.each<[string[] | undefined, string]>([
  [undefined, ''],
  [['ReadWriteMany', 'ReadOnlyMany', 'ReadWriteOnce'], 'RWO,ROX,RWX'],
  [['ReadWriteOncePod'], 'RWOP'],
])('the access modes %j are %j', (modes, text) => expect(accessModesText(modes)).toBe(text));
