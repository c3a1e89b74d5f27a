/** Models ValidatePodSpec of pkg/apis/core/validation. */
import type { PodResourceClaim, PodSpec } from '../../../../api/core_v1.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '../../../../machinery/meta/field.js';
import {
  between,
  invalidEach,
  isDNS1123Label,
  isDNS1123Subdomain,
  isIP,
  validateLabels,
} from '../../../../machinery/meta/validation.js';
import { validateRequiredEnum } from '../../../field-validation.js';
import { toInternalForm } from '../../../internal-form.js';
import { validateContainers } from './container/containers.js';
import { validateDns } from './dns.js';
import { validateFileVolumes } from './container/environment.js';
import { validateOS } from './os.js';
import { validatePodResources, validateResources } from './container/resources.js';
import {
  validateAffinity,
  validateGates,
  validateTopologySpreadConstraints,
  validateTolerations,
} from './scheduling.js';
import { validateHostUsers, validatePodSecurity } from './container/security.js';
import { validateVolumes } from './volumes.js';
import { validateWindowsHostProcessPod } from './windows-options.js';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const PREEMPTION = ['PreemptLowerPriority', 'Never'];
const MAX_INT32 = 2147483647;
const MAX_HOSTNAME = 64;

export function validatePodSpec(spec: PodSpec, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  validateSpec(spec, path, errors, undefined);
  return errors;
}

/** `podName` is undefined in templates. In upstream's order. */
export function validateSpec(spec: PodSpec, path: Path, errors: FieldError[], podName: string | undefined): void {
  if (spec.terminationGracePeriodSeconds === undefined)
    errors.push(required(path.child('terminationGracePeriodSeconds')));
  const volumes = validateVolumes(spec, podName, path.child('volumes'), errors);
  const claims = validateResourceClaims(spec.resourceClaims, path.child('resourceClaims'), errors);
  validateContainers({ spec, volumes, claims }, path, errors);
  validatePodResources(spec, claims, path, errors);
  validateHostNetwork(spec, podName !== undefined, path, errors);
  errors.push(...validateRequiredEnum(path.child('restartPolicy'), spec.restartPolicy, RESTART_POLICIES));
  errors.push(...validateRequiredEnum(path.child('dnsPolicy'), spec.dnsPolicy, DNS_POLICIES));
  if (spec.nodeSelector) errors.push(...validateLabels(spec.nodeSelector, path.child('nodeSelector')));
  validatePodSecurity(spec, path, errors);
  validateAffinity(spec, path.child('affinity'), errors);
  validateDns(spec, path.child('dnsConfig'), errors);
  validateGates(spec, path, errors);
  if (spec.topologySpreadConstraints)
    validateTopologySpreadConstraints(spec.topologySpreadConstraints, path.child('topologySpreadConstraints'), errors);
  validateWindowsHostProcessPod(spec, path, errors);
  validateHostUsers(spec, path, errors);
  validateHostnameOverride(spec, path.child('hostnameOverride'), errors);
  validateNames(spec, path, errors);
  if (spec.overhead) validateResources({ limits: spec.overhead }, new Set(), path.child('overhead'), errors);
  validateOS(spec, path, errors);
  validateFileVolumes(spec, path, errors);
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
    errors.push(...validateRequiredEnum(path.child('preemptionPolicy'), spec.preemptionPolicy, PREEMPTION));
}
