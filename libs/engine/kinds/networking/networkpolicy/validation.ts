import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../../api/networking_v1.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { contains, parsePrefix } from '../../../machinery/net/netip.js';
import {
  invalidEach,
  isCIDR,
  isPortName,
  isPortNumber,
  validateLabelSelector,
} from '../../../machinery/meta/validation.js';
import { validateEach, validateOptionalEnum } from '../../field-validation.js';

const POLICY_TYPES = ['Ingress', 'Egress'];

/** Models pkg/apis/networking/validation ValidateNetworkPolicySpec. */
export function validateNetworkPolicy({ spec }: NetworkPolicy): FieldError[] {
  const path = Path.of('spec');
  const errors = [
    ...validateLabelSelector(spec.podSelector, path.child('podSelector')),
    ...validateEach(spec.ingress, path.child('ingress'), (rule, at) => validateRule(rule.ports, rule.from, at, 'from')),
    ...validateEach(spec.egress, path.child('egress'), (rule, at) => validateRule(rule.ports, rule.to, at, 'to')),
  ];
  const types = path.child('policyTypes');
  if ((spec.policyTypes?.length ?? 0) > POLICY_TYPES.length) {
    return [...errors, invalidValue(types, spec.policyTypes, 'may not specify more than two policyTypes')];
  }
  return [
    ...errors,
    ...validateEach(spec.policyTypes, types, (type, at) =>
      POLICY_TYPES.includes(type) ? [] : [notSupported(at, type, POLICY_TYPES)],
    ),
  ];
}

const validateRule = (
  ports: readonly NetworkPolicyPort[] | undefined,
  peers: readonly NetworkPolicyPeer[] | undefined,
  path: Path,
  field: string,
): FieldError[] => [
  ...validateEach(ports, path.child('ports'), validatePort),
  ...validateEach(peers, path.child(field), validatePeer),
];

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: Path): FieldError[] {
  const errors = validateOptionalEnum(path.child('protocol'), protocol, ['TCP', 'UDP', 'SCTP']);
  const [at, endAt] = [path.child('port'), path.child('endPort')];
  if (typeof port === 'number') {
    errors.push(...invalidEach(at, port, isPortNumber(port)));
    if (endPort === undefined) return errors;
    if (endPort < port) errors.push(invalidValue(endAt, port, 'must be greater than or equal to `port`'));
    return [...errors, ...invalidEach(endAt, endPort, isPortNumber(endPort))];
  }
  const why = port === undefined ? 'not specified' : 'non-numeric';
  if (endPort !== undefined) errors.push(invalidValue(endAt, endPort, `may not be specified when \`port\` is ${why}`));
  return port === undefined ? errors : [...errors, ...invalidEach(at, port, isPortName(port))];
}

function validatePeer({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, path: Path): FieldError[] {
  if (!podSelector && !namespaceSelector && !ipBlock) return [required(path, 'must specify a peer')];
  const errors = [
    ...validateLabelSelector(podSelector, path.child('podSelector')),
    ...validateLabelSelector(namespaceSelector, path.child('namespaceSelector')),
    ...(ipBlock ? validateBlock(ipBlock, path.child('ipBlock')) : []),
  ];
  if (ipBlock && (podSelector || namespaceSelector))
    errors.push(forbiddenField(path, 'may not specify both ipBlock and another peer'));
  return errors;
}

function validateBlock(block: IPBlock, path: Path): FieldError[] {
  if (!block.cidr) return [required(path.child('cidr'))];
  const errors = invalidEach(path.child('cidr'), block.cidr, isCIDR(block.cidr));
  if (errors.length) return errors;
  const outer = parsePrefix(block.cidr)!;
  return validateEach(block.except, path.child('except'), (text, at) => {
    const bad = invalidEach(at, text, isCIDR(text));
    if (bad.length) return bad;
    const inner = parsePrefix(text)!;
    return contains(outer, inner.address) && inner.bits > outer.bits
      ? []
      : [invalidValue(at, text, 'must be a strict subset of `cidr`')];
  });
}
