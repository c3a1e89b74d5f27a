import { expect, test } from '@jest/globals';
import { byName, container, images, NOW, pod, running, terminated } from '../../../kubelet/testing.js';
import { stateOf } from '../../testing.js';
import { findListener } from './listeners.js';

const web = pod({ containers: [container('c')] });
const dying = { since: '2026-01-01T12:00:10.000000Z', at: '2026-01-01T12:01:40.000000Z', code: 0 };
const source = { state: stateOf(web), images };

test.each([
  ['was told to stop, and serves on: its machine says how long', 10_000, 'machine'],
  ['is about to end', 99_999, 'machine'],
  ['was to end', 100_000, 'none'],
])('a container that %s', (_what, sinceStart, expected) => {
  const view = { pod: web, statuses: byName(running('c')), records: { c: { dying } } };
  expect(findListener(view, 80, NOW + sinceStart, source)).toBe(expected);
});

test('a container that has ended listens nowhere', () => {
  const view = { pod: web, statuses: byName(terminated('c', 0)), records: {} };
  expect(findListener(view, 80, NOW, source)).toBe('none');
});
