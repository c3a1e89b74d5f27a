import { expect, test } from '@jest/globals';
import type { Ingress } from '../../api/networking_v1.js';
import { kind as Ingresses } from '../../kinds/networking/ingress/kind.js';
import { kind as IngressClasses } from '../../kinds/networking/ingressclass/kind.js';
import { createRequest, objectOf, refusalOf } from '../testing.js';
import { plugin } from './plugin.js';

const DEFAULT = objectOf(IngressClasses, {
  metadata: { name: 'nginx', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
});

test.each<[string, object, boolean, string | undefined]>([
  ['without a class', {}, true, 'nginx'],
  ['without a class, where none is default', {}, false, undefined],
  ['of a class', { spec: { ingressClassName: 'traefik' } }, true, 'traefik'],
  ['of no class', { spec: { ingressClassName: '' } }, true, ''],
  ['of a class by annotation', { metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } } }, true, undefined],
])('an Ingress %s', (_, fields, hasDefault, ingressClassName) => {
  const request = createRequest(Ingresses, { object: objectOf(Ingresses, fields) }, hasDefault ? [DEFAULT] : []);
  expect(refusalOf(plugin, request)).toBeUndefined();
  expect((request.object as Ingress).spec.ingressClassName).toBe(ingressClassName);
});

test('an update stays without a class', () => {
  const [object, old] = [objectOf(Ingresses), objectOf(Ingresses)];
  refusalOf(plugin, createRequest(Ingresses, { object, old }, [DEFAULT]));
  expect(object.spec).toEqual({});
});
