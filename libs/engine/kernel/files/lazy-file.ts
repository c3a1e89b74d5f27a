import type { Bytes } from '../bytes.js';

/** What makes a file's content. */
const READ = Symbol('read');

interface Lazy {
  readonly [READ]: () => Bytes;
}

/**
 * One accessor for all of them: with a getter of its own each file would have a hidden class of its own, which is slow
 * to make, and which keeps all that the getter sees until the next collection of the whole heap.
 */
const CONTENT: PropertyDescriptor & ThisType<Lazy> = {
  get() {
    return this[READ]();
  },
  enumerable: true,
};

/** The same file with content that is made when somebody reads it. A copy by fields has read it. */
export function readLater<T extends object>(file: T, read: () => Bytes): T & { readonly content: Bytes } {
  const lazy: T & Lazy = { ...file, [READ]: read };
  return Object.defineProperty(lazy, 'content', CONTENT) as T & Lazy & { readonly content: Bytes };
}
