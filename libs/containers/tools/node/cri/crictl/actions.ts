import type { Options } from '../../../framework/options.js';
import { ToolFailure, type WaitingContext } from '../../../framework/tool.js';
import { askRuntime } from '../../runtime.js';
import { callRuntime } from '../client.js';
import { note } from '../failure.js';
import { findContainer, findImage, findSandbox, imageId, tagsOf } from './find.js';

export type Action = (tool: WaitingContext, options: Options) => number;

/** The message of a failure with what crictl was doing before it. */
export function during<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ToolFailure) throw new ToolFailure(`${what}: ${error.message}`);
    throw error;
  }
}

function requireIds(options: Options, message: string): readonly string[] {
  if (options.operands.length === 0) throw new ToolFailure(message);
  return options.operands;
}

/** Models cri-tools' cmd/crictl/container.go stopContainerCommand. */
export const stop: Action = (tool, options) => {
  const view = askRuntime(tool.sys);
  const running = view.containers.filter(({ state }) => state === 'Running');
  if (options.has('a') && running.length === 0) tool.out('No running containers found.\n');
  const ids = options.has('a')
    ? running.map(({ id }) => id)
    : requireIds(options, 'you must specify at least one CONTAINER-ID or use --all');
  const timeout = Number(options.value('t') ?? 0);
  for (const id of ids) {
    during(`stopping the container ${JSON.stringify(id)}`, () =>
      callRuntime(tool, 'StopContainer', { id: findContainer(view, id).id, timeout }),
    );
    tool.out(`${id}\n`);
  }
  return 0;
};

/** Models removeContainerCommand: an ended one, or with --force any. */
export const rm: Action = (tool, options) => {
  const view = askRuntime(tool.sys);
  const ids = options.has('a')
    ? view.containers.map(({ id }) => id)
    : requireIds(options, 'you must specify at least one CONTAINER-ID or use --all');
  for (const id of ids) {
    const found = during(`getting container status ${JSON.stringify(id)}`, () => findContainer(view, id));
    if (found.state === 'Running') {
      if (!options.has('f')) throw new ToolFailure(`container ${JSON.stringify(id)} is running, please stop it first`);
      callRuntime(tool, 'StopContainer', { id: found.id, timeout: 0 });
    }
    callRuntime(tool, 'RemoveContainer', { id: found.id });
    tool.out(`${id}\n`);
  }
  return 0;
};

/** Models cmd/crictl/sandbox.go stopPodCommand. */
export const stopp: Action = (tool, options) => {
  const view = askRuntime(tool.sys);
  for (const id of requireIds(options, 'you must specify at least one POD-ID or use --all')) {
    during(`stopping the pod sandbox ${JSON.stringify(id)}`, () =>
      callRuntime(tool, 'StopPodSandbox', { id: findSandbox(view, id).id }),
    );
    tool.out(`Stopped sandbox ${id}\n`);
  }
  return 0;
};

/** Models removePodCommand. */
export const rmp: Action = (tool, options) => {
  const view = askRuntime(tool.sys);
  for (const id of requireIds(options, 'you must specify at least one POD-ID or use --all')) {
    const found = during(`getting sandbox status of pod ${JSON.stringify(id)}`, () => findSandbox(view, id));
    if (found.isReady) {
      if (!options.has('f'))
        throw new ToolFailure(`pod sandbox ${JSON.stringify(id)} is running, please stop it first`);
      callRuntime(tool, 'StopPodSandbox', { id: found.id });
      tool.out(`Stopped sandbox ${id}\n`);
    }
    callRuntime(tool, 'RemovePodSandbox', { id: found.id });
    tool.out(`Removed sandbox ${id}\n`);
  }
  return 0;
};

/** Models cmd/crictl/image.go pullImageCommand. */
export const pull: Action = (tool, options) => {
  const [image] = options.operands;
  if (image === undefined || image === '') throw new ToolFailure('image name cannot be empty');
  askRuntime(tool.sys);
  const reference = during('pulling image', () => pullNamed(tool, image, options));
  tool.out(`Image is up to date for ${reference}\n`);
  return 0;
};

/** Returns the image's id once it is there. */
export function pullNamed(tool: WaitingContext, image: string, options: Options): string {
  const [username = '', password = ''] = (options.value('creds') ?? '').split(':', 2);
  const answer = callRuntime(tool, 'PullImage', { image, username, password });
  tool.once(() => ({ value: null, delay: Number(answer['took'] ?? 0) }));
  return String(answer['imageRef']);
}

/** Models removeImageCommand. */
export const rmi: Action = (tool, options) => {
  const view = askRuntime(tool.sys);
  const used = new Set(view.containers.map((one) => one.imageId));
  const unused = view.images.filter(
    (image) => !used.has(imageId(image)) && !tagsOf(image).some((tag) => tag.includes('/pause:')),
  );
  const chosen = options.has('a') ? view.images : options.has('q') ? unused : undefined;
  if (chosen?.length === 0) {
    note(tool, 'info', 'No images to remove');
    return 0;
  }
  const names = chosen
    ? chosen.map((image) => `sha256:${imageId(image)}`)
    : requireIds(options, 'no images were named');
  for (const name of names) {
    const image = findImage(view, name);
    if (!image) throw new ToolFailure(`no such image ${name}`);
    during(`error of removing image ${JSON.stringify(name)}`, () =>
      callRuntime(tool, 'RemoveImage', { names: image.names }),
    );
    const tags = tagsOf(image);
    tool.out(tags.length === 0 ? `Deleted: ${name}\n` : tags.map((tag) => `Deleted: ${tag}\n`).join(''));
  }
  return 0;
};
