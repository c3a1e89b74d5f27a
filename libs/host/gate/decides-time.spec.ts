import { expect, test } from '@jest/globals';
import { decidesTime } from './decides-time.js';

test.each([
  ['clocks.terrarium.dev', true],
  ['advances.terrarium.dev', true],
  ['faults.terrarium.dev', true],
  ['podmachines.terrarium.dev', true],
  ['machinechanges.terrarium.dev', false],
  ['terminalinputs.terrarium.dev', false],
  ['pods', false],
  ['deployments.apps', false],
])('%s: %j', (resource, expected) => expect(decidesTime({ resource })).toBe(expected));
