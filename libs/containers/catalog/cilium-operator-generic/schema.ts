/** The schema of Cilium's policies, as far as rules are read; what they have beside that is kept unread. */
type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const port: Schema = { type: 'integer', format: 'int32', minimum: 0, maximum: 65_535 };
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const objectOf = (properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
});
const texts = listOf(text);
const byName: Schema = { type: 'object', additionalProperties: text };

const selector = objectOf({
  matchLabels: byName,
  matchExpressions: listOf(
    objectOf(
      {
        key: text,
        operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
        values: texts,
      },
      ...['key', 'operator'],
    ),
  ),
});

/** The key of a label may begin with its source. */
const entity = (names: readonly string[]): Schema => listOf({ type: 'string', enum: names });
const ENTITIES: readonly string[] = [
  ...['all', 'world', 'cluster', 'host', 'init', 'ingress', 'unmanaged', 'remote-node', 'health', 'none'],
  ...['kube-apiserver', 'world-ipv4', 'world-ipv6'],
];
const cidrSet = listOf(objectOf({ cidr: text, cidrGroupRef: text, cidrGroupSelector: selector, except: texts }));

const ports = listOf(
  objectOf(
    {
      port: {
        type: 'string',
        pattern:
          '^(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[0-9]{1,4})|([a-zA-Z0-9]-?)*[a-zA-Z](-?[a-zA-Z0-9])*$',
      },
      endPort: port,
      protocol: { type: 'string', enum: ['TCP', 'UDP', 'SCTP', 'VRRP', 'IGMP', 'ANY'] },
    },
    'port',
  ),
);
const http = objectOf({
  ...{ method: text, path: text, host: text, headers: texts },
  headerMatches: listOf(anything),
});
const names = objectOf({ matchName: text, matchPattern: text });
const toPorts = listOf(
  objectOf({
    ports,
    rules: objectOf({
      http: listOf(http),
      dns: listOf(names),
      kafka: listOf(anything),
      l7: listOf(anything),
      l7proto: text,
    }),
    ...{ terminatingTLS: anything, originatingTLS: anything, listener: anything, serverNames: texts },
  }),
);
const toPortsOfDenials = listOf(objectOf({ ports }));
const icmps = listOf(objectOf({ fields: listOf(anything) }));
const auth = objectOf({ mode: { type: 'string', enum: ['disabled', 'required', 'test-always-fail'] } }, 'mode');

const sources = {
  ...{ fromEndpoints: listOf(selector), fromRequires: listOf(selector), fromNodes: listOf(selector) },
  ...{ fromCIDR: texts, fromCIDRSet: cidrSet, fromEntities: entity(ENTITIES), fromGroups: listOf(anything) },
};
const services = listOf(
  objectOf({
    k8sService: objectOf({ serviceName: text, namespace: text }),
    k8sServiceSelector: objectOf({ selector, namespace: text }, 'selector'),
  }),
);
const targets = {
  ...{ toEndpoints: listOf(selector), toRequires: listOf(selector), toNodes: listOf(selector) },
  ...{ toCIDR: texts, toCIDRSet: cidrSet, toEntities: entity(ENTITIES), toGroups: listOf(anything) },
  toServices: services,
};

const rule: Schema = objectOf({
  endpointSelector: selector,
  nodeSelector: selector,
  ingress: listOf(objectOf({ ...sources, toPorts, icmps, authentication: auth })),
  ingressDeny: listOf(objectOf({ ...sources, toPorts: toPortsOfDenials, icmps })),
  egress: listOf(objectOf({ ...targets, toPorts, icmps, authentication: auth, toFQDNs: listOf(names) })),
  egressDeny: listOf(objectOf({ ...targets, toPorts: toPortsOfDenials, icmps })),
  enableDefaultDeny: objectOf({ ingress: flag, egress: flag }),
  description: text,
  labels: listOf(objectOf({ key: text, source: text, value: text }, 'key')),
  log: objectOf({ value: text }),
});

const status = objectOf({
  conditions: listOf(
    objectOf({
      type: text,
      status: text,
      reason: text,
      message: text,
      lastTransitionTime: { ...text, format: 'date-time' },
    }),
  ),
  derivativePolicies: anything,
});

export const policySchema: Schema = objectOf({
  ...{ apiVersion: text, kind: text, metadata: { type: 'object' } },
  ...{ spec: rule, specs: listOf(rule), status },
});

/** Of kinds that are kept, and that nothing here reads. */
export const openSchema: Schema = {
  ...objectOf({ spec: anything, status: anything, metadata: { type: 'object' } }),
  'x-kubernetes-preserve-unknown-fields': true,
};

export const identitySchema: Schema = objectOf(
  { ...{ apiVersion: text, kind: text, metadata: { type: 'object' } }, 'security-labels': byName },
  'security-labels',
);
