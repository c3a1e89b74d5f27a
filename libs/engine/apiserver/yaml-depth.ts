import { Parser, type CST } from 'yaml';
import { badRequest } from '../machinery/status.js';

const MAX_DEPTH = 500;

/** Refuses YAML that nests so deep that composing it would exhaust the stack, which no handler could catch. Throws 400. */
export function checkYamlDepth(text: string): void {
  for (const document of new Parser().parse(text)) {
    const open: [token: CST.Token, depth: number][] = [[document, 0]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [token, depth] = next;
      if (depth > MAX_DEPTH) throw badRequest('error converting YAML to JSON: yaml: exceeded max depth');
      for (const child of childrenOf(token)) open.push([child, depth + 1]);
    }
  }
}

function* childrenOf(token: CST.Token): Iterable<CST.Token> {
  if (token.type === 'document') {
    if (token.value) yield token.value;
    return;
  }
  if (!('items' in token)) return;
  for (const { key, value } of token.items) {
    if (key) yield key;
    if (value) yield value;
  }
}
