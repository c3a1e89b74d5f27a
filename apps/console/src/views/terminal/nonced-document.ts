import { styleNonce } from '../../app/nonce.js';

/**
 * The page's document for a library that makes style elements and knows no nonce: what it makes carries the page's.
 * xterm.js takes it as `documentOverride`.
 */
export function noncedDocument(of: Document = document, nonce = styleNonce()): Document {
  const make = of.createElement.bind(of);
  const createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = make(name, options);
    if (name.toLowerCase() === 'style') element.nonce = nonce;
    return element;
  };
  return new Proxy(of, {
    get(target, key) {
      if (key === 'createElement') return createElement;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}

/** For what takes no document: while `work` runs, style elements of the page's own carry the nonce. */
export function withNoncedStyles(work: () => void, of: Document = document, nonce = styleNonce()): void {
  of.createElement = noncedDocument(of, nonce).createElement;
  try {
    work();
  } finally {
    // What is left is the prototype's own.
    delete (of as { createElement?: unknown }).createElement;
  }
}
