import { bytesOf } from '../../../../engine/kernel/bytes.js';
import type { RuntimeView } from '../../../../engine/node/host/views/runtime-view.js';
import { parseOptions, type Options } from '../../framework/options.js';
import { defineTool, ToolFailure, type WaitingContext } from '../../framework/tool.js';
import { pidOfContainer } from '../../process/node-processes.js';
import { askRuntime, formatTable } from '../runtime.js';
import { callRuntime } from './client.js';
import { findContainer, findImage, imageId, tagsOf } from './crictl/find.js';

/** The namespace of the kubelet's containers: others are empty. */
const KUBERNETES = 'k8s.io';
const GLOBAL = ['n,namespace:', 'a,address:', 'debug', 'timeout:', 'connect-timeout:'];
const ALIASES: Readonly<Record<string, string>> = {
  ...{ c: 'containers', container: 'containers', t: 'tasks', task: 'tasks', i: 'images', image: 'images' },
  ...{ ns: 'namespaces', namespace: 'namespaces', list: 'ls', remove: 'rm', delete: 'rm', del: 'rm' },
};

type Verb = (tool: WaitingContext, view: RuntimeView, options: Options) => number;

const VERBS: Readonly<Record<string, Verb>> = {
  'containers ls': listContainers,
  'containers info': showContainer,
  'tasks ls': listTasks,
  'tasks kill': killTask,
  'images ls': listImages,
  'images pull': pullImage,
  'images rm': removeImage,
  'namespaces ls': listNamespaces,
  version: showVersion,
};

/** Models containerd's cmd/ctr as far as one looks at a node with it; what else there is, it refuses. */
export const ctr = defineTool((tool) => {
  const global = parseOptions(tool, GLOBAL, true);
  const words = global.operands.map((word) => (Object.hasOwn(ALIASES, word) ? ALIASES[word]! : word));
  const name = words[0] === 'version' ? 'version' : `${words[0] ?? ''} ${words[1] ?? ''}`.trim();
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  try {
    if (!verb) throw new ToolFailure(`"ctr ${global.operands.join(' ')}" is not simulated`);
    const args = global.operands.slice(name === 'version' ? 1 : 2);
    const options = parseOptions({ ...tool, args }, ['q,quiet', 's,signal:', 'a,all', 'u,user:', 'platform:']);
    const namespace = global.value('n') ?? tool.sys.env['CONTAINERD_NAMESPACE'] ?? 'default';
    const view = askRuntime(tool.sys);
    return verb(tool, namespace === KUBERNETES ? view : { ...view, containers: [], pods: [], images: [] }, options);
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    tool.err(bytesOf(`ctr: ${error.message}\n`));
    return 1;
  }
});

/** As go's tabwriter with cells of four, eight and one. */
const print = (tool: WaitingContext, rows: readonly (readonly string[])[]): void =>
  tool.out(
    bytesOf(
      formatTable(
        rows.map((row) => [...row, '']),
        4,
        4,
      ),
    ),
  );

