/** A pod's new status. Models ValidatePodStatusUpdate of pkg/apis/core/validation. */
import type { Container, ContainerStatus, Pod, PodSpec } from '../../../../api/core_v1.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../../machinery/meta/field.js';
import {
  between,
  immutable,
  invalidEach,
  isDNS1123Subdomain,
  isIP,
  isIPv4,
  isQualifiedName,
} from '../../../../machinery/meta/validation.js';
import { containerShouldRestart } from '../restart.js';

const path = Path.of('status');
const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];
const HEALTH = ['Healthy', 'Unhealthy', 'Unknown'];
const MAX_ID = 2147483647;
const NOT_NEGATIVE = 'must be a non-negative integer';
const ONE_PER_FAMILY = 'may specify no more than one IP for each IP family';

export function validatePodStatusUpdate(pod: Pod, old: Pod): FieldError[] {
  const { status, spec } = pod;
  const errors = validateConditions(status);
  const nominated = status.nominatedNodeName;
  const at = path.child('nominatedNodeName');
  if (nominated && nominated !== old.status.nominatedNodeName) {
    errors.push(...invalidEach(at, nominated, isDNS1123Subdomain(nominated)));
    if (old.spec.nodeName) errors.push(forbiddenField(at, 'may not be set on pods that are already bound to a node'));
  }
  if ((status.observedGeneration ?? 0) < 0)
    errors.push(invalidValue(path.child('observedGeneration'), status.observedGeneration, NOT_NEGATIVE));
  errors.push(...immutable(path.child('qosClass'), status.qosClass ?? '', status.qosClass === old.status.qosClass));
  if (!mayRestartAll(old.spec)) {
    errors.push(
      ...validateTransitions(
        status.containerStatuses,
        old.status.containerStatuses,
        old.spec.containers,
        old.spec,
        'containerStatuses',
      ),
    );
    errors.push(
      ...validateTransitions(
        status.initContainerStatuses,
        old.status.initContainerStatuses,
        old.spec.initContainers ?? [],
        old.spec,
        'initContainerStatuses',
      ),
    );
  }
  errors.push(
    ...validateTransitions(
      status.ephemeralContainerStatuses,
      old.status.ephemeralContainerStatuses,
      [],
      old.spec,
      'ephemeralContainerStatuses',
    ),
  );
  errors.push(...validateClaims(pod), ...validateAddresses(status, old.status));
  for (const field of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const)
    errors.push(...validateUsers(status[field], spec.os?.name ?? 'linux', path.child(field)));
  errors.push(...validateAllocated(status.containerStatuses, spec.containers, path.child('containerStatuses')));
  errors.push(
    ...validateAllocated(status.initContainerStatuses, spec.initContainers ?? [], path.child('initContainerStatuses')),
  );
  status.ephemeralContainerStatuses?.forEach((s, i) => {
    if (s.allocatedResourcesStatus?.length)
      errors.push(
        forbiddenField(
          path.child('ephemeralContainerStatuses').index(i).child('allocatedResourcesStatus'),
          'must not be specified in container status',
        ),
      );
  });
  return errors;
}

function validateConditions({ conditions }: Pod['status']): FieldError[] {
  return (conditions ?? []).flatMap(({ type = '', observedGeneration = 0 }, i) => {
    const at = path.child('conditions').index(i);
    const errors =
      observedGeneration < 0 ? [invalidValue(at.child('observedGeneration'), observedGeneration, NOT_NEGATIVE)] : [];
    return SYSTEM_CONDITIONS.includes(type)
      ? errors
      : [...errors, ...invalidEach(at.child('Type'), type, isQualifiedName(type))];
  });
}

const mayRestartAll = (spec: PodSpec): boolean =>
  [...spec.containers, ...(spec.initContainers ?? [])].some((c) =>
    c.restartPolicyRules?.some((rule) => rule.action === 'RestartAllContainers'),
  );

/** A terminated container stays terminated, unless it is to restart. */
function validateTransitions(
  next: readonly ContainerStatus[] | undefined,
  was: readonly ContainerStatus[] | undefined,
  containers: readonly Container[],
  spec: PodSpec,
  field: string,
): FieldError[] {
  return (was ?? []).flatMap((before, i) => {
    const { terminated } = before.state ?? {};
    const after = terminated && next?.find((s) => s.name === before.name && !s.state?.terminated);
    const container = containers.find((c) => c.name === before.name);
    if (!after || (container && containerShouldRestart(container, spec, terminated.exitCode))) return [];
    return [
      forbiddenField(path.child(field).index(i).child('state'), 'may not be transitioned to non-terminated state'),
    ];
  });
}

