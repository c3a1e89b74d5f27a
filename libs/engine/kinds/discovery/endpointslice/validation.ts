import type { Endpoint, EndpointPort, EndpointSlice } from '../../../api/discovery_v1.js';
import { duplicate, invalidValue, Path, required, tooMany, type FieldError } from '../../../machinery/meta/field.js';
import {
  invalidEach,
  isDNS1123Label,
  isDNS1123Subdomain,
  isIP,
  isIPv4,
  isLabelValue,
  isQualifiedName,
  MAX_LABEL,
  maxLength,
} from '../../../machinery/meta/validation.js';
import {
  validateEach,
  validateTextPointer,
  validateOptionalEnum,
  validateRequiredEnum,
  validateImmutableField,
} from '../../field-validation.js';

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const MAX_HINTS = 8;
const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];

/** Models pkg/apis/discovery/validation ValidateEndpointSlice. */
export const validateSlice = (slice: EndpointSlice): FieldError[] => [
  ...validateRequiredEnum(Path.of('addressType'), slice.addressType, ADDRESS_TYPES),
  ...validatePorts(slice.ports ?? [], Path.of('ports')),
  ...validateEndpoints(slice.endpoints ?? [], slice.addressType, Path.of('endpoints')),
];

export const validateSliceUpdate = (next: EndpointSlice, old: EndpointSlice): FieldError[] =>
  validateImmutableField(Path.of('addressType'), next.addressType, old.addressType);

function validateEndpoints(endpoints: readonly Endpoint[], type: string, path: Path): FieldError[] {
  if (endpoints.length > MAX_ENDPOINTS) return [tooMany(path, endpoints.length, MAX_ENDPOINTS)];
  return validateEach(endpoints, path, (endpoint, at) => validateEndpoint(endpoint, type, at));
}

function validateEndpoint(endpoint: Endpoint, type: string, path: Path): FieldError[] {
  const at = path.child('addresses');
  const { addresses = [], hints } = endpoint;
  const errors: FieldError[] = [];
  if (!addresses.length) errors.push(required(at, 'must contain at least 1 address'));
  if (addresses.length > MAX_ADDRESSES) errors.push(tooMany(at, addresses.length, MAX_ADDRESSES));
  errors.push(
    ...validateEach(addresses, at, (address, i) => validateAddress(address, type, i, at)),
    ...validateTextPointer(path.child('nodeName'), endpoint.nodeName, isDNS1123Subdomain),
  );
  errors.push(...validateTextPointer(path.child('hostname'), endpoint.hostname, isDNS1123Label));
  return [
    ...errors,
    ...validateHints(hints?.forZones, path.child('hints', 'forZones'), isLabelValue),
    ...validateHints(hints?.forNodes, path.child('hints', 'forNodes'), isDNS1123Subdomain),
  ];
}

function validateHints(
  hints: readonly { name: string }[] | undefined,
  path: Path,
  rule: (name: string) => string[],
): FieldError[] {
  if ((hints?.length ?? 0) > MAX_HINTS) return [tooMany(path, hints!.length, MAX_HINTS)];
  const seen = new Set<string>();
  return validateEach(hints, path, ({ name }, at) => {
    const repeated = seen.has(name) ? [duplicate(at.child('name'), name)] : [];
    seen.add(name);
    return [...repeated, ...invalidEach(at.child('name'), name, rule(name))];
  });
}

function validateAddress(address: string, type: string, path: Path, list: Path): FieldError[] {
  if (type === 'FQDN') return validateDomain(address, path);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = invalidEach(path, address, isIP(address));
  if (errors.length) return errors;
  const other = type === 'IPv4' ? !isIPv4(address) : isIPv4(address);
  return [...(other ? [invalidValue(list, address, `must be an ${type} address`)] : []), ...notSpecial(address, path)];
}

/** Models apimachinery's IsFullyQualifiedDomainName. */
function validateDomain(name: string, path: Path): FieldError[] {
  if (!name) return [required(path)];
  const domain = name.endsWith('.') ? name.slice(0, -1) : name;
  const messages = isDNS1123Subdomain(domain);
  if (messages.length) return [invalidValue(path, domain, messages.join(','))];
  if (domain.split('.').length < 2)
    return [invalidValue(path, domain, 'should be a domain with at least two segments separated by dots')];
  return domain
    .split('.')
    .flatMap((label) => (label.length > MAX_LABEL ? [invalidValue(path, label, maxLength(MAX_LABEL))] : []));
}

/** Models pkg/apis/core/validation ValidateEndpointIP. */
function notSpecial(ip: string, path: Path): FieldError[] {
  const bad = (why: string): FieldError[] => [invalidValue(path, ip, why)];
  const lower = ip.toLowerCase();
  if (ip === '0.0.0.0' || ip === '::') return bad(`may not be unspecified (${ip})`);
  if (ip.startsWith('127.') || ip === '::1') return bad('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (ip.startsWith('169.254.') || /^fe[89ab]/.test(lower))
    return bad('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (ip.startsWith('224.0.0.') || lower.startsWith('ff02:'))
    return bad('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  return [];
}

function validatePorts(ports: readonly EndpointPort[], path: Path): FieldError[] {
  if (ports.length > MAX_PORTS) return [tooMany(path, ports.length, MAX_PORTS)];
  const seen = new Set<string>();
  return validateEach(ports, path, (port, at) => {
    const name = port.name ?? '';
    const errors = name ? invalidEach(at.child('name'), name, isDNS1123Label(name)) : [];
    if (seen.has(name)) errors.push(duplicate(at.child('name'), name));
    seen.add(name);
    errors.push(...validateOptionalEnum(at.child('protocol'), port.protocol, ['SCTP', 'TCP', 'UDP']));
    return [...errors, ...validateTextPointer(at.child('appProtocol'), port.appProtocol, isQualifiedName)];
  });
}
