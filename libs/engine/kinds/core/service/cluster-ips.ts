/** Models ValidateServiceClusterIPsRelatedFields and validateUpgradeDowngrade* of pkg/apis/core/validation. */
import type { Service } from '../../../api/core_v1.js';
import {
  duplicate,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { isIPv6 } from '../../../machinery/meta/validation.js';
import { isValidIPForLegacyField } from '../../ip.js';

type Spec = Service['spec'];
const path = Path.of('spec');
const [ips, families] = [path.child('clusterIPs'), path.child('ipFamilies')];
const FAMILY_POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const FAMILIES = ['IPv4', 'IPv6'];

export const isHeadless = ({ clusterIPs }: Spec): boolean => clusterIPs?.length === 1 && clusterIPs[0] === 'None';

/** Validates the addresses that the Service asks for. Nothing is allocated while they are invalid. */
export function validateClusterIPs(spec: Spec): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const { clusterIP, clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const errors: FieldError[] = [];
  if (clusterIP && clusterIPs.length === 0) errors.push(required(ips));
  else if (clusterIP && clusterIPs[0] !== clusterIP)
    errors.push(invalidValue(ips, clusterIPs, 'first value must match `clusterIP`'));
  else if (!clusterIP && clusterIPs.length > 0)
    errors.push(invalidValue(ips, clusterIPs, 'must be empty when `clusterIP` is not specified'));
  ipFamilies.forEach((family, i) => {
    if (!FAMILIES.includes(family)) errors.push(notSupported(families.index(i), family, FAMILIES));
    if (ipFamilies.indexOf(family) < i) errors.push(duplicate(families.index(i), family));
  });
  if (ipFamilyPolicy !== undefined && !FAMILY_POLICIES.includes(ipFamilyPolicy))
    errors.push(notSupported(path.child('ipFamilyPolicy'), ipFamilyPolicy, FAMILY_POLICIES));
  const wrong = clusterIPs.flatMap((ip, i) => {
    if (i > 0 || ip !== 'None') return isValidIPForLegacyField(ips.index(i), ip);
    return clusterIPs.length > 1 ? [invalidValue(ips, clusterIPs, "'None' must be the first and only value")] : [];
  });
  errors.push(...wrong);
  if (clusterIPs.length > 2) errors.push(invalidValue(ips, clusterIPs, 'may only hold up to 2 values'));
  return wrong.length > 0 ? errors : [...errors, ...validateFamilies(spec, clusterIPs, ipFamilies)];
}

function validateFamilies(spec: Spec, clusterIPs: readonly string[], ipFamilies: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const dual = clusterIPs.length === 2 && isIPv6(clusterIPs[0]!) !== isIPv6(clusterIPs[1]!);
  if (clusterIPs.length > 1 && !dual)
    errors.push(invalidValue(ips, clusterIPs, 'may specify no more than one IP for each IP family'));
  if (isHeadless(spec)) return errors;
  clusterIPs.slice(0, ipFamilies.length).forEach((ip, i) => {
    if (FAMILIES.includes(ipFamilies[i]!) && isIPv6(ip) !== (ipFamilies[i] === 'IPv6')) {
      errors.push(
        invalidValue(ips.index(i), ip, `expected an ${ipFamilies[i]} value as indicated by \`ipFamilies[${i}]\``),
      );
    }
  });
  return errors;
}

/** A Service may gain and lose its second family. The first never changes. */
export function validateClusterIPsUpdate(next: Spec, old: Spec): FieldError[] {
  if (next.type === 'ExternalName' || old.type === 'ExternalName') return [];
  const [now, was] = [isHeadless(next), isHeadless(old)];
  const errors = now && was ? [] : validateFieldUpdate('clusterIP', ips, next.clusterIPs, old.clusterIPs, next);
  return now || was
    ? errors
    : [...errors, ...validateFieldUpdate('ipFamily', families, next.ipFamilies, old.ipFamilies, next)];
}

function validateFieldUpdate(
  one: string,
  at: Path,
  next: readonly string[] = [],
  old: readonly string[] = [],
  { ipFamilyPolicy, clusterIPs }: Spec,
): FieldError[] {
  const isFamily = one === 'ipFamily';
  const changed = (i: number, value: unknown): FieldError =>
    invalidValue(at.index(i), value, 'may not change once set');
  if (old.length === next.length)
    return old.flatMap((value, i) => (value === next[i] ? [] : [changed(isFamily ? 0 : i, next)]));
  const errors: FieldError[] = [];
  const shorter = old.length > next.length;
  if (shorter && !clusterIPs?.length) errors.push(invalidValue(at.index(0), next, `primary ${one} can not be unset`));
  if (old.length > 0 && next.length > 0 && next[0] !== old[0]) errors.push(changed(0, clusterIPs));
  if (shorter && next.length === 1 && ipFamilyPolicy !== 'SingleStack') {
    errors.push(
      invalidValue(
        path.child('ipFamilyPolicy'),
        ipFamilyPolicy,
        `must be set to 'SingleStack' when releasing the secondary ${one}`,
      ),
    );
  }
  return errors;
}
