import type { LiveFiles } from './live.js';

/** Parts that cover different directories, as one. */
export const joinLive = (...parts: readonly LiveFiles[]): LiveFiles => ({
  covers: (directory) => parts.some((one) => one.covers(directory)),
  names: (directory) => parts.find((one) => one.covers(directory))?.names(directory) ?? [],
  node: (path) => parts.find((one) => one.covers(path.slice(0, path.lastIndexOf('/')) || '/'))?.node(path),
});
