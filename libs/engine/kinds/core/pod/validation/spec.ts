/** Models ValidatePodSpec and ValidatePodTemplateSpec of pkg/apis/core/validation. */
import type { Pod, PodResourceClaim, PodSpec, PodTemplateSpec } from '../../../../api/core_v1.js';
import {
  duplicate,
  forbiddenField,
  invalidField,
  invalidValue,
  notSupported,
  Path,
  required,
  tooLong,
  type FieldError,
} from '../../../../machinery/meta/field.js';
import type { LabelSelector } from '../../../../machinery/meta/object.js';
import { matchesLabelSelector } from '../../../../machinery/selectors/selectors.js';
import {
  between,
  invalidEach,
  isDNS1123Label,
  isDNS1123Subdomain,
  isDNS1123SubdomainWithUnderscore,
  isIP,
  validateAnnotations,
  validateLabels,
  validateLabelSelector,
} from '../../../../machinery/meta/validation.js';
import { toInternalForm } from '../../../internal-form.js';
import { validatePodAnnotations } from './annotations.js';
import { validateContainers, validateTrimmed } from './containers.js';
import { validateFileVolumes } from './environment.js';
import { validatePodResources, validateResources } from './resources.js';
import { validateAffinity, validateGates, validateSpread, validateTolerations } from './scheduling.js';
import { validateHostUsers, validatePodSecurity } from './security.js';
import { validateVolumes } from './volumes.js';
import { validateLinux, validateWindows, validateWindowsHostProcessPod } from './windows-options.js';

const SPEC = Path.of('spec');
const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const PREEMPTION = ['PreemptLowerPriority', 'Never'];
const MAX_INT32 = 2147483647;
const [MAX_NAMESERVERS, MAX_SEARCHES, MAX_SEARCH_CHARACTERS, MAX_HOSTNAME] = [3, 32, 2048, 64];

