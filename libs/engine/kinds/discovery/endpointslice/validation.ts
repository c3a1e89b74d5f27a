import type { Endpoint, EndpointPort, EndpointSlice } from '../../../api/discovery_v1.js';
import { duplicate, invalidValue, Path, required, tooMany, type FieldError } from '../../../machinery/field.js';
import { invalidEach, isDNS1123Label, isDNS1123Subdomain, isIPv4, isIPv6, isPortNumber, isQualifiedName } from '../../../machinery/validation.js';
import { each, optionalText, requiredOneOf, requiredText, unchanged } from '../../checks.js';

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const MAX_ZONE_HINTS = 8;
const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];

/** Models pkg/apis/discovery/validation ValidateEndpointSlice. */
export const validateSlice = (slice: EndpointSlice): FieldError[] => [
  ...requiredOneOf(Path.of('addressType'), slice.addressType, ADDRESS_TYPES),
  ...validateEndpoints(slice.endpoints ?? [], slice.addressType, Path.of('endpoints')),
  ...validatePorts(slice.ports ?? [], Path.of('ports')),
];

export const validateSliceUpdate = (next: EndpointSlice, old: EndpointSlice): FieldError[] => unchanged(Path.of('addressType'), next.addressType, old.addressType);

function validateEndpoints(endpoints: readonly Endpoint[], type: string, path: Path): FieldError[] {
  if (endpoints.length > MAX_ENDPOINTS) return [tooMany(path, endpoints.length, MAX_ENDPOINTS)];
  return each(endpoints, path, (endpoint, at) => validateEndpoint(endpoint, type, at));
}

function validateEndpoint(endpoint: Endpoint, type: string, path: Path): FieldError[] {
  const at = path.child('addresses');
  const { addresses = [], hints } = endpoint;
  const errors: FieldError[] = [];
  if (!addresses.length) errors.push(required(at, 'must contain at least 1 address'));
  if (addresses.length > MAX_ADDRESSES) return [tooMany(at, addresses.length, MAX_ADDRESSES)];
  errors.push(...each(addresses, at, (address, i) => validateAddress(address, type, i)), ...optionalText(path.child('nodeName'), endpoint.nodeName, isDNS1123Subdomain));
  if (endpoint.hostname !== undefined) errors.push(...invalidEach(path.child('hostname'), endpoint.hostname, isDNS1123Label(endpoint.hostname)));
  const zones = path.child('hints', 'forZones');
  if ((hints?.forZones?.length ?? 0) > MAX_ZONE_HINTS) errors.push(tooMany(zones, hints!.forZones!.length, MAX_ZONE_HINTS));
  return [...errors, ...each(hints?.forZones, zones, (zone, i) => requiredText(i.child('name'), zone.name))];
}

function validateAddress(address: string, type: string, path: Path): FieldError[] {
  if (type === 'IPv4') return isIPv4(address) ? notSpecial(address, path) : [invalidValue(path, address, 'must be a valid IPv4 address')];
  if (type === 'IPv6') return isIPv6(address) ? notSpecial(address, path) : [invalidValue(path, address, 'must be a valid IPv6 address')];
  return type === 'FQDN' ? requiredText(path, address, isDNS1123Subdomain) : [];
}

/** Models pkg/apis/core/validation ValidateEndpointIP. */
function notSpecial(ip: string, path: Path): FieldError[] {
  const bad = (why: string): FieldError[] => [invalidValue(path, ip, why)];
  const lower = ip.toLowerCase();
  if (ip === '0.0.0.0' || ip === '::') return bad(`may not be unspecified (${ip})`);
  if (ip.startsWith('127.') || ip === '::1') return bad('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (ip.startsWith('169.254.') || /^fe[89ab]/.test(lower)) return bad('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (ip.startsWith('224.0.0.') || lower.startsWith('ff02:')) return bad('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  return [];
}

function validatePorts(ports: readonly EndpointPort[], path: Path): FieldError[] {
  if (ports.length > MAX_PORTS) return [tooMany(path, ports.length, MAX_PORTS)];
  const seen = new Set<string>();
  return each(ports, path, (port, at) => {
    const name = port.name ?? '';
    const errors = name ? invalidEach(at.child('name'), name, isDNS1123Label(name)) : [];
    if (seen.has(name)) errors.push(duplicate(at.child('name'), name));
    seen.add(name);
    errors.push(...requiredOneOf(at.child('protocol'), port.protocol, ['SCTP', 'TCP', 'UDP']));
    if (port.port !== undefined) errors.push(...invalidEach(at.child('port'), port.port, isPortNumber(port.port)));
    return [...errors, ...optionalText(at.child('appProtocol'), port.appProtocol, isQualifiedName)];
  });
}
