import { authorization, collections, optionals } from './library/collections.js';
import { jsonPatches, quantities, urls, versions } from './library/kubernetes.js';
import { networks } from './library/network.js';
import { namedFormats, texts } from './library/text.js';
import { Functions, type Library } from './registry.js';
import { conversions, operators, times } from './standard.js';

/**
 * Every function and operator that expressions may call. Models apiserver/pkg/cel/environment/base.go. Left out: the
 * image library.
 */
const libraries: readonly Library[] = [
  operators,
  conversions,
  times,
  texts,
  collections,
  optionals,
  networks,
  quantities,
  urls,
  versions,
  namedFormats,
  jsonPatches,
  authorization,
];

export const functions = new Functions(libraries);

/** The same, whose signatures are read once for all, and others of whoever runs the expressions. */
export const functionsWith = (library: Library): Functions => new Functions([library], functions);
