import { parse } from 'yaml';
import { textOf } from '../../../../../engine/kernel/bytes.js';
import type { Options } from '../../../framework/options.js';
import { ToolFailure, type WaitingContext } from '../../../framework/tool.js';
import { askRuntime } from '../../runtime.js';
import { during, pullNamed, type Action } from './actions.js';
import { callRuntime } from '../client.js';
import { findContainer, findSandbox } from './find.js';
import { note } from '../failure.js';

type Json = Readonly<Record<string, unknown>>;

/** A pod's or container's file, JSON or YAML. `what`: 'pod' or 'container'. */
function readConfig(tool: WaitingContext, path: string): Json {
  if (!tool.sys.access(path, '')) throw new ToolFailure(`config at ${textOf(path)} not found`);
  const text = textOf(tool.input(path));
  try {
    const found: unknown = parse(text);
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as Json;
  } catch {
    // What is not YAML is not JSON either.
  }
  throw new ToolFailure(`error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${path}`);
}

const readPodConfig = (tool: WaitingContext, path: string): Json =>
  during('load podSandboxConfig', () => {
    const config = readConfig(tool, path);
    const { metadata = {} } = config as { metadata?: Json };
    if (!metadata['name']) throw new ToolFailure(`name is not in metadata ${JSON.stringify(metadata)}`);
    return config;
  });

function readContainerConfig(tool: WaitingContext, path: string): Json {
  const config = readConfig(tool, path);
  const { metadata, image } = config as { metadata?: Json; image?: Json };
  if (!metadata) throw new ToolFailure('metadata is not set');
  if (!metadata['name']) throw new ToolFailure(`name is not in metadata ${JSON.stringify(metadata)}`);
  if (!image) throw new ToolFailure('image is not set');
  if (!image['image']) throw new ToolFailure(`image field is not set in image ${JSON.stringify(image)}`);
  return config;
}

/** Models loadPodSandboxConfig and RunPodSandbox. */
function runSandbox(tool: WaitingContext, path: string): string {
  const config = readPodConfig(tool, path);
  return during('run pod sandbox', () => String(callRuntime(tool, 'RunPodSandbox', { config })['id']));
}

/** Models cmd/crictl/sandbox.go runPodCommand. */
export const runp: Action = (tool, { operands }) => {
  const [path] = operands;
  if (path === undefined) return help(tool, 'runp', 'Run a new pod', 'pod-config.[json|yaml]');
  refuseHandler(tool, operands);
  askRuntime(tool.sys);
  tool.out(`${runSandbox(tool, path)}\n`);
  return 0;
};

function refuseHandler(tool: WaitingContext, operands: readonly string[]): void {
  if (operands.length > 1) throw new ToolFailure(`unknown arguments: ${operands.slice(1).join(' ')}`);
}

interface Creation {
  readonly podId: string;
  readonly containerPath: string;
  readonly podPath: string;
  readonly isPulled: boolean;
}

/** Models CreateContainer. */
function create(tool: WaitingContext, options: Options, { podId, containerPath, podPath, isPulled }: Creation): string {
  const config = readContainerConfig(tool, containerPath);
  readPodConfig(tool, podPath);
  const { image } = (config['image'] ?? {}) as { image?: string };
  if (isPulled && image) {
    note(tool, 'info', `Pulling container image: ${image}`);
    pullNamed(tool, image, options);
  }
  return String(callRuntime(tool, 'CreateContainer', { podSandboxId: podId, config })['id']);
}

/** Models cmd/crictl/container.go createContainerCommand. */
export const createContainer: Action = (tool, options) => {
  const [pod, containerPath, podPath] = options.operands;
  if (pod === undefined || containerPath === undefined || podPath === undefined)
    return help(tool, 'create', 'Create a new container', 'POD container-config.[json|yaml] pod-config.[json|yaml]');
  if (options.has('no-pull') && options.has('with-pull'))
    throw new ToolFailure('conflict: no-pull and with-pull are both set');
  const view = askRuntime(tool.sys);
  const id = during('creating container', () => {
    const podId = view.pods.some((one) => one.id.startsWith(pod)) ? findSandbox(view, pod).id : pod;
    return create(tool, options, { podId, containerPath, podPath, isPulled: options.has('with-pull') });
  });
  tool.out(`${id}\n`);
  return 0;
};

/** Models startContainerCommand. */
export const start: Action = (tool, { operands }) => {
  if (operands.length === 0) throw new ToolFailure('ID cannot be empty');
  const view = askRuntime(tool.sys);
  for (const id of operands) {
    during(`starting the container ${JSON.stringify(id)}`, () =>
      callRuntime(tool, 'StartContainer', { id: findContainer(view, id).id }),
    );
    tool.out(`${id}\n`);
  }
  return 0;
};

/** Models runContainerCommand: a sandbox, a container in it, and its start; the image is pulled. */
export const run: Action = (tool, options) => {
  const [containerPath, podPath] = options.operands;
  if (containerPath === undefined || podPath === undefined)
    return help(
      tool,
      'run',
      'Run a new container inside a sandbox',
      'container-config.[json|yaml] pod-config.[json|yaml]',
    );
  if (options.has('no-pull') && options.has('with-pull'))
    throw new ToolFailure('conflict: no-pull and with-pull are both set');
  askRuntime(tool.sys);
  during('running container', () => {
    const podId = runSandbox(tool, podPath);
    const id = during('creating container failed', () =>
      create(tool, options, { podId, containerPath, podPath, isPulled: !options.has('no-pull') }),
    );
    during(`starting the container ${JSON.stringify(id)}`, () => callRuntime(tool, 'StartContainer', { id }));
    tool.out(`${id}\n`);
  });
  return 0;
};

function help(tool: WaitingContext, name: string, usage: string, args: string): number {
  tool.out(`NAME:\n   crictl ${name} - ${usage}\n\nUSAGE:\n   crictl ${name} [command options] ${args}\n`);
  return 0;
}
