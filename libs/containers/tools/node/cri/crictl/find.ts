import type {
  ContainerView,
  ImageView,
  RuntimeView,
  SandboxView,
} from '../../../../../engine/node/host/views/runtime-view.js';
import { ToolFailure } from '../../../framework/tool.js';

const notFound = (id: string, what: string): ToolFailure =>
  new ToolFailure(`rpc error: code = NotFound desc = an error occurred when try to find ${what} "${id}": not found`);

function findById<T extends { readonly id: string }>(all: readonly T[], id: string, what: string): T {
  const found = id === '' ? [] : all.filter((one) => one.id.startsWith(id));
  if (found.length !== 1) throw notFound(id, what);
  return found[0]!;
}

export const findContainer = ({ containers }: RuntimeView, id: string): ContainerView =>
  findById(containers, id, 'container');

export const findSandbox = ({ pods }: RuntimeView, id: string): SandboxView => findById(pods, id, 'sandbox');

/** The id of an image, without its algorithm. */
export const imageId = ({ names }: ImageView): string =>
  names.find((name) => name.includes('@sha256:'))?.replace(/^.*@sha256:/, '') ?? '';

export const tagsOf = ({ names }: ImageView): readonly string[] => names.filter((name) => !name.includes('@'));

/** What its first tag says: 'docker.io/library/nginx', '1.27'. */
export function repositoryAndTag(image: ImageView): { readonly repository: string; readonly tag: string } {
  const [tagged = ''] = tagsOf(image);
  const at = tagged.lastIndexOf(':');
  return at < 0
    ? { repository: '<none>', tag: '<none>' }
    : { repository: tagged.slice(0, at), tag: tagged.slice(at + 1) };
}

/** By its name, with or without what a short one leaves out, or by its id. */
export function findImage({ images }: RuntimeView, text: string): ImageView | undefined {
  const id = text.replace(/^sha256:/, '');
  const hasTag = text.slice(text.lastIndexOf('/') + 1).includes(':') || text.includes('@');
  const wanted = hasTag ? text : `${text}:latest`;
  return images.find(
    (image) =>
      image.names.some(
        (name) => name === wanted || [`docker.io/${wanted}`, `docker.io/library/${wanted}`].includes(name),
      ) ||
      (/^[\da-f]{4,64}$/.test(id) && imageId(image).startsWith(id)),
  );
}