function validateClaims({ status, spec }: Pod): FieldError[] {
  const names = new Set<string>();
  return (status.resourceClaimStatuses ?? []).flatMap(({ name = '', resourceClaimName }, i) => {
    const at = path.child('resourceClaimStatuses').index(i);
    const errors = spec.resourceClaims?.some((c) => c.name === name)
      ? []
      : [invalidValue(at.child('name'), name, 'must match the name of an entry in `spec.resourceClaims`')];
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    if (resourceClaimName !== undefined)
      errors.push(
        ...invalidEach(at.child('resourceClaimName'), resourceClaimName, isDNS1123Subdomain(resourceClaimName)),
      );
    return errors;
  });
}

function validateAddresses(status: Pod['status'], old: Pod['status']): FieldError[] {
  const errors = validateFamilies(status.podIPs, old.podIPs, path.child('podIPs'));
  const first = status.hostIPs?.[0];
  if (first && (first.ip ?? '') !== (status.hostIP ?? ''))
    errors.push(invalidValue(path.child('hostIPs').index(0).child('ip'), first.ip ?? '', 'must be equal to `hostIP`'));
  return [...errors, ...validateFamilies(status.hostIPs, old.hostIPs, path.child('hostIPs'))];
}

function validateFamilies(
  ips: readonly { readonly ip?: string }[] | undefined,
  was: readonly { readonly ip?: string }[] | undefined,
  at: Path,
): FieldError[] {
  const texts = (ips ?? []).map((i) => i.ip ?? '');
  const errors = texts.flatMap((text, i) =>
    was?.some((w) => w.ip === text) ? [] : invalidEach(at.index(i), text, isIP(text)),
  );
  if (texts.length < 2) return errors;
  const dual = texts.length === 2 && isIPv4(texts[0]!) !== isIPv4(texts[1]!);
  return dual || errors.length > 0
    ? errors
    : [
        ...errors,
        invalidValue(
          at,
          texts.map((IP) => ({ IP })),
          ONE_PER_FAMILY,
        ),
      ];
}

function validateUsers(statuses: readonly ContainerStatus[] | undefined, os: string, at: Path): FieldError[] {
  return (statuses ?? []).flatMap(({ user }, i) => {
    const linux = user?.linux;
    const own = at.index(i).child('user', 'linux');
    if (!linux) return [];
    if (os === 'windows') return [forbiddenField(own, 'cannot be set for a windows pod')];
    const id = (value: number, where: Path): FieldError[] =>
      value < 0 || value > MAX_ID ? [invalidValue(where, value, between(0, MAX_ID))] : [];
    return [
      ...id(linux.uid ?? 0, own.child('uid')),
      ...id(linux.gid ?? 0, own.child('gid')),
      ...(linux.supplementalGroups ?? []).flatMap((group, j) => id(group, own.child('supplementalGroups').index(j))),
    ];
  });
}

function validateAllocated(
  statuses: readonly ContainerStatus[] | undefined,
  containers: readonly Container[],
  at: Path,
): FieldError[] {
  return (statuses ?? []).flatMap((status, i) =>
    (status.allocatedResourcesStatus ?? []).flatMap(({ name = '', resources }, j) => {
      const own = at.index(i).child('allocatedResourcesStatus').index(j);
      const errors = validateAllocatedName(
        name,
        containers.find((c) => c.name === status.name),
        own.child('name'),
      );
      const ids = new Set<string>();
      resources?.forEach(({ resourceID = '', health = '', message }, k) => {
        const each = own.child('resources').index(k);
        if (!HEALTH.includes(health)) errors.push(notSupported(each.child('health'), health, HEALTH));
        if (message === '') errors.push(required(each.child('message'), 'must be non-empty if specified'));
        if (ids.has(resourceID)) errors.push(duplicate(each.child('resourceID'), resourceID));
        ids.add(resourceID);
      });
      return errors;
    }),
  );
}

function validateAllocatedName(name: string, container: Container | undefined, at: Path): FieldError[] {
  if (!container) return [];
  const { claims = [], requests = {} } = container.resources ?? {};
  if (!name.startsWith('claim:'))
    return name in requests ? [] : [invalidValue(at, name, "must match one of the container's resource requests")];
  const found = claims.some((c) => name === `claim:${c.name}${c.request ? `/${c.request}` : ''}`);
  return found
    ? []
    : [
        invalidValue(
          at,
          name,
          "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty",
        ),
      ];
}
