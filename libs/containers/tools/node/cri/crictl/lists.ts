import { RE2JS } from 're2js';
import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import type { ContainerView, RuntimeView, SandboxView } from '../../../../../engine/node/host/views/runtime-view.js';
import type { Options } from '../../../framework/options.js';
import { ToolFailure, type ToolContext } from '../../../framework/tool.js';
import { askRuntime, formatTable, humanDuration, humanSize } from '../../runtime.js';
import { listedContainer, listedImage, listedSandbox, printData } from './describe.js';
import { findImage, imageId, repositoryAndTag } from './find.js';

const SHORT = 13;

const ago = (tool: ToolContext, time: string): string => `${humanDuration(tool.sys.now - Date.parse(time))} ago`;

const cutter =
  (options: Options) =>
  (id: string): string =>
    options.has('no-trunc') ? id : id.slice(0, SHORT);

/** Whether a name matches what an option says. Throws ToolFailure: it is no expression. */
function matcher(pattern = ''): (name: string) => boolean {
  if (pattern === '') return () => true;
  try {
    const compiled = RE2JS.compile(pattern);
    return (name) => compiled.matcher(name).find();
  } catch {
    throw new ToolFailure(`error parsing regexp: ${JSON.stringify(pattern)}`);
  }
}

/** Whether labels have all of --label's pairs. */
function hasLabels(options: Options, labels: Readonly<Record<string, string>>): boolean {
  return options.values('label').every((text) => {
    const [key = '', value] = text.split('=', 2);
    if (value === undefined) throw new ToolFailure(`incorrectly specified label: ${text}`);
    return labels[key] === value;
  });
}

/** How many of a list are shown: --latest, --last. */
const shownCount = (options: Options): number =>
  options.has('l') ? 1 : Number(options.value('n') ?? 0) > 0 ? Number(options.value('n')) : Infinity;

const newestFirst = <T extends { readonly createdAt: string }>(all: readonly T[]): T[] =>
  [...all].sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));

/** The containers that the options choose, newest first. Models getContainersList. */
export function chooseContainers(view: RuntimeView, options: Options, isAll = false): ContainerView[] {
  const state = options.value('s')?.toLowerCase();
  if (state !== undefined && !['created', 'running', 'exited', 'unknown'].includes(state))
    throw new ToolFailure('--state should be one of created, running, exited or unknown');
  const [isName, isNamespace] = [matcher(options.value('name')), matcher(options.value('namespace'))];
  const image = options.value('image');
  const named = image === undefined ? undefined : findImage(view, image);
  const found = view.containers.filter(
    (c) =>
      (state === undefined
        ? isAll || options.has('a', 'l', 'n') || c.state === 'Running'
        : c.state.toLowerCase() === state) &&
      isName(c.name) &&
      isNamespace(view.pods.find(({ id }) => id === c.podId)?.namespace ?? '') &&
      c.podId.startsWith(options.value('p') ?? '') &&
      c.id.startsWith(options.value('id') ?? '') &&
      (image === undefined || (named !== undefined && imageId(named) === c.imageId)) &&
      hasLabels(options, c.labels),
  );
  return newestFirst(found).slice(0, shownCount(options));
}

/** Models cmd/crictl/container.go OutputContainers. */
export function ps(tool: ToolContext, options: Options): number {
  const view = askRuntime(tool.sys);
  const found = chooseContainers(view, options);
  const output = options.value('o');
  if (output !== undefined && output !== 'table')
    return printData(tool, { containers: found.map(listedContainer) }, output);
  const cut = cutter(options);
  if (options.has('q')) tool.out(found.map(({ id }) => `${id}\n`).join(''));
  else
    tool.out(
      formatTable([
        ['CONTAINER', 'IMAGE', 'CREATED', 'STATE', 'NAME', 'ATTEMPT', 'POD ID', 'POD', 'NAMESPACE'],
        ...found.map((c) => {
          const pod = view.pods.find(({ id }) => id === c.podId);
          const image = options.has('r') ? c.image : cut(c.imageId || c.image);
          return [
            ...[cut(c.id), image, ago(tool, c.createdAt), c.state, c.name, String(c.attempt)],
            ...[cut(c.podId), pod?.name ?? 'unknown', pod?.namespace ?? 'unknown'],
          ];
        }),
      ]),
    );
  return 0;
}

/** The sandboxes that the options choose, newest first. Models getSandboxesList. */
export function chooseSandboxes(view: RuntimeView, options: Options): SandboxView[] {
  const state = options.value('s')?.toLowerCase();
  if (state !== undefined && !['ready', 'notready'].includes(state))
    throw new ToolFailure('--state should be ready or notready');
  const [isName, isNamespace] = [matcher(options.value('name')), matcher(options.value('namespace'))];
  const found = view.pods.filter(
    (p) =>
      (state === undefined || (p.isReady ? 'ready' : 'notready') === state) &&
      isName(p.name) &&
      isNamespace(p.namespace) &&
      p.id.startsWith(options.value('id') ?? '') &&
      hasLabels(options, p.labels),
  );
  return newestFirst(found).slice(0, shownCount(options));
}

/** Models cmd/crictl/sandbox.go OutputPodSandboxes. */
export function pods(tool: ToolContext, options: Options): number {
  const found = chooseSandboxes(askRuntime(tool.sys), options);
  const output = options.value('o');
  if (output !== undefined && output !== 'table') return printData(tool, { items: found.map(listedSandbox) }, output);
  const cut = cutter(options);
  if (options.has('q')) tool.out(found.map(({ id }) => `${id}\n`).join(''));
  else
    tool.out(
      formatTable([
        ['POD ID', 'CREATED', 'STATE', 'NAME', 'NAMESPACE', 'ATTEMPT', 'RUNTIME'],
        ...found.map((p) => [
          ...[cut(p.id), ago(tool, p.createdAt), p.isReady ? 'Ready' : 'NotReady', p.name, p.namespace],
          ...[String(p.attempt ?? 0), '(default)'],
        ]),
      ]),
    );
  return 0;
}

/** Models cmd/crictl/image.go listImageCommand. */
export function images(tool: ToolContext, options: Options): number {
  const view = askRuntime(tool.sys);
  const [name] = options.operands;
  const named = name === undefined ? undefined : findImage(view, name);
  const all = name === undefined ? view.images : named ? [named] : [];
  const output = options.value('o');
  if (output !== undefined && output !== 'table') return printData(tool, { images: all.map(listedImage) }, output);
  const rows = all
    .map((image) => ({ ...repositoryAndTag(image), id: imageId(image), size: humanSize(image.size) }))
    .sort((a, b) => (a.repository < b.repository ? -1 : 1));
  const cut = cutter(options);
  if (options.has('q')) tool.out(rows.map(({ id }) => `sha256:${id}\n`).join(''));
  else
    tool.out(
      bytesOf(
        formatTable([
          ['IMAGE', 'TAG', 'IMAGE ID', 'SIZE'],
          ...rows.map(({ repository, tag, id, size }) => [repository, tag, cut(id), size]),
        ]),
      ),
    );
  return 0;
}
