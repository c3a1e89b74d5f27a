import { expect, test } from '@jest/globals';
import type { Machine } from '../../../../engine/kernel/machine.js';
import { image } from '../../../catalog/memcached/image.js';
import { programs } from '../../../programs/index.js';
import { BOOT, exchange, execute, logOf, runTo, startImage } from '../../testing.js';

function serve(): Machine {
  const machine = startImage(image, programs);
  runTo(machine, BOOT + 1_000);
  return machine;
}

test.each([
  ['set a 5 0 3\r\nabc\r\nget a b\r\n', 'STORED\r\nVALUE a 5 3\r\nabc\r\nEND\r\n'],
  ['add a 0 0 1\r\nx\r\nadd a 0 0 1\r\ny\r\n', 'STORED\r\nNOT_STORED\r\n'],
  ['replace a 0 0 1\r\nx\r\nappend a 0 0 1\r\nx\r\n', 'NOT_STORED\r\nNOT_STORED\r\n'],
  [
    'set a 0 0 1\r\nx\r\nappend a 0 0 1\r\ny\r\nprepend a 0 0 1\r\nw\r\nget a\r\n',
    'STORED\r\nSTORED\r\nSTORED\r\nVALUE a 0 3\r\nwxy\r\nEND\r\n',
  ],
  ['set n 0 0 2\r\n10\r\nincr n 5\r\ndecr n 100\r\n', 'STORED\r\n15\r\n0\r\n'],
  [
    'set n 0 0 1\r\nx\r\nincr n 1\r\nincr m 1\r\n',
    'STORED\r\nCLIENT_ERROR cannot increment or decrement non-numeric value\r\nNOT_FOUND\r\n',
  ],
  ['set a 0 -1 1\r\nx\r\nget a\r\n', 'STORED\r\nEND\r\n'],
  [
    'set a 0 0 1 noreply\r\nx\r\ngets a\r\ncas a 0 0 1 1\r\ny\r\ncas a 0 0 1 1\r\nz\r\n',
    'VALUE a 0 1 1\r\nx\r\nEND\r\nSTORED\r\nEXISTS\r\n',
  ],
  ['set a 0 0 1\r\nx\r\ndelete a\r\ndelete a\r\n', 'STORED\r\nDELETED\r\nNOT_FOUND\r\n'],
  [
    'set __proto__ 0 0 1\r\nx\r\nflush_all\r\nget __proto__\r\nversion\r\n',
    'STORED\r\nOK\r\nEND\r\nVERSION 1.6.40\r\n',
  ],
  ['nope\r\nset a\r\nset a x 0 1\r\nget\r\n', 'ERROR\r\nERROR\r\nCLIENT_ERROR bad command line format\r\nERROR\r\n'],
  ['set a 0 0 1\r\nxyz\r\n', 'CLIENT_ERROR bad data chunk\r\n'],
  [`set a 0 0 2000000\r\n`, 'SERVER_ERROR object too large for cache\r\n'],
])('%j', (sent, expected) => {
  expect(exchange(serve(), 11_211, `${sent}quit\r\n`).slice(0, expected.length)).toBe(expected);
});

test('what was not used for longest makes room, and a stop empties it', () => {
  const machine = startImage(image, programs, { argv: ['docker-entrypoint.sh', '-m', '1'] });
  const value = 'x'.repeat(50_000);
  for (let i = 0; i < 25; i++)
    exchange(machine, 11_211, `set k${i} 0 0 50000\r\n${value}\r\nquit\r\n`, machine.now, 100);
  expect(exchange(machine, 11_211, 'get k0\r\nquit\r\n')).toBe('END\r\n');
  expect(exchange(machine, 11_211, 'stats\r\nquit\r\n')).toContain('STAT curr_items 20\r\n');
  execute(machine, ['sh', '-c', 'kill 1']);
  expect(machine.container('c1').exit?.code).toBe(0);
  expect(logOf(machine, 'stderr')).toBe('Signal handled: Terminated.\n');
});
