/** Models initIPFamilyFields of pkg/registry/core/service/storage/alloc.go. */
import type { Service } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { invalidValue, Path, type FieldError } from '../../../machinery/meta/field.js';
import { kind as serviceCIDRs } from '../../networking/servicecidr/kind.js';

type Family = 'IPv4' | 'IPv6';
const HEADLESS = 'None';
const POLICY = Path.of('spec', 'ipFamilyPolicy');
const FAMILIES = Path.of('spec', 'ipFamilies');
const CLUSTER_IPS = Path.of('spec', 'clusterIPs');
const DEFAULT_CIDR = { namespace: '', name: 'kubernetes' };
const ONLY_IPV4: readonly Family[] = ['IPv4'];

/** The families that Services may have in this cluster: those of its default ServiceCIDR, in its order. */
export function configuredFamilies(read: Reader): readonly Family[] {
  const cidrs = read.get(serviceCIDRs, DEFAULT_CIDR)?.spec.cidrs ?? [];
  return cidrs.length > 0 ? [...new Set(cidrs.map(familyOf))] : ONLY_IPV4;
}

const familyOf = (ip: string): Family => (ip.includes(':') ? 'IPv6' : 'IPv4');
const other = (family: string | undefined): Family => (family === 'IPv4' ? 'IPv6' : 'IPv4');
const isSame = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);

/**
 * Fills in the policy and the families of a Service as far as they follow from what it asks for; the errors when that
 * cannot be in this cluster. Doing it again changes nothing.
 */
export function initFamilies(draft: Service, old: Service | undefined, configured: readonly Family[]): FieldError[] {
  const own = draft.spec;
  if (own.type === 'ExternalName') return [];
  own.clusterIP ||= own.clusterIPs?.[0];
  if (keepsPreference(draft, old)) return [];
  const isFree = own.clusterIP === HEADLESS && Object.keys(own.selector ?? {}).length === 0;
  own.ipFamilyPolicy ??= old?.spec.ipFamilyPolicy ?? (isFree ? 'RequireDualStack' : 'SingleStack');
  const errors = [...releaseSecond(own, old?.spec), ...tooMany(own), ...inferFamilies(own, configured)];
  if (errors.length > 0) return errors;
  if (isFree) {
    own.ipFamilies = own.ipFamilies?.length ? own.ipFamilies : [configured[0]!];
    if (own.ipFamilies.length < 2 && own.ipFamilyPolicy !== 'SingleStack')
      own.ipFamilies = [...own.ipFamilies, other(own.ipFamilies[0])];
    return [];
  }
  const missing = unconfigured(own, configured);
  if (missing.length > 0) return missing;
  own.ipFamilies = own.ipFamilies?.length ? own.ipFamilies : [configured[0]!];
  if (own.ipFamilyPolicy !== 'SingleStack' && own.ipFamilies.length === 1 && configured.length === 2)
    own.ipFamilies = [...own.ipFamilies, other(own.ipFamilies[0])];
  return [];
}

/** A Service that prefers both stays as it is when the cluster gains or loses a family. */
function keepsPreference({ spec: own }: Service, old: Service | undefined): boolean {
  return (
    old !== undefined &&
    own.type === old.spec.type &&
    own.ipFamilyPolicy === 'PreferDualStack' &&
    (old.spec.ipFamilyPolicy ?? own.ipFamilyPolicy) === own.ipFamilyPolicy &&
    isSame(own.clusterIPs, old.spec.clusterIPs) &&
    isSame(own.ipFamilies, old.spec.ipFamilies)
  );
}

/** The second of each goes with the policy SingleStack, and with no other. */
function releaseSecond(own: Service['spec'], was: Service['spec'] | undefined): FieldError[] {
  if (!was) return [];
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = own;
  if (ipFamilyPolicy === 'SingleStack') {
    if (clusterIPs.length > 1 && isSame(clusterIPs, was.clusterIPs)) own.clusterIPs = clusterIPs.slice(0, 1);
    if (ipFamilies.length > 1 && isSame(ipFamilies, was.ipFamilies)) own.ipFamilies = ipFamilies.slice(0, 1);
    return [];
  }
  const refuse = (what: string): FieldError =>
    invalidValue(POLICY, ipFamilyPolicy, `must be 'SingleStack' to release the secondary ${what}`);
  const isReduced = (next: readonly string[], before: readonly string[] = []): boolean =>
    next.length > 0 && next.length < before.length;
  return [
    ...(isReduced(clusterIPs, was.clusterIPs) ? [refuse('cluster IP')] : []),
    ...(isReduced(ipFamilies, was.ipFamilies) ? [refuse('IP family')] : []),
  ];
}

function tooMany({ ipFamilyPolicy, clusterIPs, ipFamilies }: Service['spec']): FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return [];
  const refuse = (what: string): FieldError =>
    invalidValue(
      POLICY,
      ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  return [
    ...(clusterIPs?.length === 2 ? [refuse('cluster IPs')] : []),
    ...(ipFamilies?.length === 2 ? [refuse('IP families')] : []),
  ];
}

/** Families of addresses that are asked for. */
function inferFamilies(own: Service['spec'], configured: readonly Family[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, ip] of (own.clusterIPs ?? []).entries()) {
    if (ip === HEADLESS) break;
    if (i < (own.ipFamilies?.length ?? 0)) continue;
    const family = familyOf(ip);
    if (configured.includes(family)) own.ipFamilies = [...(own.ipFamilies ?? []), family];
    else errors.push(invalidValue(CLUSTER_IPS.index(i), own.clusterIPs, `${family} is not configured on this cluster`));
  }
  return errors;
}

function unconfigured({ ipFamilyPolicy, ipFamilies = [] }: Service['spec'], configured: readonly Family[]) {
  const errors: FieldError[] = [];
  if (ipFamilyPolicy === 'RequireDualStack' && configured.length < 2)
    errors.push(invalidValue(POLICY, ipFamilyPolicy, 'this cluster is not configured for dual-stack services'));
  ipFamilies.forEach((family, i) => {
    if (!configured.some((one) => one === family))
      errors.push(invalidValue(FAMILIES.index(i), family, 'not configured on this cluster'));
  });
  return errors;
}
