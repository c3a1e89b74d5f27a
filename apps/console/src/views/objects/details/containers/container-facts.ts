import { at, listAt, textAt, type KubeObject } from '../../../../kube/object.js';

/** A line of what a container is told to be; `label` is a key of the texts. */
export interface ContainerLine {
  readonly label: 'command' | 'ports' | 'requests' | 'limits' | 'environment' | 'mounts' | 'probes' | 'last';
  readonly values: readonly string[];
}

/** What a container of a pod, or of a template of pods, asks for and is given. Lines without values are left out. */
export function linesOf(container: unknown, status?: unknown): ContainerLine[] {
  const lines: ContainerLine[] = [
    { label: 'command', values: commandOf(container) },
    { label: 'ports', values: listAt(container, 'ports').map(portText) },
    { label: 'requests', values: amountsOf(at(container, 'resources', 'requests')) },
    { label: 'limits', values: amountsOf(at(container, 'resources', 'limits')) },
    {
      label: 'environment',
      values: [...listAt(container, 'env').map(variableText), ...listAt(container, 'envFrom').map(sourceText)],
    },
    { label: 'mounts', values: listAt(container, 'volumeMounts').map(mountText) },
    { label: 'probes', values: PROBES.flatMap((name) => probeText(name, at(container, `${name}Probe`))) },
    { label: 'last', values: endOf(at(status, 'lastState', 'terminated')) },
  ];
  return lines.filter(({ values }) => values.length > 0);
}

/** Containers of the pods that a workload makes; [] for what makes none. */
export function templateContainers(object: KubeObject): { readonly container: unknown; readonly isInit: boolean }[] {
  const spec = at(object, 'spec', 'template', 'spec') ?? at(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec');
  return [
    ...listAt(spec, 'initContainers').map((container) => ({ container, isInit: true })),
    ...listAt(spec, 'containers').map((container) => ({ container, isInit: false })),
  ];
}

const PROBES = ['startup', 'readiness', 'liveness'] as const;

const commandOf = (container: unknown): string[] => {
  const words = [...listAt(container, 'command'), ...listAt(container, 'args')].map(String);
  return words.length > 0 ? [words.map((word) => (/[\s"']/.test(word) ? JSON.stringify(word) : word)).join(' ')] : [];
};

function portText(port: unknown): string {
  const name = textAt(port, 'name');
  const host = textAt(port, 'hostPort');
  const number = `${textAt(port, 'containerPort')}/${textAt(port, 'protocol') || 'TCP'}`;
  return `${name && `${name} `}${number}${host && ` (host ${host})`}`;
}

const amountsOf = (amounts: unknown): string[] =>
  Object.entries((amounts as Readonly<Record<string, unknown>> | undefined) ?? {}).map(
    ([name, amount]) => `${name} ${String(amount)}`,
  );

/** Of a Secret only its name: the page of the Secret shows what is in it to who wants to see it. */
function variableText(variable: unknown): string {
  const name = textAt(variable, 'name');
  const from = at(variable, 'valueFrom');
  if (from === undefined) return `${name}=${textAt(variable, 'value')}`;
  for (const [field, kind] of KEY_REFS)
    if (at(from, field)) return `${name} ← ${kind} ${textAt(from, field, 'name')}: ${textAt(from, field, 'key')}`;
  return `${name} ← ${textAt(from, 'fieldRef', 'fieldPath') || textAt(from, 'resourceFieldRef', 'resource')}`;
}

const KEY_REFS = [
  ['configMapKeyRef', 'ConfigMap'],
  ['secretKeyRef', 'Secret'],
] as const;

function sourceText(source: unknown): string {
  const map = textAt(source, 'configMapRef', 'name');
  return `${textAt(source, 'prefix')}* ← ${map ? `ConfigMap ${map}` : `Secret ${textAt(source, 'secretRef', 'name')}`}`;
}

function mountText(mount: unknown): string {
  const sub = textAt(mount, 'subPath');
  const isReadOnly = at(mount, 'readOnly') === true;
  return `${textAt(mount, 'mountPath')} ← ${textAt(mount, 'name')}${sub && `/${sub}`}${isReadOnly ? ' (ro)' : ''}`;
}

/** As kubectl describe has it. Models kubectl/pkg/describe DescribeProbe. */
function probeText(name: string, probe: unknown): string[] {
  if (probe === undefined) return [];
  const times = `delay=${textAt(probe, 'initialDelaySeconds') || 0}s timeout=${textAt(probe, 'timeoutSeconds') || 1}s period=${textAt(probe, 'periodSeconds') || 10}s #failure=${textAt(probe, 'failureThreshold') || 3}`;
  return [`${name}: ${handlerOf(probe)} ${times}`];
}

function handlerOf(probe: unknown): string {
  const exec = listAt(probe, 'exec', 'command').join(' ');
  if (exec) return `exec ${exec}`;
  const http = at(probe, 'httpGet');
  if (http) return `http-get :${textAt(http, 'port')}${textAt(http, 'path') || '/'}`;
  const tcp = textAt(probe, 'tcpSocket', 'port');
  return tcp ? `tcp :${tcp}` : `grpc :${textAt(probe, 'grpc', 'port')}`;
}

function endOf(ended: unknown): string[] {
  if (ended === undefined) return [];
  const message = textAt(ended, 'message');
  return [
    `${textAt(ended, 'reason')} (exit ${textAt(ended, 'exitCode')}), ${textAt(ended, 'finishedAt')}${message && `: ${message}`}`,
  ];
}
