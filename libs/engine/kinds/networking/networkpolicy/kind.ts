import type { NetworkPolicy, NetworkPolicyPort } from '../../../api/networking_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { formatLabelSelector } from '../../../machinery/selectors/selectors.js';
import { ageColumn, nameColumn, text } from '../../columns.js';
import { validateNetworkPolicy } from './validation.js';

/** Models pkg/registry/networking/networkpolicy. */
export const kind = defineKind<NetworkPolicy>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  singular: 'networkpolicy',
  shortNames: ['netpol'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.networking.v1.NetworkPolicy',
  generation: true,
  columns: [nameColumn, text('Pod-Selector', (p) => formatLabelSelector(p.spec.podSelector)), ageColumn],
  defaults(draft) {
    const { spec } = draft;
    const policyTypes = spec.policyTypes?.length
      ? spec.policyTypes
      : ['Ingress', ...(spec.egress?.length ? ['Egress'] : [])];
    draft.spec = {
      ...spec,
      podSelector: spec.podSelector ?? {},
      policyTypes,
      ...(spec.ingress ? { ingress: spec.ingress.map(withProtocols) } : {}),
      ...(spec.egress ? { egress: spec.egress.map(withProtocols) } : {}),
    };
  },
  validate: validateNetworkPolicy,
});

const withProtocols = <T extends { ports?: NetworkPolicyPort[] }>(rule: T): T =>
  rule.ports ? { ...rule, ports: rule.ports.map((p) => (p.protocol ? p : { ...p, protocol: 'TCP' })) } : rule;
