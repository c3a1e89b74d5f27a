import { expect, it } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import type { CustomResourceDefinition } from '../../api/apiextensions_v1.js';
import { CustomResourceDefinitions } from '../../kinds/index.js';
import { controller } from './controller.js';

const crd = (plural: string, kind: string): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
  status: {},
});
const conditions = (bed: ControllerBed, name: string): string[] =>
  bed
    .get(CustomResourceDefinitions, name)
    .status!.conditions!.map((c) => `${c.type} ${c.status} ${c.reason}: ${c.message}`);

it('a definition is established, unless its names are taken', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.client.create(CustomResourceDefinitions, crd('widgets', 'Widget'));
  bed.settle();
  bed.client.create(CustomResourceDefinitions, crd('gadgets', 'Widget'));
  bed.settle();
  expect(conditions(bed, 'widgets.example.com')).toEqual([
    'NamesAccepted True NoConflicts: no conflicts found',
    'Established True InitialNamesAccepted: the initial names have been accepted',
  ]);
  expect(bed.get(CustomResourceDefinitions, 'widgets.example.com').status!.storedVersions).toEqual(['v1']);
  expect(conditions(bed, 'gadgets.example.com')[1]).toBe('Established False NotAccepted: not all names are accepted');
  expect(bed.errors).toEqual([]);
  expect(bed.restart()).toBe(0);
});

it('a definition whose conversion webhook can never be trusted is not established; a blank authority is none', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  const converted = (caBundle: string): CustomResourceDefinition => {
    const made = crd('widgets', 'Widget');
    made.spec.conversion = {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { namespace: 'default', name: 'hook', port: 443 }, caBundle },
      },
    };
    return made;
  };
  const replace = (caBundle: string): void => {
    bed.client.update(CustomResourceDefinitions, {
      ...bed.get(CustomResourceDefinitions, 'widgets.example.com'),
      spec: converted(caBundle).spec,
    });
    bed.settle();
  };
  const NONSENSE = 'bm9uc2Vuc2U=';
  bed.client.create(CustomResourceDefinitions, converted(NONSENSE));
  bed.settle();
  expect(conditions(bed, 'widgets.example.com')[1]).toBe(
    'Established False InvalidCABundle: The conversion webhook CABundle is invalid',
  );
  replace('Cg==');
  expect(conditions(bed, 'widgets.example.com')[1]).toMatch(/^Established True/);
  expect(() => replace(NONSENSE)).toThrow(
    'spec.conversion.webhookClientConfig.caBundle: Invalid value: "bm9uc2Vuc2U=": unable to load root certificates: unable to parse bytes as PEM block',
  );
});
