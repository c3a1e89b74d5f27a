import { canonicalQuantity } from '../../../../../engine/machinery/quantity/quantity.js';
import type {
  Container,
  ContainerState,
  ContainerStatus,
  EnvVar,
  Pod,
  Probe,
} from '../../../../../engine/api/core_v1.js';
import { type Details, longTime, sortedKeys } from './details.js';
import { findValues } from '../../output/jsonpath.js';

/** Models k8s.io/kubectl/pkg/describe describeContainers. `indent`: of a pod template. */
export function describeContainers(
  details: Details,
  label: string,
  containers: readonly Container[],
  statuses: readonly ContainerStatus[] | undefined,
  indent: string,
  pod?: Pod,
): void {
  details.line(0, `${indent}${label}:${containers.length === 0 ? ' <none>' : ''}`);
  for (const container of containers) {
    const status = statuses?.find(({ name }) => name === container.name);
    describeBasics(details, container, status, indent);
    describeCommand(details, container);
    if (status) describeStatus(details, status);
    describeResources(details, container);
    describeProbes(details, container);
    describeEnvironment(details, container, pod);
    describeMounts(details, container);
  }
}

function describeBasics(
  details: Details,
  container: Container,
  status: ContainerStatus | undefined,
  indent: string,
): void {
  details.line(1, `${indent === '' ? '' : ' '}${container.name}:`);
  if (status) details.field(2, 'Container ID', status.containerID ?? '');
  details.field(2, 'Image', container.image ?? '');
  if (status) details.field(2, 'Image ID', status.imageID ?? '');
  const ports = (container.ports ?? []).map(
    ({ containerPort, protocol = 'TCP', name }) => `${containerPort}/${protocol}${name ? ` (${name})` : ''}`,
  );
  const hostPorts = (container.ports ?? []).map(
    ({ hostPort = 0, protocol = 'TCP', name }) => `${hostPort}/${protocol}${name ? ` (${name})` : ''}`,
  );
  details.field(2, ports.length > 1 ? 'Ports' : 'Port', ports.join(', ') || '<none>');
  details.field(2, hostPorts.length > 1 ? 'Host Ports' : 'Host Port', hostPorts.join(', ') || '<none>');
  const profile = container.securityContext?.seccompProfile;
  if (!profile) return;
  details.field(2, 'SeccompProfile', profile.type);
  if (profile.type === 'Localhost') details.field(3, 'LocalhostProfile', profile.localhostProfile ?? '');
}

function describeCommand(details: Details, { command = [], args = [] }: Container): void {
  const list = (title: string, words: readonly string[]): void => {
    if (words.length === 0) return;
    details.line(2, `${title}:`);
    for (const line of words.flatMap((word) => word.split('\n'))) details.line(3, line);
  };
  list('Command', command);
  list('Args', args);
}

function describeStatus(details: Details, { state = {}, lastState = {}, ready, restartCount }: ContainerStatus): void {
  describeState(details, 'State', state);
  if (lastState.terminated) describeState(details, 'Last State', lastState);
  details.field(2, 'Ready', ready ? 'True' : 'False');
  details.field(2, 'Restart Count', restartCount ?? 0);
}

function describeState(details: Details, title: string, { running, waiting, terminated }: ContainerState): void {
  if (running) {
    details.field(2, title, 'Running');
    details.field(3, 'Started', longTime(running.startedAt));
  } else if (terminated) {
    details.field(2, title, 'Terminated');
    if (terminated.reason) details.field(3, 'Reason', terminated.reason);
    if (terminated.message) details.field(3, 'Message', terminated.message);
    details.field(3, 'Exit Code', terminated.exitCode);
    if (terminated.signal) details.field(3, 'Signal', terminated.signal);
    details.field(3, 'Started', longTime(terminated.startedAt));
    details.field(3, 'Finished', longTime(terminated.finishedAt));
  } else {
    details.field(2, title, 'Waiting');
    if (waiting?.reason) details.field(3, 'Reason', waiting.reason);
  }
}

function describeResources(details: Details, { resources = {} }: Container): void {
  const list = (title: string, quantities: Readonly<Record<string, string>> | undefined): void => {
    if (!quantities || Object.keys(quantities).length === 0) return;
    details.line(2, `${title}:`);
    for (const name of sortedKeys(quantities)) details.field(3, name, canonicalQuantity(quantities[name]!));
  };
  list('Limits', resources.limits);
  list('Requests', resources.requests);
}

