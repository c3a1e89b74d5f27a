import type { CustomResourceDefinition, CustomResourceDefinitionNames } from '../../api/apiextensions_v1.js';
import { findCaBundleError } from '../../extensions/conversion.js';
import { CustomResourceDefinitions } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { defineController } from '../../runtime/controller.js';
import { newCondition, findCondition, setStatusCondition } from '../conditions.js';

/**
 * Accepts a custom resource's names when no other has them, and establishes it. Models apiextensions-apiserver's status
 * and establish controllers.
 */
export const controller = defineController({
  name: 'crdnaming',
  component: 'terrarium',
  actor: 'system:apiserver',
  for: {
    kind: CustomResourceDefinitions,
    // Names that one gives up may be what another waits for.
    keys: (crd, reader) =>
      reader
        .list(CustomResourceDefinitions)
        .filter((other) => other.spec.group === crd.spec.group)
        .map((other) => ({ namespace: '', name: other.metadata.name! })),
  },
  reconcile({ client, now }, key) {
    const crd = client.get(CustomResourceDefinitions, key);
    if (!crd || crd.metadata.deletionTimestamp !== undefined) return;
    const others = client
      .list(CustomResourceDefinitions)
      .filter((other) => other.spec.group === crd.spec.group && other.metadata.name !== key.name);
    const taken = findNameConflict(crd, others);
    const status = { ...crd.status };
    if (!taken) status.acceptedNames = acceptedNames(crd.spec.names);
    status.acceptedNames ??= { plural: '', kind: '' };
    let conditions = setStatusCondition(
      status.conditions,
      taken
        ? newCondition('NamesAccepted', 'False', taken.reason, taken.message, now)
        : newCondition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found', now),
    );
    if (!taken && findCondition(conditions, 'Established')?.status !== 'True' && findCaBundleError(crd)) {
      conditions = setStatusCondition(
        conditions,
        newCondition('Established', 'False', 'InvalidCABundle', 'The conversion webhook CABundle is invalid', now),
      );
    } else if (!taken) {
      conditions = setStatusCondition(
        conditions,
        newCondition('Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted', now),
      );
    } else if (findCondition(conditions, 'Established')?.status !== 'True') {
      conditions = setStatusCondition(
        conditions,
        newCondition('Established', 'False', 'NotAccepted', 'not all names are accepted', now),
      );
    }
    const storage = crd.spec.versions.find((v) => v.storage)?.name;
    const stored = status.storedVersions ?? [];
    const next = {
      ...status,
      conditions,
      storedVersions: storage && !stored.includes(storage) ? [...stored, storage] : stored,
    };
    if (!deepEqual(next, crd.status)) client.updateStatus(CustomResourceDefinitions, { ...crd, status: next });
  },
});

const acceptedNames = (names: CustomResourceDefinitionNames): CustomResourceDefinitionNames => ({
  ...names,
  listKind: names.listKind ?? `${names.kind}List`,
  singular: names.singular ?? names.kind.toLowerCase(),
});

/** The first name that another definition of the group holds already. */
function findNameConflict(
  crd: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
): { reason: string; message: string } | undefined {
  const accepted = others.map((other) => other.status?.acceptedNames).filter((names) => names !== undefined);
  const resources = new Set(
    accepted.flatMap((n) => [n.plural, n.singular ?? '', ...(n.shortNames ?? [])]).filter(Boolean),
  );
  const kinds = new Set(accepted.flatMap((n) => [n.kind, n.listKind ?? '']).filter(Boolean));
  const { names } = crd.spec;
  const inUse = (name: string): string => `"${name}" is already in use`;
  if (resources.has(names.plural)) return { reason: 'PluralConflict', message: inUse(names.plural) };
  if (names.singular && resources.has(names.singular))
    return { reason: 'SingularConflict', message: inUse(names.singular) };
  const short = names.shortNames?.find((name) => resources.has(name));
  if (short) return { reason: 'ShortNamesConflict', message: inUse(short) };
  if (kinds.has(names.kind)) return { reason: 'KindConflict', message: inUse(names.kind) };
  if (names.listKind && kinds.has(names.listKind))
    return { reason: 'ListKindConflict', message: inUse(names.listKind) };
  return undefined;
}
