import { stringify } from 'yaml';
import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import type { ContainerView, ImageView, SandboxView } from '../../../../../engine/node/host/views/runtime-view.js';
import type { Options } from '../../../framework/options.js';
import { ToolFailure, type ToolContext } from '../../../framework/tool.js';
import { imageId, tagsOf } from './find.js';

const NEVER = '0001-01-01T00:00:00Z';
const nanos = (time: string): string => `${Date.parse(time)}000000`;
const stateOf = ({ state }: ContainerView): string => `CONTAINER_${state.toUpperCase()}`;
const sandboxState = ({ isReady }: SandboxView): string => (isReady ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY');
const metadataOf = ({ attempt = 0, name, namespace, uid }: SandboxView): object => ({ attempt, name, namespace, uid });

/** A Container of ListContainers. */
export const listedContainer = (c: ContainerView): object => ({
  ...{ id: c.id, podSandboxId: c.podId, metadata: { name: c.name, attempt: c.attempt } },
  image: { image: `sha256:${c.imageId}`, annotations: {}, userSpecifiedImage: c.image, runtimeHandler: '' },
  ...{ imageRef: `sha256:${c.imageId}`, state: stateOf(c), createdAt: nanos(c.createdAt), labels: c.labels },
  annotations: {},
});

/** A PodSandbox of ListPodSandbox. */
export const listedSandbox = (p: SandboxView): object => ({
  ...{ id: p.id, metadata: metadataOf(p), state: sandboxState(p), createdAt: nanos(p.createdAt), labels: p.labels },
  ...{ annotations: p.annotations ?? {}, runtimeHandler: '' },
});

/** An Image of ListImages. */
export const listedImage = (image: ImageView): object => ({
  id: `sha256:${imageId(image)}`,
  repoTags: tagsOf(image),
  repoDigests: image.names.filter((name) => name.includes('@')),
  size: String(image.size),
});

/** What ContainerStatus says of a container. */
export const containerStatus = (c: ContainerView): object => ({
  annotations: {},
  createdAt: c.createdAt,
  exitCode: c.exitCode,
  finishedAt: c.finishedAt ?? NEVER,
  id: c.id,
  image: { annotations: {}, image: c.image, runtimeHandler: '', userSpecifiedImage: '' },
  imageId: `sha256:${c.imageId}`,
  imageRef: `sha256:${c.imageId}`,
  labels: c.labels,
  logPath: c.logPath,
  message: c.message ?? '',
  metadata: { attempt: c.attempt, name: c.name },
  mounts: [],
  reason: c.reason ?? '',
  startedAt: c.startedAt === '' ? NEVER : c.startedAt,
  state: stateOf(c),
});

/** What PodSandboxStatus says of a sandbox. */
export const sandboxStatus = (p: SandboxView): object => ({
  annotations: p.annotations ?? {},
  createdAt: p.createdAt,
  id: p.id,
  labels: p.labels,
  linux: { namespaces: { options: { ipc: 'POD', network: p.ip === '' ? 'NODE' : 'POD', pid: 'CONTAINER' } } },
  metadata: metadataOf(p),
  network: { additionalIps: [], ip: p.ip },
  runtimeHandler: '',
  state: sandboxState(p),
});

/** As JSON, or as --output says. Throws ToolFailure for what is no format. */
export function printData(tool: ToolContext, value: object, output = 'json', template = ''): number {
  switch (output) {
    case 'json':
      tool.out(bytesOf(`${JSON.stringify(value, undefined, 2)}\n`));
      return 0;
    case 'yaml':
      tool.out(bytesOf(stringify(value)));
      return 0;
    case 'go-template':
      tool.out(bytesOf(`${renderTemplate(template, value)}\n`));
      return 0;
    default:
      throw new ToolFailure(`unsupported output format ${JSON.stringify(output)}`);
  }
}

/** Fields by their path only: '{{.info.pid}}'. Throws ToolFailure for other actions. */
function renderTemplate(template: string, value: object): string {
  if (template === '') throw new ToolFailure('template must be provided when output is go-template');
  return template.replace(/\{\{([^{}]*)\}\}/g, (_whole, inner: string) => {
    const action = inner.trim();
    if (!/^(\.[\w-]*)+$/.test(action))
      throw new ToolFailure(`the action ${JSON.stringify(action)} of a template is not simulated: fields by path are`);
    const found = action
      .split('.')
      .filter(Boolean)
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);
    return found === undefined ? '<no value>' : typeof found === 'object' ? JSON.stringify(found) : String(found);
  });
}

/** The options of commands that print data. */
export const printAsked = (tool: ToolContext, value: object, options: Options): number =>
  printData(tool, value, options.value('o') ?? 'json', options.value('template'));
