/** Models pkg/apis/core/v1/defaults.go. Only fills what is missing; subtrees that are complete are not written to. */
import type { Container, Pod, PodSpec, PodTemplateSpec, Probe, Volume, DownwardAPIVolumeFile, HTTPGetAction } from '../../../api/core_v1.js';
import { defaultVolumeClaimSpec } from '../persistentvolumeclaim/kind.js';

const FILE_MODE = 0o644;
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
  if (spec.volumes) for (const volume of spec.volumes) defaultVolume(volume);
  for (const container of spec.containers) defaultContainer(container);
  if (spec.initContainers) for (const container of spec.initContainers) defaultContainer(container);
  if (spec.ephemeralContainers) for (const container of spec.ephemeralContainers) defaultContainer(container);
  if (spec.hostNetwork && needsHostPorts(spec.containers)) spec.containers = spec.containers.map(withHostPorts);
  if (spec.hostNetwork && spec.initContainers && needsHostPorts(spec.initContainers)) spec.initContainers = spec.initContainers.map(withHostPorts);
}

const needsHostPorts = (containers: readonly Container[]): boolean => containers.some((c) => c.ports?.some((p) => !p.hostPort));
const withHostPorts = (c: Container): Container => (c.ports ? { ...c, ports: c.ports.map((p) => (p.hostPort ? p : { ...p, hostPort: p.containerPort })) } : c);

/** What pods get beyond their templates: requests from limits, service links. */
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
    ? { ...container, resources: { ...container.resources, requests: { ...container.resources!.limits, ...container.resources!.requests } } }
    : container;

/** ':latest' or no tag, and no digest. */
function isLatest(image: string): boolean {
  if (image.includes('@')) return false;
  const tag = image.slice(image.lastIndexOf('/') + 1).split(':')[1];
  return tag === undefined || tag === 'latest';
}

function defaultContainer(container: Container): void {
  if (!container.imagePullPolicy) container.imagePullPolicy = isLatest(container.image ?? '') ? 'Always' : 'IfNotPresent';
  if (!container.terminationMessagePath) container.terminationMessagePath = '/dev/termination-log';
  if (!container.terminationMessagePolicy) container.terminationMessagePolicy = 'File';
  if (!container.resources) container.resources = {};
  if (container.ports) for (const port of container.ports) if (!port.protocol) port.protocol = 'TCP';
  if (container.env) {
    for (const { valueFrom } of container.env) if (valueFrom?.fieldRef && !valueFrom.fieldRef.apiVersion) valueFrom.fieldRef.apiVersion = 'v1';
  }
  if (container.livenessProbe) defaultProbe(container.livenessProbe);
  if (container.readinessProbe) defaultProbe(container.readinessProbe);
  if (container.startupProbe) defaultProbe(container.startupProbe);
  defaultHttpGet(container.lifecycle?.postStart?.httpGet);
  defaultHttpGet(container.lifecycle?.preStop?.httpGet);
}

function defaultProbe(probe: Probe): void {
  if (!probe.timeoutSeconds) probe.timeoutSeconds = 1;
  if (!probe.periodSeconds) probe.periodSeconds = 10;
  if (!probe.successThreshold) probe.successThreshold = 1;
  if (!probe.failureThreshold) probe.failureThreshold = 3;
  defaultHttpGet(probe.httpGet);
  if (probe.grpc && probe.grpc.service === undefined) probe.grpc.service = '';
}

function defaultHttpGet(action: HTTPGetAction | undefined): void {
  if (!action) return;
  if (!action.path) action.path = '/';
  if (!action.scheme) action.scheme = 'HTTP';
}

function defaultVolume(volume: Volume): void {
  const { configMap, secret, downwardAPI, projected, hostPath, iscsi, rbd, azureDisk, ephemeral, image } = volume;
  if (configMap && configMap.defaultMode === undefined) configMap.defaultMode = FILE_MODE;
  else if (secret && secret.defaultMode === undefined) secret.defaultMode = FILE_MODE;
  else if (hostPath && hostPath.type === undefined) hostPath.type = '';
  else if (downwardAPI) {
    if (downwardAPI.defaultMode === undefined) downwardAPI.defaultMode = FILE_MODE;
    defaultDownward(downwardAPI.items);
  } else if (projected) {
    if (projected.defaultMode === undefined) projected.defaultMode = FILE_MODE;
    for (const { serviceAccountToken, downwardAPI: files } of projected.sources ?? []) {
      if (serviceAccountToken && serviceAccountToken.expirationSeconds === undefined) serviceAccountToken.expirationSeconds = TOKEN_SECONDS;
      defaultDownward(files?.items);
    }
  } else if (ephemeral?.volumeClaimTemplate) defaultVolumeClaimSpec(ephemeral.volumeClaimTemplate.spec);
  else if (image && !image.pullPolicy) image.pullPolicy = isLatest(image.reference ?? '') ? 'Always' : 'IfNotPresent';
  else if (iscsi && !iscsi.iscsiInterface) iscsi.iscsiInterface = 'default';
  else if (rbd) {
    rbd.pool ??= 'rbd';
    rbd.user ??= 'admin';
    rbd.keyring ??= '/etc/ceph/keyring';
  } else if (azureDisk) {
    azureDisk.cachingMode ??= 'ReadWrite';
    azureDisk.fsType ??= 'ext4';
    azureDisk.readOnly ??= false;
    azureDisk.kind ??= 'Shared';
  } else if (!hasSource(volume)) volume.emptyDir = {};
}

/** Does the volume name any kind of source? */
function hasSource(volume: Volume): boolean {
  for (const key in volume) if (key !== 'name' && volume[key as keyof Volume] !== undefined) return true;
  return false;
}

function defaultDownward(items: DownwardAPIVolumeFile[] | undefined): void {
  for (const item of items ?? []) if (item.fieldRef && !item.fieldRef.apiVersion) item.fieldRef.apiVersion = 'v1';
}
