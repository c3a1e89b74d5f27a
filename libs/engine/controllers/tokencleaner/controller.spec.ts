import { expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { Secrets } from '../../kinds/index.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import { MINUTE, timestamp } from '../../machinery/time/time.js';
import { controller } from './controller.js';

const TYPE = 'bootstrap.kubernetes.io/token';

test.each<[string, string, string, (now: number) => string | undefined, boolean]>([
  ['a token that has expired', TYPE, 'kube-system', (now) => timestamp(now + MINUTE), false],
  ['a token that is good yet', TYPE, 'kube-system', (now) => timestamp(now + 3 * MINUTE), true],
  ['a token that never expires', TYPE, 'kube-system', () => undefined, true],
  ['a token whose time cannot be read', TYPE, 'kube-system', () => 'tomorrow', false],
  ['a Secret of another namespace', TYPE, 'default', (now) => timestamp(now + MINUTE), true],
  ['a Secret of another type', 'Opaque', 'kube-system', (now) => timestamp(now + MINUTE), true],
])('%s is there after two minutes: %#', (_case, type, namespace, expirationAt, isThere) => {
  const bed = new ControllerBed({ controllers: [controller] });
  const expiration = expirationAt(bed.state.now);
  const data: Record<string, string> = expiration === undefined ? {} : { expiration: encodeBase64(expiration) };
  bed.create(Secrets, 'bootstrap-token-abcdef', { type, data }, { namespace });
  bed.settle(2 * MINUTE);
  expect(bed.client.list(Secrets, namespace)).toHaveLength(isThere ? 1 : 0);
  expect(bed.errors).toEqual([]);
});
