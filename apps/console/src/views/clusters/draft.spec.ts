import { expect, test } from '@jest/globals';
import { EMPTY_DRAFT, findFaults, parseLabels, proposeName, toBatch, type Draft } from './draft.js';

const draft = (change: Partial<Draft> = {}): Draft => ({ ...EMPTY_DRAFT, name: 'web', ...change });

test.each<[string, Partial<Draft>, object]>([
  ['a name is enough', {}, {}],
  ['a name is a label', { name: 'Web_1' }, { name: 'name' }],
  ['a name is needed', { name: '' }, { name: 'name' }],
  ['counts are whole', { count: '1.5', nodes: '-1' }, { count: 'number', nodes: 'number' }],
  ['counts have a limit', { count: '201', nodes: '201' }, { count: 'number', nodes: 'number' }],
  ['no node is a number of nodes', { nodes: '0' }, {}],
  ['labels are pairs', { labels: 'a=b=c' }, { labels: 'labels' }],
  ['an end is a duration', { ttl: 'soon' }, { ttl: 'ttl' }],
  ['an end may have parts', { ttl: '1h30m' }, {}],
])('%s', (_, change, faults) => expect(findFaults(draft(change))).toEqual(faults));

test.each([
  ['', {}],
  ['course=cka, level=1', { course: 'cka', level: '1' }],
  ['exam', { exam: '' }],
  ['=x', undefined],
])('labels of %j', (text, labels) => expect(parseLabels(text)).toEqual(labels));

test('a draft is a body, which leaves the server what it may choose', () => {
  expect(toBatch(draft())).toEqual({ items: [{ name: 'web', count: 1, nodes: 2, speed: 'realistic', labels: {} }] });
  const full = draft({ count: '30', version: 'v1.35', isDualStack: true, labels: 'a=b', ttl: '2h' });
  expect(toBatch(full)).toEqual({
    items: [
      {
        name: 'web',
        count: 30,
        nodes: 2,
        speed: 'realistic',
        version: 'v1.35',
        ipFamilies: ['IPv4', 'IPv6'],
        labels: { a: 'b' },
        ttl: '2h',
      },
    ],
  });
});

test('a name that is proposed is free', () => {
  expect(proposeName(new Set(), 0)).toBe('fern');
  expect(proposeName(new Set(['fern']), 0)).toBe('moss');
  const taken = new Set<string>();
  for (let i = 0; i < 30; i++) {
    const name = proposeName(taken, 0.5);
    expect(taken.has(name)).toBe(false);
    taken.add(name);
  }
});
