import type { CustomResourceConversion, CustomResourceDefinition } from '../../../api/apiextensions_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { createdAtColumn, nameColumn } from '../../columns.js';
import { formatWarnings } from './formats.js';
import { validateDefinition, validateDefinitionUpdate } from './validation.js';

const HTTPS_PORT = 443;

/**
 * Models apiextensions-apiserver/pkg/registry/customresourcedefinition. A controller sets NamesAccepted and
 * Established.
 */
export const kind = defineKind<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  singular: 'customresourcedefinition',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  scope: 'Cluster',
  needsVersion: true,
  definition: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
  subresources: { status: true },
  columns: [nameColumn, createdAtColumn],
  defaults(draft) {
    const { names, conversion } = draft.spec;
    const singular = names?.singular || names?.kind?.toLowerCase();
    const listKind = names?.listKind || (names?.kind ? `${names.kind}List` : undefined);
    draft.spec = {
      ...draft.spec,
      conversion: defaultConversion(conversion ?? { strategy: 'None' }),
      ...(names ? { names: { ...names, ...(singular ? { singular } : {}), ...(listKind ? { listKind } : {}) } } : {}),
    };
  },
  prepareForCreate(draft) {
    const stored = storageVersions(draft).slice(0, 1);
    draft.status = {
      acceptedNames: { kind: '', plural: '' },
      conditions: null as never,
      storedVersions: stored.length ? stored : (null as never),
    };
  },
  prepareForUpdate(draft, old) {
    const stored = old.status.storedVersions ?? [];
    const added = storageVersions(draft).filter((v) => !stored.includes(v));
    draft.status = added.length ? { ...old.status, storedVersions: [...stored, ...added] } : old.status;
  },
  prepareForStatusUpdate(draft, old) {
    draft.spec = old.spec;
  },
  validateNew: (definition) => validateDefinition(definition),
  validateUpdate: validateDefinitionUpdate,
  warnings: formatWarnings,
});

/** Models apiextensions-apiserver/pkg/apis/apiextensions/v1/defaults.go. */
function defaultConversion(conversion: CustomResourceConversion): CustomResourceConversion {
  const service = conversion.webhook?.clientConfig?.service;
  if (!service || service.port !== undefined) return conversion;
  return {
    ...conversion,
    webhook: {
      ...conversion.webhook!,
      clientConfig: { ...conversion.webhook!.clientConfig, service: { ...service, port: HTTPS_PORT } },
    },
  };
}

const storageVersions = ({ spec }: CustomResourceDefinition): string[] =>
  (spec.versions ?? []).filter((v) => v.storage).map((v) => v.name);
