import type { BodyResponse } from '../../machinery/requests/http.js';
import type { Query } from '../../machinery/requests/query.js';
import { textResponse } from '../response/writers.js';

const POST_START_HOOKS = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'peer-endpoint-reconciler-controller',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
].map((hook) => `poststarthook/${hook}`);
const AGGREGATOR_CHECKS = [
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];
const LIVENESS_CHECKS = [
  'ping',
  'log',
  'loopback-serving-certificate',
  'etcd',
  ...POST_START_HOOKS,
  ...AGGREGATOR_CHECKS,
];

/** What fails while etcd has no leader. */
const OF_ETCD: ReadonlySet<string> = new Set(['etcd', 'etcd-readiness']);

/** The checks of each health path, in upstream's order. A cluster that answers at all passes them, but for etcd's. */
export const HEALTH_CHECKS = {
  healthz: LIVENESS_CHECKS,
  livez: LIVENESS_CHECKS,
  readyz: [
    'ping',
    'log',
    'etcd',
    'etcd-readiness',
    'informer-sync',
    ...POST_START_HOOKS,
    ...AGGREGATOR_CHECKS,
    'shutdown',
  ],
} as const;
export type HealthPath = keyof typeof HEALTH_CHECKS;

/**
 * /livez, /livez?verbose&exclude=etcd, /livez/etcd; undefined for an unknown check. `hasStore`: etcd answers. Models
 * apiserver/pkg/server/healthz.
 */
export function healthResponse(
  name: HealthPath,
  check: string,
  query: Query,
  hasStore: boolean,
): BodyResponse | undefined {
  const checks: readonly string[] = HEALTH_CHECKS[name];
  const isFailing = (one: string): boolean => !hasStore && OF_ETCD.has(one);
  if (check) {
    if (!checks.includes(check)) return undefined;
    return isFailing(check) ? textResponse(500, `internal server error: ${NO_STORE}\n`) : textResponse(200, 'ok');
  }
  const excluded = query.all('exclude');
  const hasFailed = checks.some((one) => isFailing(one) && !excluded.includes(one));
  if (query.get('verbose') === null && !hasFailed) return textResponse(200, 'ok');
  const unknown = excluded.filter((e) => !checks.includes(e)).map((e) => JSON.stringify(e));
  const lines = checks.map((one) => {
    if (excluded.includes(one)) return `[+]${one} excluded: ok\n`;
    return isFailing(one) ? `[-]${one} failed: reason withheld\n` : `[+]${one} ok\n`;
  });
  const warning = unknown.length
    ? `warn: some health checks cannot be excluded: no matches for ${unknown.join(', ')}\n`
    : '';
  const [status, end] = hasFailed ? [500, 'failed'] : [200, 'passed'];
  return textResponse(status, `${lines.join('')}${warning}${name} check ${end}\n`);
}

const NO_STORE = 'etcd failed: error getting data from etcd: context deadline exceeded';
