import type { Client } from '@terrarium/engine';
import { CustomResourceDefinitions } from '../../../engine/kinds/index.js';
import { identitySchema, openSchema, policySchema } from './schema.js';

type Column = readonly [name: string, path: string, type?: string, priority?: number];

interface Definition {
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly columns?: readonly Column[];
  readonly schema?: object;
  readonly hasStatus?: boolean;
  readonly version?: string;
}

const AGE: Column = ['Age', '.metadata.creationTimestamp', 'date'];
const VALID: Column = ['Valid', ".status.conditions[?(@.type=='Valid')].status"];
const POLICY = { categories: ['cilium', 'ciliumpolicy'], columns: [AGE, VALID], schema: policySchema, hasStatus: true };
const address = (type: string): string => `.spec.addresses[?(@.type=="${type}")].ip`;

/** What the operator registers. Models pkg/k8s/apis/cilium.io/client/register.go. */
const DEFINITIONS: readonly Definition[] = [
  {
    ...POLICY,
    kind: 'CiliumNetworkPolicy',
    plural: 'ciliumnetworkpolicies',
    isNamespaced: true,
    shortNames: ['cnp', 'ciliumnp'],
  },
  {
    ...POLICY,
    kind: 'CiliumClusterwideNetworkPolicy',
    plural: 'ciliumclusterwidenetworkpolicies',
    shortNames: ['ccnp'],
  },
  {
    ...{ kind: 'CiliumEndpoint', plural: 'ciliumendpoints', isNamespaced: true, shortNames: ['cep', 'ciliumep'] },
    hasStatus: true,
    columns: [
      ['Security Identity', '.status.identity.id', 'integer'],
      ['Ingress Enforcement', '.status.policy.ingress.state', 'string', 1],
      ['Egress Enforcement', '.status.policy.egress.state', 'string', 1],
      ['Endpoint State', '.status.state'],
      ['IPv4', '.status.networking.addressing[0].ipv4'],
      ['IPv6', '.status.networking.addressing[0].ipv6'],
    ],
  },
  {
    ...{ kind: 'CiliumIdentity', plural: 'ciliumidentities', shortNames: ['ciliumid'], schema: identitySchema },
    columns: [['Namespace', '.metadata.labels.io\\.kubernetes\\.pod\\.namespace'], AGE],
  },
  {
    ...{ kind: 'CiliumNode', plural: 'ciliumnodes', shortNames: ['cn', 'ciliumn'], hasStatus: true },
    columns: [['CiliumInternalIP', address('CiliumInternalIP')], ['InternalIP', address('InternalIP')], AGE],
  },
  { kind: 'CiliumCIDRGroup', plural: 'ciliumcidrgroups', shortNames: ['ccg'] },
  {
    kind: 'CiliumLoadBalancerIPPool',
    plural: 'ciliumloadbalancerippools',
    shortNames: ['ippools', 'ippool', 'lbippool', 'lbippools'],
    hasStatus: true,
  },
  { kind: 'CiliumNodeConfig', plural: 'ciliumnodeconfigs', isNamespaced: true },
  { kind: 'CiliumPodIPPool', plural: 'ciliumpodippools', shortNames: ['cpip'], version: 'v2alpha1' },
  {
    kind: 'CiliumL2AnnouncementPolicy',
    plural: 'ciliuml2announcementpolicies',
    shortNames: ['l2announcement'],
    version: 'v2alpha1',
    hasStatus: true,
  },
];

/** Registers the definitions that are missing; false: some of them were. */
export function registerDefinitions(api: Client): boolean {
  const missing = DEFINITIONS.filter(
    ({ plural }) => !api.get(CustomResourceDefinitions, { namespace: '', name: `${plural}.cilium.io` }),
  );
  for (const one of missing) api.create(CustomResourceDefinitions, definitionOf(one) as never);
  return missing.length === 0;
}

function definitionOf({
  kind,
  plural,
  isNamespaced,
  shortNames,
  categories = ['cilium'],
  ...more
}: Definition): object {
  const { columns = [AGE], schema = openSchema, hasStatus, version = 'v2' } = more;
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.cilium.io`, labels: { 'io.cilium.k8s.crd.schema.version': '1.32.3' } },
    spec: {
      group: 'cilium.io',
      scope: isNamespaced ? 'Namespaced' : 'Cluster',
      names: { ...{ kind, plural, categories }, singular: kind.toLowerCase(), listKind: `${kind}List`, shortNames },
      versions: [
        {
          ...{ name: version, served: true, storage: true, schema: { openAPIV3Schema: schema } },
          additionalPrinterColumns: columns.map(([name, jsonPath, type = 'string', priority]) => ({
            ...{ name, jsonPath, type },
            ...(priority === undefined ? {} : { priority }),
          })),
          ...(hasStatus ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  };
}
