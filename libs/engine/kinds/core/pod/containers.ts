/** Containers, init containers and ephemeral containers. Models validateContainers of pkg/apis/core/validation. */
import type { Container, EphemeralContainer, PodSpec, Volume } from '../../../api/core_v1.js';
import { duplicate, forbiddenField, invalidValue, notFoundValue, notSupported, required, type FieldError, type Path } from '../../../machinery/field.js';
import { invalidEach, isDNS1123Label, isIP, isPortName, isPortNumber } from '../../../machinery/validation.js';
import { validateEnvironment } from './environment.js';
import { validateHandlers } from './handlers.js';
import { validateResources } from './resources.js';
import { validateContainerSecurity } from './security.js';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const MESSAGE_POLICIES = ['FallbackToLogsOnError', 'File'];
const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const NOT_FOR_INIT = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const NOT_EPHEMERAL = ['ports', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resizePolicy'] as const;

/** What containers refer to in their pod. */
interface Surroundings {
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly claims: ReadonlySet<string>;
  readonly spec: PodSpec;
}

export function validateContainers(spec: PodSpec, volumes: ReadonlyMap<string, Volume>, path: Path, errors: FieldError[]): void {
  const around: Surroundings = { volumes, spec, claims: new Set(spec.resourceClaims?.map((c) => c.name)) };
  const names = new Set<string>();
  const at = path.child('containers');
  if (!spec.containers?.length) errors.push(required(at));
  spec.containers?.forEach((container, i) => {
    const own = at.index(i);
    validateContainer(container, around, own, errors);
    unique(container.name, names, own, errors);
    validateHandlers(container, spec.terminationGracePeriodSeconds, own, errors);
    if (container.restartPolicy !== undefined) validateRestartPolicy(container.restartPolicy, ['Always', 'Never', 'OnFailure'], own, errors);
  });
  if (spec.containers) validateHostPorts(spec.containers, at, errors);
  spec.initContainers?.forEach((container, i) => validateInitContainer(container, around, names, path.child('initContainers').index(i), errors));
  if (spec.ephemeralContainers?.length) validateEphemeral(spec.ephemeralContainers, around, names, path.child('ephemeralContainers'), errors);
}

function unique(name: string, names: Set<string>, path: Path, errors: FieldError[]): void {
  if (names.has(name)) errors.push(duplicate(path.child('name'), name));
  else if (name) names.add(name);
}

function validateRestartPolicy(policy: string, supported: readonly string[], path: Path, errors: FieldError[]): void {
  if (!supported.includes(policy)) errors.push(notSupported(path.child('restartPolicy'), policy, supported));
}

function validateInitContainer(container: Container, around: Surroundings, names: Set<string>, path: Path, errors: FieldError[]): void {
  validateContainer(container, around, path, errors);
  if (container.restartPolicy !== undefined) validateRestartPolicy(container.restartPolicy, ['Always', 'Never', 'OnFailure'], path, errors);
  unique(container.name, names, path, errors);
  if (container.restartPolicy === 'Always') return validateHandlers(container, around.spec.terminationGracePeriodSeconds, path, errors);
  for (const field of NOT_FOR_INIT) {
    if (container[field]) errors.push(forbiddenField(path.child(field), 'may not be set for init containers without restartPolicy=Always'));
  }
}

function validateEphemeral(containers: readonly EphemeralContainer[], around: Surroundings, names: Set<string>, path: Path, errors: FieldError[]): void {
  const others = new Set(names);
  const refuse = (at: Path): number => errors.push(forbiddenField(at, 'cannot be set for an Ephemeral Container'));
  containers.forEach((container, i) => {
    const at = path.index(i);
    validateContainer(container, around, at, errors);
    unique(container.name, names, at, errors);
    const target = container.targetContainerName;
    if (target && !others.has(target)) errors.push(notFoundValue(at.child('targetContainerName'), target));
    for (const field of NOT_EPHEMERAL) if (container[field] !== undefined) refuse(at.child(field));
    if (Object.keys(container.resources ?? {}).length) refuse(at.child('resources'));
    container.volumeMounts?.forEach((mount, j) => {
      if (mount.subPath) refuse(at.child('volumeMounts').index(j).child('subPath'));
      if (mount.subPathExpr) refuse(at.child('volumeMounts').index(j).child('subPathExpr'));
    });
  });
}

function validateContainer(container: Container, around: Surroundings, path: Path, errors: FieldError[]): void {
  const { name, image, imagePullPolicy, terminationMessagePolicy } = container;
  if (!name) errors.push(required(path.child('name')));
  else for (const message of isDNS1123Label(name)) errors.push(invalidValue(path.child('name'), name, message));
  if (!image) errors.push(required(path.child('image')));
  else if (image.trim() !== image) errors.push(invalidValue(path.child('image'), image, 'must not have leading or trailing whitespace'));
  if (!MESSAGE_POLICIES.includes(terminationMessagePolicy ?? 'File')) errors.push(notSupported(path.child('terminationMessagePolicy'), terminationMessagePolicy, MESSAGE_POLICIES));
  if (container.ports) validatePorts(container, path.child('ports'), errors);
  validateEnvironment(container, path, errors);
  if (container.volumeMounts) validateMounts(container, around, path.child('volumeMounts'), errors);
  if (container.volumeDevices) validateDevices(container, around, path.child('volumeDevices'), errors);
  if (!PULL_POLICIES.includes(imagePullPolicy ?? 'Always')) errors.push(notSupported(path.child('imagePullPolicy'), imagePullPolicy, PULL_POLICIES));
  if (container.resources) validateResources(container.resources, around.claims, path.child('resources'), errors);
  if (container.securityContext) validateContainerSecurity(container.securityContext, path.child('securityContext'), errors);
}

function validatePorts({ ports = [] }: Container, path: Path, errors: FieldError[]): void {
  const names = new Set<string>();
  ports.forEach((port, i) => {
    const at = path.index(i);
    if (port.name) {
      const messages = isPortName(port.name);
      if (messages.length) errors.push(...invalidEach(at.child('name'), port.name, messages));
      else if (names.has(port.name)) errors.push(duplicate(at.child('name'), port.name));
      names.add(port.name);
    }
    if (!port.containerPort) errors.push(required(at.child('containerPort')));
    else for (const message of isPortNumber(port.containerPort)) errors.push(invalidValue(at.child('containerPort'), port.containerPort, message));
    if (port.hostPort) for (const message of isPortNumber(port.hostPort)) errors.push(invalidValue(at.child('hostPort'), port.hostPort, message));
    if (port.hostIP) for (const message of isIP(port.hostIP)) errors.push(invalidValue(at.child('hostIP'), port.hostIP, message));
    if (!PROTOCOLS.includes(port.protocol ?? 'TCP')) errors.push(notSupported(at.child('protocol'), port.protocol, PROTOCOLS));
  });
}

function validateHostPorts(containers: readonly Container[], path: Path, errors: FieldError[]): void {
  const taken = new Set<string>();
  containers.forEach((container, i) => container.ports?.forEach(({ hostPort, hostIP = '', protocol = 'TCP' }, j) => {
    if (!hostPort) return;
    const text = `${protocol}/${hostIP}/${hostPort}`;
    if (taken.has(text)) errors.push(duplicate(path.index(i).child('ports').index(j).child('hostPort'), text));
    taken.add(text);
  }));
}

function validateMounts(container: Container, { volumes }: Surroundings, path: Path, errors: FieldError[]): void {
  const paths = new Set<string>();
  const devices = container.volumeDevices ?? [];
  container.volumeMounts?.forEach((mount, i) => {
    const { name, mountPath, subPath, subPathExpr, mountPropagation } = mount;
    const at = (field: string): Path => path.index(i).child(field);
    if (!name) errors.push(required(at('name')));
    if (!volumes.has(name)) errors.push(notFoundValue(at('name'), name ?? ''));
    if (!mountPath) errors.push(required(at('mountPath')));
    if (paths.has(mountPath)) errors.push(invalidValue(at('mountPath'), mountPath, 'must be unique'));
    paths.add(mountPath);
    if (devices.some((d) => d.name === name)) errors.push(invalidValue(at('name'), name, 'must not already exist in volumeDevices'));
    if (devices.some((d) => d.devicePath === mountPath)) errors.push(invalidValue(at('mountPath'), mountPath, 'must not already exist as a path in volumeDevices'));
    // As upstream, these paths lack the mount's index.
    if (subPath) descending(subPath, path.child('subPath'), errors);
    if (subPathExpr) {
      if (subPath) errors.push(invalidValue(at('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      descending(subPathExpr, path.child('subPathExpr'), errors);
    }
    if (mountPropagation !== undefined) validatePropagation(mountPropagation, container, path.child('mountPropagation'), errors);
  });
}

function validatePropagation(mode: string, container: Container, path: Path, errors: FieldError[]): void {
  if (!PROPAGATIONS.includes(mode)) errors.push(notSupported(path, mode, PROPAGATIONS));
  else if (mode === 'Bidirectional' && !container.securityContext?.privileged) errors.push(forbiddenField(path, 'Bidirectional mount propagation is available only to privileged containers'));
}

/** A relative path that never climbs. */
export function descending(text: string, path: Path, errors: FieldError[]): void {
  if (text.startsWith('/')) errors.push(invalidValue(path, text, 'must be a relative path'));
  if (text.split('/').includes('..')) errors.push(invalidValue(path, text, "must not contain '..'"));
}

function validateDevices(container: Container, { volumes }: Surroundings, path: Path, errors: FieldError[]): void {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  container.volumeDevices?.forEach(({ name, devicePath }, i) => {
    const at = (field: string): Path => path.index(i).child(field);
    const volume = volumes.get(name);
    if (!name) errors.push(required(at('name')));
    if (names.has(name)) errors.push(invalidValue(at('name'), name, 'must be unique'));
    if (!volume) errors.push(notFoundValue(at('name'), name));
    else if (!volume.persistentVolumeClaim && !volume.ephemeral) errors.push(invalidValue(at('name'), name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'));
    if (!devicePath) errors.push(required(at('devicePath')));
    if (paths.has(devicePath)) errors.push(invalidValue(at('devicePath'), devicePath, 'must be unique'));
    names.add(name);
    paths.add(devicePath);
  });
}
