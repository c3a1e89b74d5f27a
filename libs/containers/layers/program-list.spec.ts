import { expect, test } from '@jest/globals';
import { parseProgramList } from './program-list.js';

test.each([
  ['/usr/bin curl curl', [{ path: '/usr/bin/curl', name: 'curl', program: 'curl:curl' }]],
  ['/usr/bin netcat nc=netcat:nc', [{ path: '/usr/bin/nc', name: 'nc', program: 'netcat:nc' }]],
  ['/usr/bin coreutils [', [{ path: '/usr/bin/[', name: '[', program: 'coreutils:[' }]],
])('%s', (list, programs) => {
  expect(parseProgramList(list)).toEqual(programs);
});
