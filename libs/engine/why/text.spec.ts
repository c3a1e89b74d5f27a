import { expect, test } from '@jest/globals';
import type { PastChange } from '../machinery/past-change.js';
import { actorText, answerText, changeText, stepOf } from './text.js';

test.each([
  ['system:serviceaccount:kube-system:deployment-controller', 'deployment-controller'],
  ['system:serviceaccount:shop:deployer', 'service account shop/deployer'],
  ['system:node:worker-1', 'the kubelet of worker-1'],
  ['system:kube-scheduler', 'kube-scheduler'],
  ['jane', 'jane'],
])('%s is %s', (actor, text) => expect(actorText(actor)).toBe(text));

const change = (more: Partial<PastChange>): PastChange => ({
  ...{ revision: 7, at: 0, actor: 'jane', cause: 0, verb: 'update', fields: [] },
  ...{ resource: 'deployments.apps', namespace: 'shop', name: 'web' },
  ...more,
});

test.each<[Partial<PastChange>, string]>([
  [{ verb: 'create' }, 'jane created deployment/shop/web'],
  [{ fields: ['spec', 'metadata.labels'] }, 'jane changed deployment/shop/web (spec, metadata.labels)'],
  [{ fields: ['metadata.deletionTimestamp'] }, 'jane asked to delete deployment/shop/web'],
  [{ verb: 'delete' }, 'jane deleted deployment/shop/web'],
])('%j', (more, text) => expect(changeText(change(more), 'deployment')).toBe(text));

test('an answer is read from the reason to how it came about', () => {
  const finding = (object: string, details?: string[]) => ({ object, reason: 'Bad', message: 'is bad', details });
  const chain = [stepOf(change({ verb: 'create' }), 'deployment'), stepOf(change({ cause: 7, fields: ['spec'] }))];
  const findings = [finding('pod/a', ['more']), finding('pod/b', ['else'])];
  expect(answerText({ reason: 'Bad', message: 'is bad', findings, chain, chainEnds: 'it was there' })).toBe(
    [
      'is bad',
      '  more',
      'pod/b: Bad: is bad',
      '  else',
      '',
      'How it came about:',
      '  ... it was there',
      '  7 1970-01-01T00:00:00Z jane created deployment/shop/web',
      '  7 1970-01-01T00:00:00Z jane changed deployments/shop/web (spec), because of 7',
      '',
    ].join('\n'),
  );
});
