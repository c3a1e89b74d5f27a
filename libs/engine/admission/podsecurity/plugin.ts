import type { CronJob } from '../../api/batch_v1.js';
import type { Namespace, Pod, PodTemplateSpec } from '../../api/core_v1.js';
import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { apiServerOf } from '../../kinds/terrarium/noderuntime/api-server.js';
import type { PodSecurityConfiguration } from '../../kinds/terrarium/noderuntime/api-server-configuration.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { invalid } from '../../machinery/meta/status.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { refuseNamed } from '../refuse.js';
import type { PodLike } from './check.js';
import {
  detailText,
  isStricter,
  validateLabels,
  policyToEvaluate,
  reasonText,
  textOf,
  evaluatePod,
  type LevelVersion,
  type Policy,
} from './policy.js';

const MAX_PODS_CHECKED = 3_000;
const IGNORED_SUBRESOURCES: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);
const WORKLOADS = [
  'replicationcontrollers',
  'podtemplates',
  'replicasets.apps',
  'deployments.apps',
  'daemonsets.apps',
  'statefulsets.apps',
  'jobs.batch',
  'cronjobs.batch',
];

/** Enforces the Pod Security Standards that a namespace's labels name. Models pod-security-admission/admission. */
export const plugin: AdmissionPlugin = {
  name: 'PodSecurity',
  resources: ['namespaces', 'pods', ...WORKLOADS],
  validate(request) {
    if (request.operation === 'DELETE') return;
    if (request.kind === Namespaces) return checkNamespace(request);
    const isPod = request.kind === Pods;
    if (isPod ? IGNORED_SUBRESOURCES.has(request.subresource) : !request.fromOutside) return;
    const labels = request.client.get(Namespaces, { namespace: '', name: request.namespace })?.metadata.labels;
    const configured = apiServerOf(request.client)?.podSecurity;
    if (configured && isExempt(request, configured)) return;
    const policy = policyToEvaluate(configured ? { ...configured.defaults, ...labels } : labels);
    if (!policy) return;
    if (isPod) checkPod(request, policy);
    else if (request.subresource === '') addWarning(request, policy.warn, podTemplateOf(request.object!));
  },
};

/** Models pod-security-admission/admission exemptNamespace, exemptUser and exemptRuntimeClass. */
function isExempt(request: AdmissionRequest, { exemptions }: PodSecurityConfiguration): boolean {
  const runtimeClass = (request.object as Pod | undefined)?.spec?.runtimeClassName;
  return (
    exemptions.namespaces.includes(request.namespace) ||
    exemptions.usernames.includes(request.user.name) ||
    (request.kind === Pods && runtimeClass !== undefined && exemptions.runtimeClasses.includes(runtimeClass))
  );
}

function checkPod(request: AdmissionRequest, { enforce, warn: warning }: Policy): void {
  const [pod, old] = [request.object as Pod, request.old as Pod | undefined];
  if (old && !isSignificantUpdate(pod, old)) return;
  const violations = evaluatePod(enforce, pod);
  if (violations.length)
    throw refuseNamed(request, `violates PodSecurity ${JSON.stringify(textOf(enforce))}: ${detailText(violations)}`);
  addWarning(request, warning, pod);
}

function addWarning(request: AdmissionRequest, level: LevelVersion, pod: PodLike | undefined): void {
  const violations = pod ? evaluatePod(level, pod) : [];
  if (violations.length)
    request.warn(`would violate PodSecurity ${JSON.stringify(textOf(level))}: ${detailText(violations)}`);
}

/** The pod template of a workload. Models DefaultPodSpecExtractor. */
function podTemplateOf(object: KubeObject): PodLike | undefined {
  const { template, spec } = object as KubeObject & {
    template?: PodTemplateSpec;
    spec?: { template?: PodTemplateSpec };
  };
  const podTemplate =
    object.kind === 'CronJob'
      ? (object as unknown as CronJob).spec.jobTemplate.spec?.template
      : (template ?? spec?.template);
  return podTemplate?.spec ? { metadata: podTemplate.metadata ?? {}, spec: podTemplate.spec } : undefined;
}

/** Whether an update changes images, containers or profile annotations: the checks see nothing else that can change. */
function isSignificantUpdate(pod: Pod, old: Pod): boolean {
  const images = ({ spec: { containers, initContainers = [], ephemeralContainers = [] } }: Pod): string =>
    [...containers, ...initContainers, ...ephemeralContainers].map((c) => `${c.name}=${c.image}`).join();
  const profiles = ({ metadata: { annotations = {} } }: Pod): string =>
    Object.entries(annotations)
      .filter(([k]) => k.startsWith('container.apparmor') || k.includes('seccomp'))
      .sort()
      .join();
  return (pod.spec !== old.spec && images(pod) !== images(old)) || profiles(pod) !== profiles(old);
}

// ---- namespaces ----

function checkNamespace(request: AdmissionRequest): void {
  const [namespace, old] = [request.object as Namespace, request.old as Namespace | undefined];
  if (request.subresource !== '' || (old && namespace.metadata.labels === old.metadata.labels)) return;
  const errors = validateLabels(namespace.metadata.labels);
  if (
    errors.length &&
    errors.map((e) => e.message).join() !==
      validateLabels(old?.metadata.labels)
        .map((e) => e.message)
        .join()
  )
    throw invalid(request.kind, request.name, errors);
  if (!old) return;
  const [now, before] = [
    policyToEvaluate(namespace.metadata.labels)?.enforce,
    policyToEvaluate(old.metadata.labels)?.enforce,
  ];
  if (
    !now ||
    now.level === 'privileged' ||
    (before && before.version === now.version && !isStricter(now.level, before.level))
  )
    return;
  for (const text of evaluatePodsInNamespace(request, now)) request.warn(text);
}

/** Warnings of the existing pods that violate a new enforce level. Models EvaluatePodsInNamespace. */
function evaluatePodsInNamespace(request: AdmissionRequest, level: LevelVersion): string[] {
  const all = request.client.list(Pods, request.name);
  const pods = all.slice(0, MAX_PODS_CHECKED);
  const byReason = new Map<string, string[]>();
  for (const pod of pods) {
    const violations = evaluatePod(level, pod);
    if (violations.length === 0) continue;
    const reason = reasonText(violations);
    byReason.set(reason, [...(byReason.get(reason) ?? []), pod.metadata.name!].sort());
  }
  const checked =
    pods.length < all.length
      ? [`new PodSecurity enforce level only checked against the first ${pods.length} of ${all.length} existing pods`]
      : [];
  if (byReason.size === 0) return checked;
  const lines = [...byReason].map(([reason, names]) => `${names[0]}${others(names.length - 1)}: ${reason}`).sort();
  return [
    ...checked,
    `existing pods in namespace ${JSON.stringify(request.name)} violate the new PodSecurity enforce level ${JSON.stringify(textOf(level))}`,
    ...lines,
  ];
}

const others = (n: number): string => (n === 0 ? '' : n === 1 ? ' (and 1 other pod)' : ` (and ${n} other pods)`);
