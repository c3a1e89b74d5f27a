/** Models ValidateService and ValidateServiceUpdate of pkg/apis/core/validation. */
import type { Service, ServicePort } from '../../../api/core_v1.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import {
  IMMUTABLE,
  invalidEach,
  isDNS1123Label,
  isDNS1123Subdomain,
  isPortName,
  isPortNumber,
  isQualifiedName,
  validateLabels,
} from '../../../machinery/meta/validation.js';
import { validateEndpointIP, isValidCIDRForLegacyField, isValidIPForLegacyField } from '../../ip.js';
import { isHeadless, validateClusterIPs, validateClusterIPsUpdate } from './cluster-ips.js';
import { isExternallyAccessible, needsHealthCheck } from './external-traffic.js';

const path = Path.of('spec');
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const POLICIES = ['Cluster', 'Local'];
const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const MAX_AFFINITY_SECONDS = 86400;

/** The errors are in upstream's order. */
export function validateService({ spec }: Service): FieldError[] {
  const headless = isHeadless(spec);
  const errors: FieldError[] = [];
  if (!spec.ports?.length && !headless && spec.type !== 'ExternalName') errors.push(required(path.child('ports')));
  errors.push(...validateType(spec, headless));
  const names = new Set<string>();
  spec.ports?.forEach((port, i) =>
    validatePort(port, spec.ports!.length > 1, headless, names, path.child('ports').index(i), errors),
  );
  errors.push(
    ...validateLabels(spec.selector, path.child('selector')),
    ...validateAffinity(spec),
    ...validateClusterIPs(spec),
    ...validateExternalIPs(spec.externalIPs ?? []),
  );
  if (!TYPES.includes(spec.type ?? '')) errors.push(notSupported(path.child('type'), spec.type ?? '', TYPES));
  errors.push(...validatePortUniqueness(spec), ...validateLoadBalancer(spec), ...validatePolicies(spec));
  return errors;
}

function validateType(spec: Service['spec'], headless: boolean): FieldError[] {
  const { type, externalName = '' } = spec;
  if (type === 'LoadBalancer' || type === 'NodePort')
    return headless
      ? [invalidValue(path.child('clusterIPs').index(0), 'None', `may not be set to 'None' for ${type} services`)]
      : [];
  if (type !== 'ExternalName') return [];
  const refuse = (field: string): FieldError =>
    forbiddenField(path.child(field), 'may not be set for ExternalName services');
  const errors = spec.clusterIPs?.length || spec.clusterIP ? [refuse('clusterIPs')] : [];
  if (spec.ipFamilies?.length) errors.push(refuse('ipFamilies'));
  if (spec.ipFamilyPolicy !== undefined) errors.push(refuse('ipFamilyPolicy'));
  const at = path.child('externalName');
  const name = externalName.replace(/\.$/, '');
  return [...errors, ...(name ? invalidEach(at, name, isDNS1123Subdomain(name)) : [required(at)])];
}

