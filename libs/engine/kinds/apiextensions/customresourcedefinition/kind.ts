import type {
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from '../../../api/apiextensions_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { createdAtColumn, nameColumn } from '../../columns.js';
import { formatWarnings } from './formats.js';
import { validateDefinition, validateDefinitionUpdate } from './validation.js';

const HTTPS_PORT = 443;
/** Keeps a definition until its objects are gone: CustomResourceCleanupFinalizer. */
export const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';
const PENDING = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';

const hasCondition = ({ status }: CustomResourceDefinition, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type) ?? false;

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
  /** Models the registry's Delete: a definition stays until its objects are gone. */
  blocksDeletion: ({ metadata }) => metadata.deletionTimestamp === undefined,
  prepareForDelete(draft) {
    if (hasCondition(draft, 'Terminating')) return;
    const { finalizers = [] } = draft.metadata;
    if (!finalizers.includes(CLEANUP)) draft.metadata.finalizers = [...finalizers, CLEANUP];
    const terminating: CustomResourceDefinitionCondition = {
      ...{ type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message: PENDING },
      lastTransitionTime: draft.metadata.deletionTimestamp!,
    };
    draft.status = { ...draft.status, conditions: [...(draft.status.conditions ?? []), terminating] };
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
