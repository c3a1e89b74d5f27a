import { expect, test } from '@jest/globals';
import { programs } from './index.js';

test.each(['dash', 'ash', 'bash', 'coreutils:ls', 'busybox:cat'])('%s is a program', (name) =>
  expect(programs.find(name)).toBeDefined(),
);

test('another name is none', () => expect(programs.find('toString')).toBeUndefined());
