/** Models ValidatePodSpec and ValidatePodTemplateSpec of pkg/apis/core/validation. */
import type { Pod, PodSpec, PodTemplateSpec } from '../../../api/core_v1.js';
import { forbiddenField, invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/field.js';
import type { LabelSelector } from '../../../machinery/object.js';
import { matchesLabelSelector } from '../../../machinery/selectors.js';
import {
  between, invalidEach, isDNS1123Label, isDNS1123Subdomain, isIP, isQualifiedName, NOT_NEGATIVE, validateAnnotations, validateLabels, validateLabelSelector,
} from '../../../machinery/validation.js';
import { validateContainers } from './containers.js';
import { validatePodResources } from './resources.js';
import { validateScheduling } from './scheduling.js';
import { validatePodSecurity } from './security.js';
import { validateVolumes } from './volumes.js';

const SPEC = Path.of('spec');
const RESTART_POLICIES = ['Always', 'Never', 'OnFailure'];
const DNS_POLICIES = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'];
const PREEMPTION = ['Never', 'PreemptLowerPriority'];
const MAX_INT32 = 2147483647;
const [MAX_NAMESERVERS, MAX_SEARCHES] = [3, 32];

export function validatePod(pod: Pod): FieldError[] {
  const errors: FieldError[] = [];
  validateSpec(pod.spec, SPEC, errors, pod.metadata.name);
  if (pod.spec.ephemeralContainers?.length && pod.metadata.resourceVersion === undefined) {
    errors.push(forbiddenField(SPEC.child('ephemeralContainers'), 'cannot be set on create'));
  }
  return errors;
}

export function validatePodSpec(spec: PodSpec, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  validateSpec(spec, path, errors, undefined);
  return errors;
}

/** `path` is the template's own: 'spec.template'. */
export function validatePodTemplate(template: PodTemplateSpec | undefined, path: Path): FieldError[] {
  if (!template) return [required(path)];
  const { metadata, spec } = template;
  const errors = [...validateLabels(metadata?.labels, path.child('labels')), ...validateAnnotations(metadata?.annotations, path.child('annotations'))];
  if (spec) validateSpec(spec, path.child('spec'), errors, undefined);
  if (spec?.ephemeralContainers?.length) errors.push(forbiddenField(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template'));
  return errors;
}

/** `spec.selector` of a workload: present, not empty, and matching the template. `noun` is upstream's, as in 'empty selector is invalid for deployment'. */
export function validateSelectedTemplate(selector: LabelSelector | undefined, template: PodTemplateSpec | undefined, path: Path, noun: string): FieldError[] {
  const at = path.child('selector');
  const errors = selector ? validateLabelSelector(selector, at) : noun === 'daemonset' ? [] : [required(at)];
  const empty = selector && !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length;
  if (empty) errors.push(invalidValue(at, selector, `empty selector is invalid for ${noun}`));
  const labels = template?.metadata?.labels;
  if (template && !empty && !matchesLabelSelector(selector, labels)) {
    errors.push(invalidValue(path.child('template', 'metadata', 'labels'), labels ?? {}, '`selector` does not match template `labels`'));
  }
  return errors;
}

/** What all but jobs ask of their templates. */
export function validateAlwaysRestarted(template: PodTemplateSpec | undefined, path: Path, noun: string): FieldError[] {
  const { restartPolicy = 'Always', activeDeadlineSeconds } = template?.spec ?? {};
  const errors = restartPolicy === 'Always' ? [] : [notSupported(path.child('spec', 'restartPolicy'), restartPolicy, ['Always'])];
  if (activeDeadlineSeconds === undefined) return errors;
  const at = path.child('spec', 'activeDeadlineSeconds');
  return [...errors, noun === 'DaemonSet' ? invalidValue(at, activeDeadlineSeconds, 'must not be set') : forbiddenField(at, `activeDeadlineSeconds in ${noun} is not Supported`)];
}

function validateSpec(spec: PodSpec, path: Path, errors: FieldError[], podName: string | undefined): void {
  const volumes = validateVolumes(spec, podName, path.child('volumes'), errors);
  validateContainers(spec, volumes, path, errors);
  if (!RESTART_POLICIES.includes(spec.restartPolicy ?? 'Always')) errors.push(notSupported(path.child('restartPolicy'), spec.restartPolicy, RESTART_POLICIES));
  validateDns(spec, path, errors);
  validatePodSecurity(spec, path, errors);
  spec.imagePullSecrets?.forEach(({ name }, i) => name || errors.push(required(path.child('imagePullSecrets').index(i).child('name'))));
  validateScheduling(spec, path, errors);
  spec.readinessGates?.forEach(({ conditionType: type }, i) => errors.push(...invalidEach(path.child('readinessGates').index(i).child('conditionType'), type, isQualifiedName(type))));
  validateHostNetwork(spec, path, errors);
  validateNames(spec, path, errors);
  validateNumbers(spec, path, errors);
  if (spec.resources) validatePodResources(spec.resources, path.child('resources'), errors);
}

function validateDns({ dnsPolicy, dnsConfig }: PodSpec, path: Path, errors: FieldError[]): void {
  const at = path.child('dnsConfig');
  if (!DNS_POLICIES.includes(dnsPolicy ?? 'ClusterFirst')) errors.push(notSupported(path.child('dnsPolicy'), dnsPolicy, DNS_POLICIES));
  if (dnsPolicy === 'None') {
    if (!dnsConfig) errors.push(required(at, 'must provide `dnsConfig` when `dnsPolicy` is None'));
    else if (!dnsConfig.nameservers?.length) errors.push(required(at.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
  }
  if (!dnsConfig) return;
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  if (nameservers.length > MAX_NAMESERVERS) errors.push(invalidValue(at.child('nameservers'), nameservers, `must not have more than ${MAX_NAMESERVERS} nameservers`));
  nameservers.forEach((ip, i) => errors.push(...invalidEach(at.child('nameservers').index(i), ip, isIP(ip))));
  if (searches.length > MAX_SEARCHES) errors.push(invalidValue(at.child('searches'), searches, `must not have more than ${MAX_SEARCHES} search paths`));
  options.forEach(({ name }, i) => name || errors.push(required(at.child('options').index(i), 'must not be empty')));
}

function validateHostNetwork(spec: PodSpec, path: Path, errors: FieldError[]): void {
  if (!spec.hostNetwork) return;
  spec.containers?.forEach((container, i) => container.ports?.forEach((port, j) => {
    if (port.hostPort === port.containerPort) return;
    errors.push(invalidValue(path.child('containers').index(i).child('ports').index(j).child('containerPort'), port.containerPort, 'must match `hostPort` when `hostNetwork` is true'));
  }));
}

const NAMES = ['serviceAccountName', 'nodeName', 'priorityClassName', 'runtimeClassName'] as const;

function validateNames(spec: PodSpec, path: Path, errors: FieldError[]): void {
  for (const field of NAMES) {
    const name = spec[field];
    if (name) for (const message of isDNS1123Subdomain(name)) errors.push(invalidValue(path.child(field), name, message));
  }
  for (const field of ['hostname', 'subdomain'] as const) {
    const name = spec[field];
    if (name) for (const message of isDNS1123Label(name)) errors.push(invalidValue(path.child(field), name, message));
  }
  spec.hostAliases?.forEach(({ ip, hostnames }, i) => {
    const at = path.child('hostAliases').index(i);
    errors.push(...invalidEach(at.child('ip'), ip, isIP(ip)));
    hostnames?.forEach((name, j) => errors.push(...invalidEach(at.child('hostnames').index(j), name, isDNS1123Subdomain(name))));
  });
  const { os } = spec;
  if (os && os.name !== 'linux' && os.name !== 'windows') errors.push(os.name ? notSupported(path.child('os').child('name'), os.name, ['linux', 'windows']) : required(path.child('os').child('name'), 'cannot be empty'));
  if (spec.preemptionPolicy !== undefined && !PREEMPTION.includes(spec.preemptionPolicy)) errors.push(notSupported(path.child('preemptionPolicy'), spec.preemptionPolicy, PREEMPTION));
}

function validateNumbers(spec: PodSpec, path: Path, errors: FieldError[]): void {
  const { activeDeadlineSeconds: deadline, terminationGracePeriodSeconds: grace } = spec;
  if (deadline !== undefined && (deadline < 1 || deadline > MAX_INT32)) errors.push(invalidValue(path.child('activeDeadlineSeconds'), deadline, between(1, MAX_INT32)));
  if (grace !== undefined && grace < 0) errors.push(invalidValue(path.child('terminationGracePeriodSeconds'), grace, NOT_NEGATIVE));
}
