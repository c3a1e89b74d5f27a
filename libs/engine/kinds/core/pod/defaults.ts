/** Models pkg/apis/core/v1/defaults.go. Only fills what is missing; subtrees that are complete are not written to. */
import type {
  Container,
  DownwardAPIVolumeFile,
  HTTPGetAction,
  Pod,
  PodSpec,
  PodTemplateSpec,
  Probe,
  ProjectedVolumeSource,
  Volume,
} from '../../../api/core_v1.js';
import { defaultVolumeClaimSpec } from '../persistentvolumeclaim/kind.js';
import { defaultSources } from '../volume-defaults.js';

const FILE_MODE = 0o644;
const NAME = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
/** [host[:port]/]name/name[:tag]; isLatest looks for a digest before. */
const IMAGE = new RegExp(`^(?:[a-zA-Z0-9][-.a-zA-Z0-9]*(?::\\d+)?/)?${NAME}(?:/${NAME})*(?::[\\w][\\w.-]{0,127})?$`);
const TOKEN_SECONDS = 3600;
const GRACE_SECONDS = 30;

export function defaultPodTemplate(template: PodTemplateSpec | undefined): void {
  if (!template) return;
  template.metadata ??= {};
  template.spec ??= { containers: [] };
  defaultPodSpec(template.spec);
}

export function defaultPodSpec(spec: PodSpec): void {
  spec.containers ??= [];
  if (!spec.dnsPolicy) spec.dnsPolicy = 'ClusterFirst';
  if (!spec.restartPolicy) spec.restartPolicy = 'Always';
  if (spec.securityContext === undefined) spec.securityContext = {};
  if (spec.terminationGracePeriodSeconds === undefined) spec.terminationGracePeriodSeconds = GRACE_SECONDS;
  if (!spec.schedulerName) spec.schedulerName = 'default-scheduler';
  if (spec.serviceAccountName && !spec.serviceAccount) spec.serviceAccount = spec.serviceAccountName;
  if (spec.serviceAccount && !spec.serviceAccountName) spec.serviceAccountName = spec.serviceAccount;
  // Its feature gate is off.
  if (spec.schedulingGroup) delete spec.schedulingGroup;
  if (spec.volumes) for (const volume of spec.volumes) defaultVolume(volume);
  for (const container of spec.containers) defaultContainer(container);
  if (spec.initContainers) for (const container of spec.initContainers) defaultContainer(container);
  if (spec.ephemeralContainers) for (const container of spec.ephemeralContainers) defaultContainer(container);
  if (spec.hostNetwork && needsHostPorts(spec.containers)) spec.containers = spec.containers.map(withHostPorts);
  if (spec.hostNetwork && spec.initContainers && needsHostPorts(spec.initContainers))
    spec.initContainers = spec.initContainers.map(withHostPorts);
}

const needsHostPorts = (containers: readonly Container[]): boolean =>
  containers.some((c) => c.ports?.some((p) => !p.hostPort));
const withHostPorts = (c: Container): Container =>
  c.ports ? { ...c, ports: c.ports.map((p) => (p.hostPort ? p : { ...p, hostPort: p.containerPort })) } : c;

/** The defaults of pods that templates do not get: requests from limits, and service links. */
export function defaultPod(draft: Pod): void {
  // A controller's draft may share its template's spec.
  const spec = (draft.spec = { ...draft.spec });
  defaultPodSpec(spec);
  if (spec.enableServiceLinks === undefined) spec.enableServiceLinks = true;
  if (spec.containers.some(lacksRequests)) spec.containers = spec.containers.map(withRequests);
  if (spec.initContainers?.some(lacksRequests)) spec.initContainers = spec.initContainers.map(withRequests);
}

function lacksRequests({ resources }: Container): boolean {
  for (const name in resources?.limits) if (resources?.requests?.[name] === undefined) return true;
  return false;
}

const withRequests = (container: Container): Container =>
  lacksRequests(container)
    ? {
        ...container,
        resources: {
          ...container.resources,
          requests: { ...container.resources!.limits, ...container.resources!.requests },
        },
      }
    : container;

