import { expect, test } from '@jest/globals';
import { parsePlaces, placesText, readMessage, terminalPath } from './places.js';

test('places are what their link says', () => {
  const text = 'node/n1,a/web,a/web/sidecar,node/pod/c';
  expect(parsePlaces(text).map(({ on }) => on)).toEqual(['node', 'container', 'container', 'container']);
  expect(placesText(parsePlaces(text))).toBe(text);
  expect(parsePlaces(',x,/y')).toEqual([]);
});

test('paths are those of docs/TERMINAL.md', () => {
  const [node, pod] = parsePlaces('node/n1,a/web/side');
  expect(terminalPath('id', node!, [])).toBe('/v1/clusters/id/nodes/n1/terminal');
  expect(terminalPath('id', pod!, ['bash', '-l'])).toBe(
    '/v1/clusters/id/namespaces/a/pods/web/terminal?command=bash&command=-l&container=side',
  );
});

test.each<[string, object | undefined]>([
  ['{"exit":{"code":2}}', { exit: { code: 2 } }],
  ['{"error":{"message":"no"}}', { error: { message: 'no' } }],
  ['{"exit":{}}', undefined],
  ['null', undefined],
  ['x', undefined],
])('%s', (text, message) => expect(readMessage(text)).toEqual(message));
