import { describe, expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import type { Secret } from '../../api/core_v1.js';
import { ConfigMaps, Secrets, ServiceAccounts } from '../../kinds/index.js';
import { decodeBase64Text, decodeBase64Url } from '../../machinery/text/base64.js';
import { controller } from './controller.js';

const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';
const KEY = { namespace: 'default', name: 'robot-token' };

function newBed(annotations: { [name: string]: string } = { [NAME]: 'robot' }, data: Secret['data'] = {}) {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.create(ConfigMaps, 'kube-root-ca.crt', { data: { 'ca.crt': 'PEM' } }, { namespace: 'kube-system' });
  const { uid } = bed.create(ServiceAccounts, 'robot').metadata;
  bed.create(Secrets, KEY.name, { type: 'kubernetes.io/service-account-token', data }, { annotations });
  return { bed: bed.settle(), uid };
}
const secretOf = (bed: ControllerBed): Secret | undefined => bed.client.get(Secrets, KEY);
const field = (bed: ControllerBed, name: string): string => decodeBase64Text(secretOf(bed)!.data![name]!);

test('a Secret that names an account gets its token, the CA and the namespace', () => {
  const { bed, uid } = newBed();
  expect(secretOf(bed)!.metadata.annotations).toEqual({ [NAME]: 'robot', [UID]: uid });
  expect([field(bed, 'namespace'), field(bed, 'ca.crt')]).toEqual(['default', 'PEM']);
  const claims = new TextDecoder().decode(decodeBase64Url(field(bed, 'token').split('.')[1]!));
  expect(JSON.parse(claims)).toEqual({
    iss: 'kubernetes/serviceaccount',
    'kubernetes.io/serviceaccount/namespace': 'default',
    'kubernetes.io/serviceaccount/secret.name': 'robot-token',
    'kubernetes.io/serviceaccount/service-account.name': 'robot',
    'kubernetes.io/serviceaccount/service-account.uid': uid,
    sub: 'system:serviceaccount:default:robot',
  });
  expect(bed.errors).toEqual([]);
  expect(bed.restart()).toBe(0);
});

test('fields that are taken away come back; a token that is there stays', () => {
  const { bed } = newBed();
  const before = secretOf(bed)!;
  const { namespace: _, ...data } = before.data!;
  bed.client.update(Secrets, { ...before, data: { ...data, extra: 'eA==' } });
  bed.settle();
  expect(secretOf(bed)!.data).toEqual({ ...before.data, extra: 'eA==' });
});

describe('a Secret is deleted', () => {
  test('with its account', () => {
    const { bed } = newBed();
    bed.client.delete(ServiceAccounts, { namespace: 'default', name: 'robot' });
    bed.settle();
    expect(secretOf(bed)).toBeUndefined();
  });

  test('when its account has been made anew', () => {
    const { bed } = newBed();
    bed.client.delete(ServiceAccounts, { namespace: 'default', name: 'robot' });
    bed.create(ServiceAccounts, 'robot');
    bed.settle();
    expect(secretOf(bed)).toBeUndefined();
  });

  test.each([
    ['when its account never was', { [NAME]: 'ghost' }],
    ['when it names the uid of another account', { [NAME]: 'robot', [UID]: 'no-such-uid' }],
  ])('%s', (_, annotations) => {
    expect(secretOf(newBed(annotations).bed)).toBeUndefined();
  });
});

test('Secrets of other types are left alone', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.create(Secrets, KEY.name, { type: 'Opaque' }, { annotations: { [NAME]: 'ghost' } });
  expect(secretOf(bed.settle())?.metadata.annotations).toEqual({ [NAME]: 'ghost' });
});