/** Containers and sandboxes are containers alike. */
function rowsOf({
  containers,
  pods,
}: RuntimeView): readonly (readonly [id: string, image: string, isRunning: boolean])[] {
  return [
    ...containers.map(({ id, image, state }) => [id, image, state === 'Running'] as const),
    ...pods.map(({ id, isReady }) => [id, 'registry.k8s.io/pause:3.10.1', isReady] as const),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
}

function listContainers(tool: WaitingContext, view: RuntimeView, options: Options): number {
  const rows = rowsOf(view);
  if (options.has('q')) tool.out(rows.map(([id]) => `${id}\n`).join(''));
  else
    print(tool, [
      ['CONTAINER', 'IMAGE', 'RUNTIME'],
      ...rows.map(([id, image]) => [id, image, 'io.containerd.runc.v2']),
    ]);
  return 0;
}

function showContainer(tool: WaitingContext, view: RuntimeView, { operands }: Options): number {
  const [id = ''] = operands;
  const found = view.containers.find((one) => one.id === id);
  if (!found) throw new ToolFailure(`container "${id}" in namespace "${KUBERNETES}": not found`);
  const labels = { 'io.cri-containerd.kind': 'container', 'io.kubernetes.container.name': found.name };
  const shown = {
    ...{ ID: found.id, Labels: labels, Image: found.image, Runtime: { Name: 'io.containerd.runc.v2' } },
    ...{ SnapshotKey: found.id, Snapshotter: 'overlayfs', CreatedAt: found.createdAt },
  };
  tool.out(bytesOf(`${JSON.stringify(shown, undefined, 4)}\n`));
  return 0;
}

function listTasks(tool: WaitingContext, view: RuntimeView, options: Options): number {
  const rows = rowsOf(view);
  if (options.has('q')) tool.out(rows.map(([id]) => `${id}\n`).join(''));
  else
    print(tool, [
      ['TASK', 'PID', 'STATUS'],
      ...rows.map(([id, , isRunning]) => [
        id,
        String(pidOfContainer(tool.sys, id) ?? 0),
        isRunning ? 'RUNNING' : 'STOPPED',
      ]),
    ]);
  return 0;
}

/** SIGTERM by default; SIGKILL does not wait. Other signals are refused. */
function killTask(tool: WaitingContext, view: RuntimeView, options: Options): number {
  const signal = (options.value('s') ?? 'SIGTERM').replace(/^SIG/, '');
  const isKill = signal === 'KILL' || signal === '9';
  if (!isKill && signal !== 'TERM' && signal !== '15')
    throw new ToolFailure(`signal ${options.value('s')} is not simulated: SIGTERM and SIGKILL are`);
  const { id } = findContainer(view, options.operands[0] ?? '');
  callRuntime(tool, 'StopContainer', { id, timeout: isKill ? 0 : 30 });
  return 0;
}

function listImages(tool: WaitingContext, view: RuntimeView, options: Options): number {
  const rows = view.images.flatMap((image) =>
    tagsOf(image).map((tag) => [
      ...[tag, 'application/vnd.oci.image.index.v1+json', `sha256:${imageId(image)}`],
      ...[`${(image.size / (1 << 20)).toFixed(1)} MiB`, 'linux/amd64', 'io.cri-containerd.image=managed'],
    ]),
  );
  if (options.has('q')) tool.out(rows.map(([tag]) => `${tag}\n`).join(''));
  else print(tool, [['REF', 'TYPE', 'DIGEST', 'SIZE', 'PLATFORMS', 'LABELS'], ...rows]);
  return 0;
}

/** Unlike crictl's, a reference must be whole. */
function pullImage(tool: WaitingContext, _view: RuntimeView, { operands }: Options): number {
  const [image = ''] = operands;
  if (image === '') throw new ToolFailure('please provide an image reference to pull');
  if (!/^[^./:]*[.:][^/]*\//.test(image))
    throw new ToolFailure(`failed to resolve reference "${image}": object required`);
  const answer = callRuntime(tool, 'PullImage', { image });
  tool.once(() => ({ value: null, delay: Number(answer['took'] ?? 0) }));
  tool.out(`${image}: resolved       |${'+'.repeat(38)}|\ndone\n`);
  return 0;
}

function removeImage(tool: WaitingContext, view: RuntimeView, { operands }: Options): number {
  for (const name of operands) {
    const image = findImage(view, name);
    if (!image) throw new ToolFailure(`image "${name}": not found`);
    callRuntime(tool, 'RemoveImage', { names: image.names });
    tool.out(`${name}\n`);
  }
  return 0;
}

function listNamespaces(tool: WaitingContext): number {
  print(tool, [
    ['NAME', 'LABELS'],
    [KUBERNETES, ''],
  ]);
  return 0;
}

function showVersion(tool: WaitingContext, { runtimeVersion }: RuntimeView): number {
  const lines = `  Version:  ${runtimeVersion}\n  Revision: dea7da592f5d1d2b7755e3a161be07f43fad8f75\n`;
  tool.out(`Client:\n${lines}  Go version: go1.24.10\n\nServer:\n${lines}`);
  return 0;
}
