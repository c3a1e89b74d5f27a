/** Controllers by the names of kube-controller-manager's --controllers, where these are not ours with '-controller'. */
const UPSTREAM: Readonly<Record<string, string>> = {
  'clusterrole-aggregation-controller': 'clusterroleaggregation',
  'certificatesigningrequest-approving-controller': 'csrapproving',
  'certificatesigningrequest-cleaner-controller': 'csrcleaner',
  'certificatesigningrequest-signing-controller': 'csrsigning',
  'endpointslice-mirroring-controller': 'endpointslicemirroring',
  'garbage-collector-controller': 'garbagecollector',
  'horizontal-pod-autoscaler-controller': 'horizontalpodautoscaler',
  'node-lifecycle-controller': 'nodelifecycle',
  'persistentvolume-binder-controller': 'persistentvolume',
  'persistentvolume-expander-controller': 'volumeexpand',
  'persistentvolume-protection-controller': 'pvprotection',
  'persistentvolumeclaim-protection-controller': 'pvcprotection',
  'pod-garbage-collector-controller': 'podgc',
  'root-ca-certificate-publisher-controller': 'rootca',
  'service-cidr-controller': 'servicecidr',
  'serviceaccount-token-controller': 'serviceaccounttoken',
  'service-lb-controller': 'servicelb',
  'taint-eviction-controller': 'tainteviction',
  'ttl-after-finished-controller': 'ttlafterfinished',
  'validatingadmissionpolicy-status-controller': 'validatingadmissionpolicystatus',
};
const OWN: ReadonlySet<string> = new Set([
  ...Object.values(UPSTREAM),
  ...['cronjob', 'daemonset', 'deployment', 'disruption', 'endpoints', 'endpointslice', 'job', 'namespace'],
  ...['replicaset', 'replicationcontroller', 'resourcequota', 'serviceaccount', 'statefulset'],
]);
const SUFFIX = '-controller';

/** Names that a fault takes, as kube-controller-manager has them. */
export const CONTROLLER_NAMES: readonly string[] = [
  ...Object.keys(UPSTREAM),
  ...[...OWN].filter((name) => !Object.values(UPSTREAM).includes(name)).map((name) => `${name}${SUFFIX}`),
].sort();

/** Our name of a controller that is named as upstream does, or as we do; undefined: there is none. */
export function controllerNamed(name: string): string | undefined {
  if (Object.hasOwn(UPSTREAM, name)) return UPSTREAM[name];
  const own = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name;
  return OWN.has(own) ? own : undefined;
}
