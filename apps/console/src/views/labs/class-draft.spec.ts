import { expect, test } from '@jest/globals';
import { EMPTY_CLASS, findClassFaults, sizeOf, toLearners, type ClassDraft } from './class-draft.js';

const draft = (part: Partial<ClassDraft>): ClassDraft => ({ ...EMPTY_CLASS, ...part });

test.each<[Partial<ClassDraft>, object]>([
  [{}, {}],
  [{ names: 'ada, bert\ncleo' }, {}],
  [{ names: 'Ada' }, { names: 'names' }],
  [{ names: 'ada ada' }, { names: 'names' }],
  [{ names: 'a'.repeat(41) }, { names: 'names' }],
  [{ count: '0' }, { count: 'number' }],
  [{ count: '201' }, { count: 'number' }],
  [{ count: '', names: 'ada' }, {}],
  [{ ttl: 'soon' }, { ttl: 'ttl' }],
  [{ ttl: '2h30m' }, {}],
])('%p has the faults %p', (part, faults) => expect(findClassFaults(draft(part))).toEqual(faults));

test('names go before a count', () => {
  const named = draft({ names: 'ada;bert', count: '5', ttl: '2h' });
  expect([toLearners(named), sizeOf(named)]).toEqual([{ names: ['ada', 'bert'], ttl: '2h' }, 2]);
  expect([toLearners(draft({ count: '30' })), sizeOf(draft({ count: '30' }))]).toEqual([{ count: 30 }, 30]);
});
