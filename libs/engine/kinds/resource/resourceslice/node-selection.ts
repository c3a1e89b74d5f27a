/** Where a slice's devices, or one of them, can be used. */
import type { Device, ResourceSliceSpec } from '../../../api/resource_v1.js';
import { invalidValue, required, type FieldError, type Path } from '../../../machinery/meta/field.js';
import { invalidEach, isDNS1123Subdomain } from '../../../machinery/meta/validation.js';
import { toInternalForm } from '../../internal-form.js';
import { validateNodeSelector } from '../../core/pod/kind.js';

const ONE = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
const ONE_OF_DEVICE =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
type Place = Pick<Device, 'nodeName' | 'nodeSelector' | 'allNodes'>;

export function validateNodeSelection(spec: ResourceSliceSpec, path: Path): FieldError[] {
  const { errors, given } = parts(spec, path, 'must be either unset or set to a non-empty string', true);
  errors.push(...flag(spec.perDeviceNodeSelection, 'perDeviceNodeSelection', path, given));
  return [...errors, ...exactlyOne(given, path, ONE, `${ONE}, but multiple fields are set`)];
}

export function validateDeviceNodeSelection(device: Device, perDevice: boolean, path: Path): FieldError[] {
  if (!perDevice) {
    const given = [device.nodeName, device.nodeSelector, device.allNodes].some((value) => value !== undefined);
    return given
      ? [
          invalidValue(
            path,
            null,
            '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
          ),
        ]
      : [];
  }
  const { errors, given } = parts(device, path, 'must not be empty', false);
  return [...errors, ...exactlyOne(given, path, ONE_OF_DEVICE, ONE_OF_DEVICE)];
}

function parts(
  { nodeName, nodeSelector, allNodes }: Place,
  path: Path,
  empty: string,
  oneTerm: boolean,
): { errors: FieldError[]; given: string[] } {
  const errors: FieldError[] = [];
  const given: string[] = [];
  if (nodeName) {
    given.push('`nodeName`');
    errors.push(...invalidEach(path.child('nodeName'), nodeName, isDNS1123Subdomain(nodeName)));
  } else if (nodeName === '') errors.push(invalidValue(path.child('nodeName'), nodeName, empty));
  if (nodeSelector) {
    given.push('`nodeSelector`');
    const terms = nodeSelector.nodeSelectorTerms;
    validateNodeSelector(terms, path.child('nodeSelector'), errors);
    if (oneTerm && terms?.length !== 1)
      errors.push(
        invalidValue(
          path.child('nodeSelector', 'nodeSelectorTerms'),
          toInternalForm('[]NodeSelectorTerm', terms),
          'must have exactly one node selector term',
        ),
      );
  }
  errors.push(...flag(allNodes, 'allNodes', path, given));
  return { errors, given };
}

function flag(value: boolean | undefined, name: string, path: Path, given: string[]): FieldError[] {
  if (value) given.push(`\`${name}\``);
  return value === false ? [invalidValue(path.child(name), value, 'must be either unset or set to true')] : [];
}

function exactlyOne(given: readonly string[], path: Path, none: string, many: string): FieldError[] {
  if (given.length === 0) return [required(path, none)];
  return given.length > 1 ? [invalidValue(path, `{${given.join(', ')}}`, many)] : [];
}
