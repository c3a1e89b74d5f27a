import type { Service } from '../../../api/core_v1.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { invalidEach, isDNS1123Subdomain, isIP } from '../../../machinery/meta/validation.js';
import { isValidIPForLegacyField } from '../../ip.js';

const IP_MODES = ['Proxy', 'VIP'];

/** Models ValidateLoadBalancerStatus of pkg/apis/core/validation. */
export function validateLoadBalancerStatus({ spec, status }: Service, old: Service): FieldError[] {
  const at = Path.of('status', 'loadBalancer', 'ingress');
  const ingress = status?.loadBalancer?.ingress ?? [];
  if (ingress.length > 0 && spec.type !== 'LoadBalancer')
    return [forbiddenField(at, "may only be used when `spec.type` is 'LoadBalancer'")];
  const existing = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  return ingress.flatMap(({ ip, ipMode, hostname }, i) => {
    const [mode, host] = [at.index(i).child('ipMode'), at.index(i).child('hostname')];
    const errors = ip ? isValidIPForLegacyField(at.index(i).child('ip'), ip, existing) : [];
    if (ip && ipMode === undefined) errors.push(required(mode, 'must be specified when `ip` is set'));
    else if (!ip && ipMode !== undefined)
      errors.push(forbiddenField(mode, 'may not be specified when `ip` is not set'));
    else if (ipMode !== undefined && !IP_MODES.includes(ipMode)) errors.push(notSupported(mode, ipMode, IP_MODES));
    if (!hostname) return errors;
    errors.push(...invalidEach(host, hostname, isDNS1123Subdomain(hostname)));
    return isIP(hostname).length > 0
      ? errors
      : [...errors, invalidValue(host, hostname, 'must be a DNS name, not an IP address')];
  });
}