function describeProbes(details: Details, { livenessProbe, readinessProbe, startupProbe }: Container): void {
  if (livenessProbe) details.field(2, 'Liveness', probeText(livenessProbe));
  if (readinessProbe) details.field(2, 'Readiness', probeText(readinessProbe));
  if (startupProbe) details.field(2, 'Startup', probeText(startupProbe));
}

function probeText(probe: Probe): string {
  const { initialDelaySeconds = 0, timeoutSeconds = 1, periodSeconds = 10 } = probe;
  const { successThreshold = 1, failureThreshold = 3, exec, httpGet, tcpSocket, grpc } = probe;
  const times = `delay=${initialDelaySeconds}s timeout=${timeoutSeconds}s period=${periodSeconds}s #success=${successThreshold} #failure=${failureThreshold}`;
  if (exec) return `exec [${(exec.command ?? []).join(' ')}] ${times}`;
  if (httpGet) {
    const { scheme = 'HTTP', host = '', port, path = '' } = httpGet;
    return `http-get ${scheme.toLowerCase()}://${host}:${port}${path} ${times}`;
  }
  if (tcpSocket) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port} ${times}`;
  if (grpc) return `grpc <pod>:${grpc.port} ${grpc.service ?? ''} ${times}`;
  return `unknown ${times}`;
}

function describeEnvironment(details: Details, { env = [], envFrom = [] }: Container, pod: Pod | undefined): void {
  if (envFrom.length > 0) {
    details.line(2, 'Environment Variables from:');
    for (const { configMapRef, secretRef, prefix } of envFrom) {
      const { name = '', optional = false } = configMapRef ?? secretRef ?? {};
      const from = configMapRef ? 'ConfigMap' : 'Secret';
      details.line(3, `${name}\t${from}${prefix ? ` with prefix '${prefix}'` : ''}\tOptional: ${optional}`);
    }
  }
  details.line(2, `Environment:${env.length === 0 ? '\t<none>' : ''}`);
  for (const one of env) describeVariable(details, one, pod);
}

function describeVariable(details: Details, { name, value = '', valueFrom }: EnvVar, pod: Pod | undefined): void {
  if (!valueFrom) {
    value.split('\n').forEach((line, at) => details.line(3, at === 0 ? `${name}:\t${line}` : `\t${line}`));
    return;
  }
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef) {
    const known = pod ? fieldValue(pod, fieldRef.fieldPath) : '';
    details.line(3, `${name}:\t${known} (${fieldRef.apiVersion ?? 'v1'}:${fieldRef.fieldPath})`);
  } else if (resourceFieldRef) details.line(3, `${name}:\t (${resourceFieldRef.resource})`);
  else if (secretKeyRef)
    details.line(
      3,
      `${name}:\t<set to the key '${secretKeyRef.key}' in secret '${secretKeyRef.name ?? ''}'>\tOptional: ${secretKeyRef.optional ?? false}`,
    );
  else if (configMapKeyRef)
    details.line(
      3,
      `${name}:\t<set to the key '${configMapKeyRef.key}' of config map '${configMapKeyRef.name ?? ''}'>\tOptional: ${configMapKeyRef.optional ?? false}`,
    );
}

function fieldValue(pod: Pod, path: string): string {
  const keyed = /^metadata\.(labels|annotations)\['([^']*)'\]$/.exec(path);
  if (keyed) return pod.metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2]!] ?? '';
  if (!path.startsWith('metadata.')) return '';
  const [found] = findValues(path, pod);
  return typeof found === 'string' ? found : '';
}

function describeMounts(details: Details, { volumeMounts = [], volumeDevices = [] }: Container): void {
  details.line(2, `Mounts:${volumeMounts.length === 0 ? '\t<none>' : ''}`);
  for (const { mountPath, name, readOnly, subPath } of [...volumeMounts].sort((a, b) =>
    a.mountPath < b.mountPath ? -1 : 1,
  ))
    details.line(
      3,
      `${mountPath} from ${name} (${readOnly ? 'ro' : 'rw'}${subPath ? `,path=${JSON.stringify(subPath)}` : ''})`,
    );
  if (volumeDevices.length === 0) return;
  details.line(2, 'Devices:');
  for (const { devicePath, name } of volumeDevices) details.line(3, `${devicePath} from ${name}`);
}
