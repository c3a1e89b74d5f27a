/** Models ValidateService and ValidateServiceUpdate of pkg/apis/core/validation. */
import type { Service, ServicePort } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { duplicate, forbiddenField, invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/field.js';
import {
  immutable, invalidEach, isCIDR, isDNS1123Label, isDNS1123Subdomain, isIP, isPortName, isPortNumber, isQualifiedName, validateLabels,
} from '../../../machinery/validation.js';

const path = Path.of('spec');
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const POLICIES = ['Cluster', 'Local'];
const FAMILY_POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const FAMILIES = ['IPv4', 'IPv6'];
const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const MAX_AFFINITY_SECONDS = 86400;

/** In upstream's order. */
export function validateService({ spec }: Service): FieldError[] {
  const headless = spec.clusterIP === 'None';
  const errors: FieldError[] = [];
  if (!spec.ports?.length && !headless && spec.type !== 'ExternalName') errors.push(required(path.child('ports')));
  errors.push(...validateType(spec, headless));
  const names = new Set<string>();
  spec.ports?.forEach((port, i) => validatePort(port, spec.ports!.length > 1, headless, names, path.child('ports').index(i), errors));
  errors.push(...validateLabels(spec.selector, path.child('selector')), ...validateAffinity(spec), ...validateAddresses(spec));
  if (!TYPES.includes(spec.type ?? '')) errors.push(notSupported(path.child('type'), spec.type ?? '', TYPES));
  errors.push(...validatePortsTogether(spec), ...validateLoadBalancer(spec), ...validatePolicies(spec));
  return errors;
}

function validateType(spec: Service['spec'], headless: boolean): FieldError[] {
  const { type, externalName = '' } = spec;
  if (type === 'LoadBalancer' || type === 'NodePort') return headless ? [invalidValue(path.child('clusterIPs').index(0), 'None', `may not be set to 'None' for ${type} services`)] : [];
  if (type !== 'ExternalName') return [];
  const refuse = (field: string): FieldError => forbiddenField(path.child(field), 'may not be set for ExternalName services');
  const errors = spec.clusterIPs?.length || spec.clusterIP ? [refuse('clusterIPs')] : [];
  if (spec.ipFamilies?.length) errors.push(refuse('ipFamilies'));
  if (spec.ipFamilyPolicy !== undefined) errors.push(refuse('ipFamilyPolicy'));
  const at = path.child('externalName');
  const name = externalName.replace(/\.$/, '');
  return [...errors, ...(name ? invalidEach(at, name, isDNS1123Subdomain(name)) : [required(at)])];
}

function validatePortsTogether({ ports = [], type }: Service['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const [seen, nodePorts] = [new Set<string>(), new Set<string>()];
  const at = (i: number): Path => path.child('ports').index(i);
  if (type === 'ClusterIP') ports.forEach(({ nodePort }, i) => nodePort && errors.push(forbiddenField(at(i).child('nodePort'), "may not be used when `type` is 'ClusterIP'")));
  ports.forEach(({ nodePort, protocol }, i) => {
    if (!nodePort) return;
    if (nodePorts.has(`${protocol}/${nodePort}`)) errors.push(duplicate(at(i).child('nodePort'), nodePort));
    nodePorts.add(`${protocol}/${nodePort}`);
  });
  ports.forEach(({ port = 0, protocol = '' }, i) => {
    if (seen.has(`${protocol}/${port}`)) errors.push(duplicate(at(i), { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 }));
    seen.add(`${protocol}/${port}`);
  });
  return errors;
}

function validatePort(port: ServicePort, named: boolean, headless: boolean, names: Set<string>, at: Path, errors: FieldError[]): void {
  if (named && !port.name) errors.push(required(at.child('name')));
  else if (port.name) {
    errors.push(...invalidEach(at.child('name'), port.name, isDNS1123Label(port.name)));
    if (names.has(port.name)) errors.push(duplicate(at.child('name'), port.name));
    names.add(port.name);
  }
  errors.push(...invalidEach(at.child('port'), port.port ?? 0, isPortNumber(port.port ?? 0)));
  if (!PROTOCOLS.includes(port.protocol ?? 'TCP')) errors.push(notSupported(at.child('protocol'), port.protocol, PROTOCOLS));
  const target = port.targetPort ?? port.port ?? 0;
  errors.push(...invalidEach(at.child('targetPort'), target, typeof target === 'number' ? isPortNumber(target) : isPortName(target)));
  if (headless && typeof target === 'number' && target !== port.port && port.nodePort) errors.push(invalidValue(at.child('port'), port.port, "must be equal to targetPort when clusterIP = None"));
  if (port.appProtocol !== undefined) errors.push(...invalidEach(at.child('appProtocol'), port.appProtocol, isQualifiedName(port.appProtocol)));
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: Service['spec']): FieldError[] {
  if (sessionAffinity !== 'None' && sessionAffinity !== 'ClientIP') return [notSupported(path.child('sessionAffinity'), sessionAffinity ?? '', ['ClientIP', 'None'])];
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (sessionAffinity === 'None' || seconds === undefined || (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS)) return [];
  return [invalidValue(path.child('sessionAffinityConfig', 'clientIP', 'timeoutSeconds'), seconds, `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`)];
}

function validateAddresses(spec: Service['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const { clusterIP, clusterIPs, ipFamilyPolicy, ipFamilies } = spec;
  if (clusterIPs?.length && clusterIP !== clusterIPs[0]) errors.push(invalidValue(path.child('clusterIPs'), clusterIPs, 'first value must match `clusterIP`'));
  clusterIPs?.forEach((ip, i) => {
    if (ip !== 'None') errors.push(...invalidEach(path.child('clusterIPs').index(i), ip, isIP(ip)));
    else if (clusterIPs.length > 1) errors.push(invalidValue(path.child('clusterIPs'), clusterIPs, "'None' must be the first and only value"));
  });
  if (ipFamilyPolicy !== undefined && !FAMILY_POLICIES.includes(ipFamilyPolicy)) errors.push(notSupported(path.child('ipFamilyPolicy'), ipFamilyPolicy, FAMILY_POLICIES));
  ipFamilies?.forEach((family, i) => {
    if (!FAMILIES.includes(family)) errors.push(notSupported(path.child('ipFamilies').index(i), family, FAMILIES));
    else if (ipFamilies.indexOf(family) < i) errors.push(duplicate(path.child('ipFamilies').index(i), family));
  });
  spec.externalIPs?.forEach((ip, i) => errors.push(...invalidEach(path.child('externalIPs').index(i), ip, isIP(ip))));
  return errors;
}

function validatePolicies(spec: Service['spec']): FieldError[] {
  const { type, externalTrafficPolicy: external, internalTrafficPolicy: internal, trafficDistribution } = spec;
  const errors: FieldError[] = [];
  const open = type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && Boolean(spec.externalIPs?.length));
  if (external && !open) errors.push(invalidValue(path.child('externalTrafficPolicy'), external, 'may only be set for externally-accessible services'));
  else if (external && !POLICIES.includes(external)) errors.push(notSupported(path.child('externalTrafficPolicy'), external, POLICIES));
  if (internal !== undefined && !POLICIES.includes(internal)) errors.push(notSupported(path.child('internalTrafficPolicy'), internal, POLICIES));
  if (spec.healthCheckNodePort && !(type === 'LoadBalancer' && external === 'Local')) {
    errors.push(invalidValue(path.child('healthCheckNodePort'), spec.healthCheckNodePort, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"));
  }
  if (trafficDistribution !== undefined && !DISTRIBUTIONS.includes(trafficDistribution)) errors.push(notSupported(path.child('trafficDistribution'), trafficDistribution, DISTRIBUTIONS));
  return errors;
}

function validateLoadBalancer(spec: Service['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const balanced = spec.type === 'LoadBalancer';
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length && !balanced) errors.push(forbiddenField(path.child('LoadBalancerSourceRanges'), "may only be used when `type` is 'LoadBalancer'"));
  ranges.forEach((range, i) => errors.push(...invalidEach(path.child('LoadBalancerSourceRanges').index(i), range.trim(), isCIDR(range.trim()))));
  if (spec.allocateLoadBalancerNodePorts !== undefined && !balanced) errors.push(forbiddenField(path.child('allocateLoadBalancerNodePorts'), "may only be used when `type` is 'LoadBalancer'"));
  if (spec.loadBalancerClass !== undefined) {
    if (balanced) errors.push(...invalidEach(path.child('loadBalancerClass'), spec.loadBalancerClass, isQualifiedName(spec.loadBalancerClass)));
    else errors.push(forbiddenField(path.child('loadBalancerClass'), "may only be used when `type` is 'LoadBalancer'"));
  }
  return errors;
}

export function validateServiceUpdate(next: Service, old: Service): FieldError[] {
  const errors: FieldError[] = [];
  const [a, b] = [next.spec, old.spec];
  if (a.type !== 'ExternalName' && b.type !== 'ExternalName' && b.clusterIP && a.clusterIP !== b.clusterIP) {
    errors.push(invalidValue(path.child('clusterIPs').index(0), a.clusterIPs, 'may not change once set'));
  }
  if (a.type === 'LoadBalancer' && b.type === 'LoadBalancer') {
    errors.push(...immutable(path.child('loadBalancerClass'), a.loadBalancerClass, deepEqual(a.loadBalancerClass, b.loadBalancerClass)).map((e) => ({ ...e, body: e.body.replace('field is immutable', 'may not change once set'), message: e.message.replace('field is immutable', 'may not change once set') })));
  }
  return errors;
}

const HINTS = 'service.kubernetes.io/topology-aware-hints';

/** Models pkg/api/service GetWarningsForService. Left out: IP formats. */
export function serviceWarnings({ metadata, spec }: Service): string[] {
  const warnings = metadata.annotations?.[HINTS] === undefined ? [] : [`annotation ${HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`];
  const headless = spec.clusterIP === 'None';
  const external = spec.type === 'ExternalName';
  if (headless && spec.loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
  if (headless && spec.externalIPs?.length) warnings.push('spec.externalIPs is ignored for headless services');
  if (headless && spec.sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  if (spec.externalIPs?.length && !headless && !external) warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  if (external && spec.externalIPs?.length) warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!external && spec.externalName) warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (spec.trafficDistribution === 'PreferClose') warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return warnings;
}
