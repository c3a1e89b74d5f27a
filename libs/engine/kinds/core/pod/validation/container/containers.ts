/**
 * Containers, init containers and ephemeral containers. Models validateContainers, validateInitContainers and
 * validateEphemeralContainers of pkg/apis/core/validation.
 */
import type {
  Container,
  ContainerPort,
  ContainerResizePolicy,
  ContainerRestartRule,
  EphemeralContainer,
  PodSpec,
  Volume,
} from '../../../../../api/core_v1.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
  tooMany,
  type FieldError,
  type Path,
} from '../../../../../machinery/meta/field.js';
import { invalidEach, isDNS1123Label, isPortName, isPortNumber } from '../../../../../machinery/meta/validation.js';
import { validateEnvironment } from './environment.js';
import { validateHandlers } from './handlers.js';
import { validateDevices, validateMounts } from './mounts.js';
import { validateResources } from './resources.js';
import { validateContainerSecurity } from './security.js';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const RESTART_POLICIES = ['Always', 'Never', 'OnFailure'];
const RULE_ACTIONS = ['Restart', 'RestartAllContainers'];
const RULE_OPERATORS = ['In', 'NotIn'];
const RESIZABLE = ['cpu', 'memory'];
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer'];
const [MAX_RULES, MAX_EXIT_CODES] = [20, 255];
const NOT_FOR_INIT = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const NOT_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** What the fields of a container may refer to in its pod. */
export interface ContainerScope {
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly claims: ReadonlySet<string>;
  readonly spec: PodSpec;
}

export function validateContainers(scope: ContainerScope, path: Path, errors: FieldError[]): void {
  const { spec } = scope;
  if (spec.containers?.length) validateRegular(spec.containers, scope, path.child('containers'), errors);
  else errors.push(required(path.child('containers')));
  const names = new Set(spec.containers?.map((c) => c.name));
  spec.initContainers?.forEach((_, i) =>
    validateInitContainer(spec.initContainers!, i, scope, names, path.child('initContainers'), errors),
  );
  if (spec.ephemeralContainers?.length)
    validateEphemeral(spec.ephemeralContainers, scope, path.child('ephemeralContainers'), errors);
}

function validateRegular(
  containers: readonly Container[],
  scope: ContainerScope,
  path: Path,
  errors: FieldError[],
): void {
  const names = new Set<string>();
  containers.forEach((container, i) => {
    const at = path.index(i);
    validateContainer(container, scope, at, errors);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    validateHandlers(container, scope.spec, at, errors);
    validateRestartPolicy(container, at, errors);
  });
  validateHostPorts(containers, path, errors);
}

function validateInitContainer(
  all: readonly Container[],
  i: number,
  scope: ContainerScope,
  names: Set<string>,
  path: Path,
  errors: FieldError[],
): void {
  const [container, at] = [all[i]!, path.index(i)];
  validateContainer(container, scope, at, errors);
  // Upstream validates no rules that come without a policy.
  if (container.restartPolicy !== undefined || !container.restartPolicyRules?.length)
    validateRestartPolicy(container, at, errors);
  else errors.push(required(at.child('restartPolicy'), 'must specify restartPolicy when restart rules are used'));
  if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
  else if (container.name) names.add(container.name);
  // Upstream passes a list of this one container, so that the index in the path is 0.
  validateHostPorts([container], path, errors);
  if (container.restartPolicy === 'Always') return validateHandlers(container, scope.spec, at, errors);
  for (const field of NOT_FOR_INIT)
    if (container[field])
      errors.push(forbiddenField(at.child(field), 'may not be set for init containers without restartPolicy=Always'));
  container.resizePolicy?.forEach(({ restartPolicy }, j) => {
    if (restartPolicy === 'RestartContainer')
      errors.push(
        invalidValue(
          at.child('resizePolicy').index(j).child('restartPolicy'),
          restartPolicy,
          "must not be set to 'RestartContainer' for non-sidecar initContainers",
        ),
      );
  });
}

function validateEphemeral(
  containers: readonly EphemeralContainer[],
  scope: ContainerScope,
  path: Path,
  errors: FieldError[],
): void {
  const others = new Set([...(scope.spec.containers ?? []), ...(scope.spec.initContainers ?? [])].map((c) => c.name));
  const names = new Set(others);
  const refuse = (at: Path): number => errors.push(forbiddenField(at, 'cannot be set for an Ephemeral Container'));
  containers.forEach((container, i) => {
    const at = path.index(i);
    validateContainer(container, scope, at, errors);
    validateTrimmed(container, at, errors);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    const target = container.targetContainerName;
    if (target && !others.has(target)) errors.push(notFoundValue(at.child('targetContainerName'), target));
    for (const field of NOT_EPHEMERAL)
      if (container[field] !== undefined && (field !== 'resources' || Object.keys(container.resources!).length))
        refuse(at.child(field));
    container.volumeMounts?.forEach((mount, j) => {
      if (mount.subPath) refuse(at.child('volumeMounts').index(j).child('subPath'));
      if (mount.subPathExpr) refuse(at.child('volumeMounts').index(j).child('subPathExpr'));
    });
  });
}

/** Images of pods must be trimmed. Images of templates need not. */
export function validateTrimmed({ image = '' }: Container, path: Path, errors: FieldError[]): void {
  if (image.trim() !== image)
    errors.push(invalidValue(path.child('image'), image, 'must not have leading or trailing whitespace'));
}