/** Whether the image has the tag 'latest' or none, and no digest. A text that is no image's name is not the latest. */
function isLatest(image: string): boolean {
  if (image.includes('@') || !IMAGE.test(image)) return false;
  const tag = image.slice(image.lastIndexOf('/') + 1).split(':')[1];
  return tag === undefined || tag === 'latest';
}

function defaultContainer(container: Container): void {
  if (!container.imagePullPolicy)
    container.imagePullPolicy = isLatest(container.image ?? '') ? 'Always' : 'IfNotPresent';
  if (!container.terminationMessagePath) container.terminationMessagePath = '/dev/termination-log';
  if (!container.terminationMessagePolicy) container.terminationMessagePolicy = 'File';
  if (!container.resources) container.resources = {};
  if (container.ports) for (const port of container.ports) if (!port.protocol) port.protocol = 'TCP';
  if (container.env) {
    for (const { valueFrom } of container.env)
      if (valueFrom?.fieldRef && !valueFrom.fieldRef.apiVersion) valueFrom.fieldRef.apiVersion = 'v1';
  }
  if (container.livenessProbe) defaultProbe(container.livenessProbe);
  if (container.readinessProbe) defaultProbe(container.readinessProbe);
  if (container.startupProbe) defaultProbe(container.startupProbe);
  defaultHttpGet(container.lifecycle?.postStart?.httpGet);
  defaultHttpGet(container.lifecycle?.preStop?.httpGet);
  if (container.lifecycle?.stopSignal !== undefined) dropStopSignal(container);
}

/** lifecycle.stopSignal is dropped: its feature gate is off. */
function dropStopSignal(container: Container): void {
  const { stopSignal: _, ...hooks } = container.lifecycle!;
  if (Object.keys(hooks).length > 0) container.lifecycle = hooks;
  else delete container.lifecycle;
}

function defaultProbe(probe: Probe): void {
  if (!probe.timeoutSeconds) probe.timeoutSeconds = 1;
  if (!probe.periodSeconds) probe.periodSeconds = 10;
  if (!probe.successThreshold) probe.successThreshold = 1;
  if (!probe.failureThreshold) probe.failureThreshold = 3;
  defaultHttpGet(probe.httpGet);
  if (probe.grpc) probe.grpc.service ??= '';
}

function defaultHttpGet(action: HTTPGetAction | undefined): void {
  if (!action) return;
  if (!action.path) action.path = '/';
  if (!action.scheme) action.scheme = 'HTTP';
}

function defaultVolume(volume: Volume): void {
  const { configMap, secret, downwardAPI, projected, ephemeral, image } = volume;
  if (configMap) configMap.defaultMode ??= FILE_MODE;
  if (secret) secret.defaultMode ??= FILE_MODE;
  if (downwardAPI) {
    downwardAPI.defaultMode ??= FILE_MODE;
    defaultDownward(downwardAPI.items);
  }
  if (projected) defaultProjected(projected);
  if (ephemeral?.volumeClaimTemplate) defaultVolumeClaimSpec((ephemeral.volumeClaimTemplate.spec ??= {}));
  if (image && !image.pullPolicy) image.pullPolicy = isLatest(image.reference ?? '') ? 'Always' : 'IfNotPresent';
  defaultSources(volume);
  if (!hasSource(volume)) volume.emptyDir = {};
}

/** Drops the sources whose feature gates are off. */
function defaultProjected(projected: ProjectedVolumeSource): void {
  projected.defaultMode ??= FILE_MODE;
  for (const source of projected.sources ?? []) {
    if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= TOKEN_SECONDS;
    defaultDownward(source.downwardAPI?.items);
    if (source.clusterTrustBundle) delete source.clusterTrustBundle;
    if (source.podCertificate) delete source.podCertificate;
  }
}

/** Whether the volume names any source. */
function hasSource(volume: Volume): boolean {
  for (const key in volume) if (key !== 'name' && volume[key as keyof Volume] !== undefined) return true;
  return false;
}

function defaultDownward(items: DownwardAPIVolumeFile[] | undefined): void {
  for (const item of items ?? []) if (item.fieldRef && !item.fieldRef.apiVersion) item.fieldRef.apiVersion = 'v1';
}
