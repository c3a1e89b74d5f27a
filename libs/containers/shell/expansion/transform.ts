import type { Bytes } from '../kernel.js';
import type { Shell } from '../interpreter/shell.js';
import { elementsOf } from '../interpreter/variables.js';
import { quoteAnsi, quoteDouble, quoteSingle } from './quote.js';

const quote = (text: Bytes): Bytes => (/[\0-\x1f\x7f-\xff]/.test(text) ? quoteAnsi(text) : quoteSingle(text));

/** ${x@Q} and its like, of one text. */
export function transform(shell: Shell, name: Bytes, letter: string, text: Bytes): Bytes {
  switch (letter) {
    case 'U':
      return text.toUpperCase();
    case 'u':
      return text.slice(0, 1).toUpperCase() + text.slice(1);
    case 'L':
      return text.toLowerCase();
    case 'A': {
      const flags = shell.variable(name)?.flags ?? '';
      return `${flags === '' ? '' : `declare -${flags} `}${name}=${quote(text)}`;
    }
    default:
      return quote(text);
  }
}

/** ${a[@]@A} and ${a[@]@K}. */
export function transformArray(shell: Shell, name: Bytes, letter: string): { text: Bytes } | { list: Bytes[] } {
  const elements = elementsOf(shell, name);
  if (letter === 'A') {
    const flags = shell.variable(name)?.flags ?? '';
    return {
      text: `declare -${flags} ${name}=(${elements.map(([key, value]) => `[${key}]=${quoteDouble(value)}`).join(' ')})`,
    };
  }
  if (letter === 'k') return { list: elements.flat() };
  return { text: elements.map(([key, value]) => `${key} ${quoteDouble(value)}`).join(' ') };
}
