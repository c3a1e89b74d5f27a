import type { Endpoints } from '../../../api/core_v1.js';
import { notSupported, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { invalidEach, isDNS1123Label, isPortNumber, isQualifiedName } from '../../../machinery/meta/validation.js';
import { validateEndpointIP, isValidIPForLegacyField } from '../../ip.js';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Models ValidateEndpoints of pkg/apis/core/validation. */
export function validateEndpoints(endpoints: Endpoints): FieldError[] {
  const errors: FieldError[] = [];
  endpoints.subsets?.forEach(({ addresses = [], notReadyAddresses = [], ports = [] }, i) => {
    const path = Path.of('subsets').index(i);
    if (addresses.length + notReadyAddresses.length === 0)
      errors.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
    for (const [name, list] of [
      ['addresses', addresses],
      ['notReadyAddresses', notReadyAddresses],
    ] as const) {
      list.forEach(({ ip, hostname }, j) => {
        const at = path.child(name).index(j);
        errors.push(...isValidIPForLegacyField(at.child('ip'), ip), ...validateEndpointIP(at.child('ip'), ip));
        if (hostname) errors.push(...invalidEach(at.child('hostname'), hostname, isDNS1123Label(hostname)));
      });
    }
    ports.forEach((port, j) => {
      const at = path.child('ports').index(j);
      if (ports.length > 1 && !port.name) errors.push(required(at.child('name')));
      else if (port.name) errors.push(...invalidEach(at.child('name'), port.name, isDNS1123Label(port.name)));
      errors.push(...invalidEach(at.child('port'), port.port, isPortNumber(port.port)));
      if (!PROTOCOLS.includes(port.protocol ?? 'TCP'))
        errors.push(notSupported(at.child('protocol'), port.protocol, PROTOCOLS));
      if (port.appProtocol !== undefined)
        errors.push(...invalidEach(at.child('appProtocol'), port.appProtocol, isQualifiedName(port.appProtocol)));
    });
  });
  return errors;
}
