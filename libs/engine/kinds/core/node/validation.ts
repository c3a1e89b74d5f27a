/** Models ValidateNode and ValidateNodeUpdate of pkg/apis/core/validation. */
import type { Node, Taint } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { invalidEach, isLabelValue, isQualifiedName } from '../../../machinery/meta/validation.js';
import { getWarningsForCIDR, isValidCIDRForLegacyField } from '../../ip.js';
import { toInternalForm } from '../../internal-form.js';

const path = Path.of('spec');
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateNode({ spec }: Node): FieldError[] {
  const errors = validateTaints(spec.taints ?? []);
  const ranges = spec.podCIDRs ?? [];
  const at = path.child('podCIDRs');
  ranges.forEach((range, i) => errors.push(...isValidCIDRForLegacyField(at.index(i), range)));
  const dual = ranges.length === 2 && ranges[0]!.includes(':') !== ranges[1]!.includes(':');
  if (ranges.length > 1 && !dual)
    errors.push(invalidValue(at, ranges, 'may specify no more than one CIDR for each IP family'));
  return errors;
}

function validateTaints(taints: readonly Taint[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  taints.forEach(({ key, value, effect, timeAdded }, i) => {
    // Upstream's path says metadata, though the taints stand in the spec.
    const at = Path.of('metadata', 'taints').index(i);
    errors.push(...invalidEach(at.child('key'), key ?? '', isQualifiedName(key ?? '')));
    if (value) errors.push(...invalidEach(at.child('value'), value, isLabelValue(value)));
    if (!effect) errors.push(required(at.child('effect')));
    else if (!EFFECTS.includes(effect)) errors.push(notSupported(at.child('effect'), effect, EFFECTS));
    const id = `${key}:${effect}`;
    if (seen.has(id)) {
      const again = duplicate(at, toInternalForm('Taint', { key, value, effect, timeAdded }));
      const why = 'taints must be unique by key and effect pair';
      errors.push({ ...again, body: `${again.body}: ${why}`, message: `${again.message}: ${why}` });
    }
    seen.add(id);
  });
  return errors;
}

export function validateNodeUpdate(next: Node, old: Node): FieldError[] {
  const errors: FieldError[] = [];
  const [a, b] = [next.spec, old.spec];
  if (b.podCIDRs?.length && !deepEqual(a.podCIDRs, b.podCIDRs))
    errors.push(forbiddenField(path.child('podCIDRs'), 'node updates may not change podCIDR except from "" to valid'));
  if (b.providerID && a.providerID !== b.providerID)
    errors.push(
      forbiddenField(path.child('providerID'), 'node updates may not change providerID except from "" to valid'),
    );
  // Upstream validates the taints twice: here and in ValidateNode.
  errors.push(...validateTaints(a.taints ?? []));
  if ((a.externalID ?? '') !== (b.externalID ?? ''))
    errors.push(forbiddenField(path.child('externalID'), 'may not be updated'));
  return errors;
}

/** Models WarningsOnCreate of pkg/registry/core/node. */
export function nodeWarnings({ spec }: Node): string[] {
  const warnings = spec.configSource ? ['spec.configSource: the feature is no longer supported'] : [];
  if (spec.externalID) warnings.push('spec.externalID: this field is deprecated, and is unused by Kubernetes');
  return [
    ...warnings,
    ...(spec.podCIDRs ?? []).flatMap((range, i) => getWarningsForCIDR(path.child('podCIDRs').index(i), range)),
  ];
}
