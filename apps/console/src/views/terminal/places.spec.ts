import { expect, test } from '@jest/globals';
import { parsePlaces, placesText, readMessage, terminalPath } from './places.js';

test('places are what their link says', () => {
  const text = 'node/n1,a/web,a/web/sidecar,node/pod/c';
  expect(parsePlaces(text).map(({ on }) => on)).toEqual(['node', 'container', 'container', 'container']);
  expect(placesText(parsePlaces(text))).toBe(text);
  expect(parsePlaces(',x,/y,a/b/c/d,attach/a//c')).toEqual([]);
  const attached = 'attach/a/web,attach/a/web/,attach/a/web/side';
  expect(parsePlaces(attached).map(({ on }) => on)).toEqual(['container', 'attach', 'attach']);
  expect(placesText(parsePlaces(attached))).toBe(attached);
});

test('paths are those of docs/TERMINAL.md', () => {
  const [node, pod, shell, attach] = parsePlaces('node/n1,a/web/side,a/web,attach/a/web/side');
  const web = '/v1/clusters/id/namespaces/a/pods/web/terminal';
  expect(terminalPath('id', node!)).toBe('/v1/clusters/id/nodes/n1/terminal');
  expect(terminalPath('id', pod!)).toBe(`${web}?container=side`);
  expect(terminalPath('id', shell!)).toBe(web);
  expect(terminalPath('id', attach!)).toBe(`${web}?container=side&attach=true`);
  expect(terminalPath('id', attach!, { stdin: false, tty: false })).toBe(
    `${web}?container=side&attach=true&stdin=false&tty=false`,
  );
});

test.each<[string, object | undefined]>([
  ['{"exit":{"code":2}}', { exit: { code: 2 } }],
  ['{"error":{"message":"no"}}', { error: { message: 'no' } }],
  ['{"exit":{}}', undefined],
  ['null', undefined],
  ['x', undefined],
])('%s', (text, message) => expect(readMessage(text)).toEqual(message));