export function validatePod(pod: Pod): FieldError[] {
  const { spec, metadata } = pod;
  const errors = validatePodAnnotations(metadata.annotations, spec, Path.of('metadata', 'annotations'));
  validateSpec(spec, SPEC, errors, metadata.name ?? '');
  if (!spec.serviceAccountName) refuseTokens(spec, errors);
  for (const field of ['containers', 'initContainers'] as const)
    spec[field]?.forEach((container, i) => validateTrimmed(container, SPEC.child(field).index(i), errors));
  if (metadata.resourceVersion !== undefined) return errors;
  if (spec.ephemeralContainers?.length)
    errors.push(forbiddenField(SPEC.child('ephemeralContainers'), 'cannot be set on create'));
  if (spec.nodeName && spec.schedulingGates?.length)
    errors.push(forbiddenField(SPEC.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'));
  return errors;
}

function refuseTokens({ volumes }: PodSpec, errors: FieldError[]): void {
  volumes?.forEach(({ projected }, i) =>
    projected?.sources?.forEach((source, j) => {
      if (source.serviceAccountToken)
        errors.push(
          forbiddenField(
            SPEC.child('volumes').index(i).child('projected', 'sources').index(j).child('serviceAccountToken'),
            'must not be specified when serviceAccountName is not set',
          ),
        );
    }),
  );
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
  const errors = [
    ...validateLabels(metadata?.labels, path.child('labels')),
    ...validateAnnotations(metadata?.annotations, path.child('annotations')),
  ];
  if (spec) validateSpec(spec, path.child('spec'), errors, undefined);
  if (spec?.ephemeralContainers?.length)
    errors.push(
      forbiddenField(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template'),
    );
  return errors;
}

/**
 * Everything upstream says of a workload's selector and, when that can be read, of the template with it. `noun` is
 * upstream's: 'empty selector is invalid for deployment'.
 */
export function validateSelectedTemplate(
  selector: LabelSelector | undefined,
  template: PodTemplateSpec,
  path: Path,
  noun: 'deployment' | 'daemonset' | 'statefulset',
  rest: () => FieldError[],
): FieldError[] {
  const at = path.child('selector');
  const faults = selector ? validateLabelSelector(selector, at) : [];
  const isEmpty = !!selector && !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length;
  const empty = isEmpty
    ? [invalidValue(at, toInternalForm('LabelSelector', selector), `empty selector is invalid for ${noun}`)]
    : [];
  const readable = faults.length === 0;
  const unmatched =
    readable && !isEmpty && !(selector && matchesLabelSelector(selector, template.metadata?.labels))
      ? [templateLabelsMismatch(template, path)]
      : [];
  if (noun === 'daemonset') return [...faults, ...unmatched, ...empty, ...rest()];
  const first = selector ? [...faults, ...empty] : [required(at)];
  if (readable) return [...first, ...unmatched, ...rest()];
  const value = toInternalForm('LabelSelector', selector);
  return [
    ...first,
    noun === 'deployment' ? invalidValue(at, value, 'invalid label selector') : invalidField(at, JSON.stringify(value)),
  ];
}

export const templateLabelsMismatch = (template: PodTemplateSpec, path: Path): FieldError =>
  invalidValue(
    path.child('template', 'metadata', 'labels'),
    template.metadata?.labels ?? null,
    '`selector` does not match template `labels`',
  );

/** What all but jobs ask of their templates. */
export function validateAlwaysRestarted(template: PodTemplateSpec | undefined, path: Path, noun: string): FieldError[] {
  const { restartPolicy = 'Always', activeDeadlineSeconds } = template?.spec ?? {};
  const errors =
    restartPolicy === 'Always' ? [] : [notSupported(path.child('spec', 'restartPolicy'), restartPolicy, ['Always'])];
  if (activeDeadlineSeconds === undefined) return errors;
  return [
    ...errors,
    forbiddenField(path.child('spec', 'activeDeadlineSeconds'), `activeDeadlineSeconds in ${noun} is not Supported`),
  ];
}

/** `podName` is undefined in templates. In upstream's order. */
function validateSpec(spec: PodSpec, path: Path, errors: FieldError[], podName: string | undefined): void {
  if (spec.terminationGracePeriodSeconds === undefined)
    errors.push(required(path.child('terminationGracePeriodSeconds')));
  const volumes = validateVolumes(spec, podName, path.child('volumes'), errors);
  const claims = validateResourceClaims(spec.resourceClaims, path.child('resourceClaims'), errors);
  validateContainers({ spec, volumes, claims }, path, errors);
  validatePodResources(spec, claims, path, errors);
  validateHostNetwork(spec, podName !== undefined, path, errors);
  oneOf(spec.restartPolicy, RESTART_POLICIES, path.child('restartPolicy'), errors);
  oneOf(spec.dnsPolicy, DNS_POLICIES, path.child('dnsPolicy'), errors);
  if (spec.nodeSelector) errors.push(...validateLabels(spec.nodeSelector, path.child('nodeSelector')));
  validatePodSecurity(spec, path, errors);
  validateAffinity(spec, path.child('affinity'), errors);
  validateDns(spec, path.child('dnsConfig'), errors);
  validateGates(spec, path, errors);
  if (spec.topologySpreadConstraints)
    validateSpread(spec.topologySpreadConstraints, path.child('topologySpreadConstraints'), errors);
  validateWindowsHostProcessPod(spec, path, errors);
  validateHostUsers(spec, path, errors);
  validateHostnameOverride(spec, path.child('hostnameOverride'), errors);
  validateNames(spec, path, errors);
  if (spec.overhead) validateResources({ limits: spec.overhead }, new Set(), path.child('overhead'), errors);
  validateOs(spec, path, errors);
  validateFileVolumes(spec, path, errors);
}

function oneOf(value: string | undefined, allowed: readonly string[], path: Path, errors: FieldError[]): void {
  if (!value) errors.push(required(path));
  else if (!allowed.includes(value)) errors.push(notSupported(path, value, allowed));
}

/** The names of the claims, for containers to refer to. */
function validateResourceClaims(
  claims: readonly PodResourceClaim[] | undefined,
  path: Path,
  errors: FieldError[],
): ReadonlySet<string> {
  const names = new Set<string>();
  claims?.forEach((claim, i) => {
    const { name, resourceClaimName: own, resourceClaimTemplateName: template } = claim;
    const at = path.index(i);
    if (!name) errors.push(required(at.child('name')));
    else if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    else errors.push(...invalidEach(at.child('name'), name, isDNS1123Label(name)));
    if (name) names.add(name);
    if (own !== undefined && template !== undefined)
      errors.push(
        invalidValue(
          at,
          toInternalForm('PodResourceClaim', claim),
          'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
        ),
      );
    if (own === undefined && template === undefined)
      errors.push(
        invalidValue(
          at,
          toInternalForm('PodResourceClaim', claim),
          'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
        ),
      );
    if (own !== undefined) errors.push(...invalidEach(at.child('resourceClaimName'), own, isDNS1123Subdomain(own)));
    if (template !== undefined)
      errors.push(...invalidEach(at.child('resourceClaimTemplateName'), template, isDNS1123Subdomain(template)));
  });
  return names;
}

function validateDns({ dnsPolicy, dnsConfig }: PodSpec, at: Path, errors: FieldError[]): void {
  if (dnsPolicy === 'None') {
    if (!dnsConfig) return void errors.push(required(at, 'must provide `dnsConfig` when `dnsPolicy` is None'));
    if (!dnsConfig.nameservers?.length)
      return void errors.push(
        required(at.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
      );
  }
  if (!dnsConfig) return;
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  if (nameservers.length > MAX_NAMESERVERS)
    errors.push(
      invalidValue(at.child('nameservers'), nameservers, `must not have more than ${MAX_NAMESERVERS} nameservers`),
    );
  nameservers.forEach((ip, i) => errors.push(...invalidEach(at.child('nameservers').index(i), ip, isIP(ip))));
  if (searches.length > MAX_SEARCHES)
    errors.push(invalidValue(at.child('searches'), searches, `must not have more than ${MAX_SEARCHES} search paths`));
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS)
    errors.push(
      invalidValue(
        at.child('searches'),
        searches,
        `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`,
      ),
    );
  searches.forEach((search, i) => {
    const name = search.replace(/\.$/, '');
    if (search !== '.')
      errors.push(...invalidEach(at.child('searches').index(i), name, isDNS1123SubdomainWithUnderscore(name)));
  });
  options.forEach(({ name }, i) => name || errors.push(required(at.child('options').index(i), 'must not be empty')));
}

/** A template leaves the host's port to be filled in when its pods are made. */
function validateHostNetwork(spec: PodSpec, isPod: boolean, path: Path, errors: FieldError[]): void {
  if (!spec.hostNetwork) return;
  spec.containers?.forEach((container, i) =>
    container.ports?.forEach(({ hostPort = 0, containerPort }, j) => {
      if (hostPort === containerPort || (hostPort === 0 && !isPod)) return;
      errors.push(
        invalidValue(
          path.child('containers').index(i).child('ports').index(j).child('hostPort'),
          hostPort,
          'must match `containerPort` when `hostNetwork` is true',
        ),
      );
    }),
  );
}

function validateHostnameOverride(
  { hostnameOverride: name, setHostnameAsFQDN, hostNetwork }: PodSpec,
  path: Path,
  errors: FieldError[],
): void {
  if (name === undefined) return;
  if (setHostnameAsFQDN) errors.push(forbiddenField(path, 'may not be specified when setHostnameAsFQDN is true'));
  if (hostNetwork) errors.push(forbiddenField(path, 'may not be specified when hostNetwork is true'));
  if (name.length > MAX_HOSTNAME) errors.push(tooLong(path, MAX_HOSTNAME));
  errors.push(...invalidEach(path, name, isDNS1123Subdomain(name)));
}

function validateNames(spec: PodSpec, path: Path, errors: FieldError[]): void {
  const named = (
    field: 'serviceAccountName' | 'nodeName' | 'priorityClassName' | 'runtimeClassName' | 'hostname' | 'subdomain',
    rule: (text: string) => string[],
  ): void => {
    const name = spec[field];
    if (name || (field === 'runtimeClassName' && name !== undefined))
      errors.push(...invalidEach(path.child(field), name, rule(name)));
  };
  const deadline = spec.activeDeadlineSeconds;
  named('serviceAccountName', isDNS1123Subdomain);
  named('nodeName', isDNS1123Subdomain);
  if (deadline !== undefined && (deadline < 1 || deadline > MAX_INT32))
    errors.push(invalidValue(path.child('activeDeadlineSeconds'), deadline, between(1, MAX_INT32)));
  named('hostname', isDNS1123Label);
  named('subdomain', isDNS1123Label);
  if (spec.tolerations) validateTolerations(spec.tolerations, path.child('tolerations'), errors);
  spec.hostAliases?.forEach(({ ip = '', hostnames }, i) => {
    const at = path.child('hostAliases').index(i);
    errors.push(...invalidEach(at.child('ip'), ip, isIP(ip)));
    hostnames?.forEach((name, j) =>
      errors.push(...invalidEach(at.child('hostnames').index(j), name, isDNS1123Subdomain(name))),
    );
  });
  named('priorityClassName', isDNS1123Subdomain);
  named('runtimeClassName', isDNS1123Subdomain);
  if (spec.preemptionPolicy !== undefined)
    oneOf(spec.preemptionPolicy, PREEMPTION, path.child('preemptionPolicy'), errors);
}

function validateOs(spec: PodSpec, path: Path, errors: FieldError[]): void {
  if (!spec.os) return;
  if (spec.os.name === 'linux') validateLinux(spec, path, errors);
  else if (spec.os.name === 'windows') validateWindows(spec, path, errors);
  else if (spec.os.name) errors.push(notSupported(path.child('os'), spec.os.name, ['linux', 'windows']));
  else errors.push(required(path.child('os', 'name')));
}
