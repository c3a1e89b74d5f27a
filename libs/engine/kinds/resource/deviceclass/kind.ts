import type { DeviceClass } from '../../../api/resource_v1.js';
import { Path } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { validateEach, validateTextPointer } from '../../field-validation.js';
import { ageColumn, nameColumn } from '../../columns.js';
import { isExtendedResourceName } from '../../core/resource-names.js';
import { validateOpaque, validateSelectors } from '../claims.js';

/** Models pkg/registry/resource/deviceclass. */
export const kind = defineKind<DeviceClass>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  singular: 'deviceclass',
  scope: 'Cluster',
  returnsDeleted: true,
  definition: 'io.k8s.api.resource.v1.DeviceClass',
  generation: true,
  columns: [nameColumn, ageColumn],
  validate: ({ spec }) => [
    ...validateSelectors(spec.selectors, Path.of('spec', 'selectors')),
    ...validateEach(spec.config, Path.of('spec', 'config'), (config, at) => validateOpaque(config.opaque, at)),
    ...validateTextPointer(Path.of('spec', 'extendedResourceName'), spec.extendedResourceName, (name) =>
      isExtendedResourceName(name) ? [] : ['must be a valid extended resource name'],
    ),
  ],
});
