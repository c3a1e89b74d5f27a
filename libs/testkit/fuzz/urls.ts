import type { Dice } from './dice.js';
import { nasty } from './values.js';

const SELECTORS = [
  'a=b',
  'a in (b,c)',
  '!a',
  'a notin (',
  'app',
  'a==b,c!=d',
  '=',
  ',,,',
  'x>1',
  'a=b=c',
  'metadata.name=a',
  'metadata.name!=a',
  'status.phase=Running',
  '__proto__=1',
  'constructor=1',
  'spec.nodeName=',
];

/** Options of a request, one to three, or none. */
export function queryOf(dice: Dice, method: string): string {
  if (dice.chance(75)) return method === 'PATCH' ? 'fieldManager=m' : '';
  const options: (() => string)[] = [
    () => `labelSelector=${encodeSafely(dice.pick(SELECTORS))}`,
    () => `fieldSelector=${encodeSafely(dice.pick(SELECTORS))}`,
    () => `limit=${dice.pick(['1', '0', '-1', 'x', '99999999999999999999', '2'])}`,
    () =>
      `continue=${dice.pick(['x', 'e30', Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: dice.pick([1, -1, 1e300, 'x', null]), start: dice.pick(['a/b\u0000', 'a', '/', '', 7]) })).toString('base64url')])}`,
    () => `resourceVersion=${dice.pick(['0', '1', 'x', '-1', '99999999999', ''])}`,
    () => `resourceVersionMatch=${dice.pick(['Exact', 'NotOlderThan', 'x'])}`,
    () => 'watch=true',
    () => 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    () => 'allowWatchBookmarks=1',
    () => `timeoutSeconds=${dice.pick(['1', 'x', '-1', '99999999999'])}`,
    () => `dryRun=${dice.pick(['All', 'All', 'x', ''])}`,
    () => `fieldValidation=${dice.pick(['Strict', 'Ignore', 'Warn', 'x'])}`,
    () => `fieldManager=${encodeSafely(dice.pick(['m', 'kubectl', '\u0000', 'x'.repeat(200)]))}`,
    () => `force=${dice.pick(['true', 'x'])}`,
    () => 'pretty=true',
    () => `gracePeriodSeconds=${dice.pick(['0', '-1', 'x', '5'])}`,
    () => `propagationPolicy=${dice.pick(['Foreground', 'Orphan', 'x'])}`,
    () => `includeObject=${dice.pick(['None', 'Object', 'x'])}`,
    () => '%zz=%',
    () => `${encodeSafely(nasty(dice))}=1`,
    () => 'a&&=&;',
    () =>
      `container=${dice.pick(['app', 'x'])}&tailLines=${dice.pick(['1', 'x', '-1'])}&sinceSeconds=${dice.pick(['1', 'x'])}&limitBytes=${dice.pick(['0', '10', 'x'])}`,
    () => 'follow=true',
  ];
  const parts = Array.from({ length: 1 + dice.roll(3) }, () => dice.pick(options)());
  if (method === 'PATCH' && dice.chance(80)) parts.push('fieldManager=m');
  return parts.join('&');
}

/** A path with one of its parts exchanged. */
export function scrambled(dice: Dice, path: string): string {
  const parts = path.split('/');
  parts[dice.roll(parts.length)] = dice.pick([
    '',
    '..',
    '%2e%2e',
    '%zz',
    '%ff',
    'watch',
    '*',
    'a%2fb',
    encodeSafely(nasty(dice)),
  ]);
  return parts.join('/');
}

/** Half of a pair of surrogates has no UTF-8. */
export function encodeSafely(part: string): string {
  return encodeURIComponent(part.replace(/[\ud800-\udfff]/g, '\ufffd'));
}
