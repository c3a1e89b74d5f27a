import { styleNonce } from '../../app/nonce.js';

/**
 * The page's document for a library that makes style elements and knows no nonce: what it makes carries the page's.
 * xterm.js takes it as `documentOverride`.
 */
export function noncedDocument(of: Document = document, nonce = styleNonce()): Document {
  const createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = of.createElement(name, options);
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
