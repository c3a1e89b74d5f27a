/** Models ValidateNode and ValidateNodeUpdate of pkg/apis/core/validation. */
import type { Node, Taint } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { duplicate, forbiddenField, notSupported, Path, required, type FieldError } from '../../../machinery/field.js';
import { invalidEach, isCIDR, isLabelValue, isQualifiedName } from '../../../machinery/validation.js';

const path = Path.of('spec');
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateNode({ spec }: Node): FieldError[] {
  const errors = validateTaints(spec.taints ?? []);
  spec.podCIDRs?.forEach((cidr, i) => errors.push(...invalidEach(path.child('podCIDRs').index(i), cidr, isCIDR(cidr))));
  return errors;
}

function validateTaints(taints: readonly Taint[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  taints.forEach(({ key, value, effect }, i) => {
    // As upstream, whose path begins with the metadata.
    const at = Path.of('metadata', 'taints').index(i);
    errors.push(...invalidEach(at.child('key'), key ?? '', isQualifiedName(key ?? '')));
    if (value) errors.push(...invalidEach(at.child('value'), value, isLabelValue(value)));
    if (!effect) errors.push(required(at.child('effect')));
    else if (!EFFECTS.includes(effect)) errors.push(notSupported(at.child('effect'), effect, EFFECTS));
    const id = `${key}:${effect}`;
    if (seen.has(id)) {
      const again = duplicate(at, { key, value, effect });
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
  if (b.podCIDRs?.length && !deepEqual(a.podCIDRs, b.podCIDRs)) errors.push(forbiddenField(path.child('podCIDRs'), 'node updates may not change podCIDR except from "" to valid'));
  if (b.providerID && a.providerID !== b.providerID) errors.push(forbiddenField(path.child('providerID'), 'node updates may not change providerID except from "" to valid'));
  return errors;
}