function validatePortUniqueness({ ports = [], type }: Service['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const [seen, nodePorts] = [new Set<string>(), new Set<string>()];
  const at = (i: number): Path => path.child('ports').index(i);
  if (type === 'ClusterIP')
    ports.forEach(
      ({ nodePort }, i) =>
        nodePort && errors.push(forbiddenField(at(i).child('nodePort'), "may not be used when `type` is 'ClusterIP'")),
    );
  ports.forEach(({ nodePort, protocol }, i) => {
    if (!nodePort) return;
    if (nodePorts.has(`${protocol}/${nodePort}`)) errors.push(duplicate(at(i).child('nodePort'), nodePort));
    nodePorts.add(`${protocol}/${nodePort}`);
  });
  ports.forEach(({ port = 0, protocol = '' }, i) => {
    if (seen.has(`${protocol}/${port}`))
      errors.push(
        duplicate(at(i), { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 }),
      );
    seen.add(`${protocol}/${port}`);
  });
  return errors;
}

function validatePort(
  port: ServicePort,
  named: boolean,
  headless: boolean,
  names: Set<string>,
  at: Path,
  errors: FieldError[],
): void {
  if (named && !port.name) errors.push(required(at.child('name')));
  else if (port.name) {
    errors.push(...invalidEach(at.child('name'), port.name, isDNS1123Label(port.name)));
    if (names.has(port.name)) errors.push(duplicate(at.child('name'), port.name));
    names.add(port.name);
  }
  errors.push(...invalidEach(at.child('port'), port.port ?? 0, isPortNumber(port.port ?? 0)));
  if (!PROTOCOLS.includes(port.protocol ?? 'TCP'))
    errors.push(notSupported(at.child('protocol'), port.protocol, PROTOCOLS));
  const target = port.targetPort ?? port.port ?? 0;
  errors.push(
    ...invalidEach(
      at.child('targetPort'),
      target,
      typeof target === 'number' ? isPortNumber(target) : isPortName(target),
    ),
  );
  if (headless && typeof target === 'number' && target !== port.port && port.nodePort)
    errors.push(invalidValue(at.child('port'), port.port, 'must be equal to targetPort when clusterIP = None'));
  if (port.appProtocol !== undefined)
    errors.push(...invalidEach(at.child('appProtocol'), port.appProtocol, isQualifiedName(port.appProtocol)));
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: Service['spec']): FieldError[] {
  if (sessionAffinity !== 'None' && sessionAffinity !== 'ClientIP')
    return [notSupported(path.child('sessionAffinity'), sessionAffinity ?? '', ['ClientIP', 'None'])];
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (sessionAffinity === 'None' || seconds === undefined || (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS))
    return [];
  return [
    invalidValue(
      path.child('sessionAffinityConfig', 'clientIP', 'timeoutSeconds'),
      seconds,
      `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`,
    ),
  ];
}

function validateExternalIPs(ips: readonly string[]): FieldError[] {
  return ips.flatMap((ip, i) => {
    const at = path.child('externalIPs').index(i);
    const errors = isValidIPForLegacyField(at, ip);
    return errors.length > 0 ? errors : validateEndpointIP(at, ip);
  });
}

function validatePolicies(spec: Service['spec']): FieldError[] {
  const { externalTrafficPolicy: external, internalTrafficPolicy: internal, trafficDistribution } = spec;
  const errors: FieldError[] = [];
  if (external && !isExternallyAccessible(spec))
    errors.push(
      invalidValue(path.child('externalTrafficPolicy'), external, 'may only be set for externally-accessible services'),
    );
  else if (external && !POLICIES.includes(external))
    errors.push(notSupported(path.child('externalTrafficPolicy'), external, POLICIES));
  if (internal !== undefined && !POLICIES.includes(internal))
    errors.push(notSupported(path.child('internalTrafficPolicy'), internal, POLICIES));
  if (spec.healthCheckNodePort && !needsHealthCheck(spec)) {
    errors.push(
      invalidValue(
        path.child('healthCheckNodePort'),
        spec.healthCheckNodePort,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  }
  if (trafficDistribution !== undefined && !DISTRIBUTIONS.includes(trafficDistribution))
    errors.push(notSupported(path.child('trafficDistribution'), trafficDistribution, DISTRIBUTIONS));
  return errors;
}

function validateLoadBalancer(spec: Service['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const balanced = spec.type === 'LoadBalancer';
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length && !balanced)
    errors.push(
      forbiddenField(path.child('LoadBalancerSourceRanges'), "may only be used when `type` is 'LoadBalancer'"),
    );
  ranges.forEach((range, i) =>
    errors.push(...isValidCIDRForLegacyField(path.child('LoadBalancerSourceRanges').index(i), range.trim())),
  );
  if (spec.allocateLoadBalancerNodePorts !== undefined && !balanced)
    errors.push(
      forbiddenField(path.child('allocateLoadBalancerNodePorts'), "may only be used when `type` is 'LoadBalancer'"),
    );
  errors.push(...validateLoadBalancerClass(spec));
  return errors;
}

function validateLoadBalancerClass({ type, loadBalancerClass }: Service['spec']): FieldError[] {
  const at = path.child('loadBalancerClass');
  if (loadBalancerClass === undefined) return [];
  return type === 'LoadBalancer'
    ? invalidEach(at, loadBalancerClass, isQualifiedName(loadBalancerClass))
    : [forbiddenField(at, "may only be used when `type` is 'LoadBalancer'")];
}

export function validateServiceUpdate({ spec: next }: Service, { spec: old }: Service): FieldError[] {
  // Upstream validates no updates while the addresses are invalid in themselves.
  if (validateClusterIPs(next).length > 0) return [];
  const errors = validateClusterIPsUpdate(next, old);
  const balanced = next.type === 'LoadBalancer' && old.type === 'LoadBalancer';
  if (balanced && next.loadBalancerClass !== old.loadBalancerClass)
    errors.push(invalidValue(path.child('loadBalancerClass'), next.loadBalancerClass, 'may not change once set'));
  // Upstream validates the class twice: here and in ValidateService.
  errors.push(...validateLoadBalancerClass(next));
  if (needsHealthCheck(next) && needsHealthCheck(old) && next.healthCheckNodePort !== old.healthCheckNodePort)
    errors.push(forbiddenField(path.child('healthCheckNodePort'), IMMUTABLE));
  return errors;
}
