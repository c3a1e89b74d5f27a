import type { Container, Pod, PodSpec, SecurityContext } from '../../../api/core_v1.js';
import type { SandboxConfig } from '../../../kinds/terrarium/podsandbox/kind.js';

type Json = Readonly<Record<string, unknown>>;

/** NamespaceMode of the CRI. */
const NODE_MODE = 2;
const MAX_WORDS = 1_000;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const within = (value: Json, ...names: readonly string[]): Json =>
  names.reduce<Json>((found, name) => (isRecord(found[name]) ? found[name] : {}), value);
const textIn = (value: Json, name: string): string => (typeof value[name] === 'string' ? value[name] : '');
const numberIn = (value: Json, name: string): number => {
  const found = Number(value[name] ?? 0);
  return Number.isFinite(found) ? found : 0;
};
const textsIn = (value: Json, name: string): string[] | undefined => {
  const found = value[name];
  return Array.isArray(found) && found.length > 0 ? found.slice(0, MAX_WORDS).map(String) : undefined;
};
const recordsIn = (value: Json, name: string): Json[] => {
  const found = value[name];
  return Array.isArray(found) ? found.slice(0, MAX_WORDS).filter(isRecord) : [];
};
const mapIn = (value: Json, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(within(value, name)).map(([key, text]) => [key, String(text)]));

const isNodeMode = (options: Json, name: string): boolean =>
  numberIn(options, name) === NODE_MODE || options[name] === 'NODE';

/** What a PodSandboxConfig says: its names, and what its pod has of the node's namespaces. */
export interface SandboxRequest {
  readonly config: SandboxConfig;
  readonly spec: Pick<PodSpec, 'hostNetwork' | 'hostPID' | 'hostIPC' | 'hostname'>;
}

/** Reads a PodSandboxConfig in the JSON of the CRI's field names. */
export function readSandboxConfig(body: Json): SandboxRequest {
  const metadata = within(body, 'metadata');
  const options = within(body, 'linux', 'security_context', 'namespace_options');
  return {
    config: {
      name: textIn(metadata, 'name'),
      namespace: textIn(metadata, 'namespace'),
      uid: textIn(metadata, 'uid'),
      attempt: numberIn(metadata, 'attempt'),
      labels: mapIn(body, 'labels'),
      annotations: mapIn(body, 'annotations'),
      logDirectory: textIn(body, 'log_directory'),
    },
    spec: {
      ...(isNodeMode(options, 'network') ? { hostNetwork: true } : {}),
      ...(isNodeMode(options, 'pid') ? { hostPID: true } : {}),
      ...(isNodeMode(options, 'ipc') ? { hostIPC: true } : {}),
      ...(textIn(body, 'hostname') === '' ? {} : { hostname: textIn(body, 'hostname') }),
    },
  };
}

/** What a ContainerConfig says. */
export interface ContainerRequest {
  readonly name: string;
  readonly attempt: number;
  readonly image: string;
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  readonly logPath: string;
  readonly container: Omit<Container, 'name'>;
  readonly volumes: NonNullable<PodSpec['volumes']>;
}

/** Reads a ContainerConfig. `key`: what its mounts are named by in the pod. */
export function readContainerConfig(body: Json, key: string): ContainerRequest {
  const metadata = within(body, 'metadata');
  const mounts = recordsIn(body, 'mounts').filter((mount) => textIn(mount, 'container_path') !== '');
  const [command, args] = [textsIn(body, 'command'), textsIn(body, 'args')];
  const workingDir = textIn(body, 'working_dir');
  return {
    name: textIn(metadata, 'name'),
    attempt: numberIn(metadata, 'attempt'),
    image: textIn(within(body, 'image'), 'image'),
    labels: mapIn(body, 'labels'),
    annotations: mapIn(body, 'annotations'),
    logPath: textIn(body, 'log_path'),
    container: {
      ...(command ? { command } : {}),
      ...(args ? { args } : {}),
      ...(workingDir === '' ? {} : { workingDir }),
      ...(body['stdin'] === true ? { stdin: true } : {}),
      ...(body['tty'] === true ? { tty: true } : {}),
      env: recordsIn(body, 'envs').map((env) => ({ name: textIn(env, 'key'), value: textIn(env, 'value') })),
      securityContext: securityOf(within(body, 'linux', 'security_context')),
      resources: resourcesOf(within(body, 'linux', 'resources')),
      volumeMounts: mounts.map((mount, i) => ({
        name: `${key}-${i}`,
        mountPath: textIn(mount, 'container_path'),
        ...(mount['readonly'] === true ? { readOnly: true } : {}),
      })),
    },
    volumes: mounts.map((mount, i) => ({
      name: `${key}-${i}`,
      hostPath: { path: textIn(mount, 'host_path') || '/', type: '' },
    })),
  };
}

function securityOf(context: Json): SecurityContext {
  const user = within(context, 'run_as_user')['value'];
  const group = within(context, 'run_as_group')['value'];
  const capabilities = within(context, 'capabilities');
  const [add, drop] = [textsIn(capabilities, 'add_capabilities'), textsIn(capabilities, 'drop_capabilities')];
  return {
    ...(context['privileged'] === true ? { privileged: true } : {}),
    ...(context['readonly_rootfs'] === true ? { readOnlyRootFilesystem: true } : {}),
    ...(user === undefined ? {} : { runAsUser: Number(user) }),
    ...(group === undefined ? {} : { runAsGroup: Number(group) }),
    ...(add || drop ? { capabilities: { ...(add ? { add } : {}), ...(drop ? { drop } : {}) } } : {}),
  };
}

function resourcesOf(resources: Json): NonNullable<Container['resources']> {
  const memory = numberIn(resources, 'memory_limit_in_bytes');
  const [quota, period] = [numberIn(resources, 'cpu_quota'), numberIn(resources, 'cpu_period')];
  const cpu = quota > 0 && period > 0 ? Math.round((quota / period) * 1000) : 0;
  if (memory <= 0 && cpu <= 0) return {};
  return { limits: { ...(memory > 0 ? { memory: String(memory) } : {}), ...(cpu > 0 ? { cpu: `${cpu}m` } : {}) } };
}

/** An empty pod for a sandbox's containers. */
export const emptyPod = (uid: string, key: { name: string; namespace: string }, since: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...key, uid, creationTimestamp: since },
  spec: { containers: [] },
  status: { phase: 'Running', startTime: since },
});
