import { expect, test } from '@jest/globals';
import type { Machine } from '../../../engine/kernel/machine.js';
import { parseReference } from '../../../engine/node/cri/images/reference.js';
import { allImages } from '../../catalog/all.js';
import { programs } from '../../programs/index.js';
import { BOOT, get, logOf, runTo, startImage } from '../testing.js';

function run(script: string): Machine {
  const { repository } = parseReference('busybox')!;
  const image = allImages.find(({ repositories }) => repositories.includes(repository))!;
  const machine = startImage(image, programs, { argv: ['sh', '-c', script] });
  runTo(machine, BOOT + 5_000);
  return machine;
}
const PREPARE = 'mkdir -p /www/sub; echo home > /www/index.html; echo text > /www/sub/a.txt;';

test.each([
  ['in the foreground', `${PREPARE} exec httpd -f -p 8080 -h /www`],
  ['as an argument of busybox', `${PREPARE} cd /www; exec busybox httpd -fp 0.0.0.0:8080`],
  ['in the background', `${PREPARE} httpd -p 8080 -h /www; sleep 1000`],
])('httpd serves files %s', (_, script) => {
  const machine = run(script);
  expect(get(machine, 8080, '/')).toMatchObject({
    ...{ status: 200, body: 'home\n' },
    head: expect.stringMatching(/content-type: text\/html/i),
  });
  expect(get(machine, 8080, '/sub/a.txt')).toMatchObject({ status: 200, body: 'text\n' });
  expect(get(machine, 8080, '/sub')).toMatchObject({
    ...{ status: 302, head: expect.stringMatching(/location: \/sub\//i) },
  });
  expect(get(machine, 8080, '/none')).toMatchObject({ status: 404 });
});

test('httpd listens at the address that it is told', () => {
  const machine = run(`${PREPARE} httpd -p 127.0.0.1:8080 -h /www; sleep 1; netstat -tln; sleep 1000`);
  expect(logOf(machine, 'stdout')).toContain('127.0.0.1:8080');
});

test.each([
  ['httpd -f -p', /^httpd: option requires an argument -- 'p'\nBusyBox /],
  ['httpd -f -h /none', /^httpd: can't change directory to '\/none': No such file or directory\n$/],
])('%s says why it does not start', (script, expected) => expect(logOf(run(script), 'stderr')).toMatch(expected));