function validateContainer(container: Container, scope: ContainerScope, path: Path, errors: FieldError[]): void {
  const { name, image, imagePullPolicy = '', terminationMessagePolicy = '' } = container;
  if (!name) errors.push(required(path.child('name')));
  else for (const message of isDNS1123Label(name)) errors.push(invalidValue(path.child('name'), name, message));
  if (!image) errors.push(required(path.child('image')));
  if (!MESSAGE_POLICIES.includes(terminationMessagePolicy))
    errors.push(notSupported(path.child('terminationMessagePolicy'), terminationMessagePolicy, MESSAGE_POLICIES));
  if (container.ports) validatePorts(container.ports, path.child('ports'), errors);
  validateEnvironment(container, path, errors);
  if (container.volumeMounts) validateMounts(container, scope.volumes, path.child('volumeMounts'), errors);
  if (container.volumeDevices) validateDevices(container, scope.volumes, path.child('volumeDevices'), errors);
  if (!PULL_POLICIES.includes(imagePullPolicy))
    errors.push(notSupported(path.child('imagePullPolicy'), imagePullPolicy, PULL_POLICIES));
  if (container.resources) validateResources(container.resources, scope.claims, path.child('resources'), errors);
  if (container.resizePolicy)
    validateResizePolicy(container.resizePolicy, scope.spec.restartPolicy, path.child('resizePolicy'), errors);
  if (container.securityContext)
    validateContainerSecurity(
      container.securityContext,
      scope.spec.hostUsers !== false,
      path.child('securityContext'),
      errors,
    );
}

function validatePorts(ports: readonly ContainerPort[], path: Path, errors: FieldError[]): void {
  const names = new Set<string>();
  ports.forEach(({ name, containerPort, hostPort, protocol = '' }, i) => {
    const at = path.index(i);
    if (name) {
      const messages = isPortName(name);
      if (messages.length) errors.push(...invalidEach(at.child('name'), name, messages));
      else if (names.has(name)) errors.push(duplicate(at.child('name'), name));
      else names.add(name);
    }
    if (!containerPort) errors.push(required(at.child('containerPort')));
    else
      for (const message of isPortNumber(containerPort))
        errors.push(invalidValue(at.child('containerPort'), containerPort, message));
    if (hostPort)
      for (const message of isPortNumber(hostPort)) errors.push(invalidValue(at.child('hostPort'), hostPort, message));
    if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(at.child('protocol'), protocol, PROTOCOLS));
  });
}

function validateHostPorts(containers: readonly Container[], path: Path, errors: FieldError[]): void {
  const taken = new Set<string>();
  containers.forEach((container, i) =>
    container.ports?.forEach(({ hostPort, hostIP = '', protocol = 'TCP' }, j) => {
      if (!hostPort) return;
      const text = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(text)) errors.push(duplicate(path.index(i).child('ports').index(j).child('hostPort'), text));
      taken.add(text);
    }),
  );
}

function validateResizePolicy(
  policies: readonly ContainerResizePolicy[],
  podRestartPolicy: string | undefined,
  path: Path,
  errors: FieldError[],
): void {
  const seen = new Set<string>();
  policies.forEach(({ resourceName = '', restartPolicy = '' }, i) => {
    if (seen.has(resourceName)) errors.push(duplicate(path.index(i), resourceName));
    seen.add(resourceName);
    if (!RESIZABLE.includes(resourceName))
      errors.push(resourceName ? notSupported(path, resourceName, RESIZABLE) : required(path));
    if (!RESIZE_POLICIES.includes(restartPolicy))
      errors.push(restartPolicy ? notSupported(path, restartPolicy, RESIZE_POLICIES) : required(path));
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired')
      errors.push(invalidValue(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
  });
}

function validateRestartPolicy(
  { restartPolicy, restartPolicyRules: rules = [] }: Container,
  path: Path,
  errors: FieldError[],
): void {
  const at = path.child('restartPolicy');
  if (restartPolicy === undefined) {
    if (rules.length > 0) errors.push(required(at, 'must specify restartPolicy when restart rules are used'));
  } else if (!RESTART_POLICIES.includes(restartPolicy)) errors.push(notSupported(at, restartPolicy, RESTART_POLICIES));
  if (rules.length > MAX_RULES) errors.push(tooMany(path.child('restartPolicyRules'), rules.length, MAX_RULES));
  rules.forEach((rule, i) => validateRestartRule(rule, path.child('restartPolicyRules').index(i), errors));
}

function validateRestartRule({ action = '', exitCodes }: ContainerRestartRule, at: Path, errors: FieldError[]): void {
  if (!RULE_ACTIONS.includes(action)) errors.push(notSupported(at.child('action'), action, RULE_ACTIONS));
  if (!exitCodes) return void errors.push(required(at.child('exitCodes'), 'must be specified'));
  const { operator = '', values = [] } = exitCodes;
  if (!RULE_OPERATORS.includes(operator))
    errors.push(notSupported(at.child('exitCodes', 'operator'), operator, RULE_OPERATORS));
  if (values.length > MAX_EXIT_CODES)
    errors.push(tooMany(at.child('exitCodes', 'values'), values.length, MAX_EXIT_CODES));
}
