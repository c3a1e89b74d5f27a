import { findYamlError } from '../../../../../engine/schema/index.js';
import { parseDocument, LineCounter } from 'yaml';

const MAX_BYTES = 1 << 20;

/** A document's values, with the lines of its keys; or go-yaml's error. */
export type GoYaml =
  | { readonly value: unknown; lineOf(path: readonly (string | number)[]): number }
  | { readonly error: string };

/** Models go.yaml.in/yaml/v2, with its errors in its words. */
export function readGoYaml(text: string): GoYaml {
  if (text.length > MAX_BYTES) return { error: 'yaml: document is too large' };
  const lines = new LineCounter();
  const document = parseDocument(text, { version: '1.1', lineCounter: lines, logLevel: 'silent', stringKeys: true });
  const [first] = document.errors;
  if (first) return { error: findYamlError(text) ?? `yaml: line ${lines.linePos(first.pos[0]).line}: ${first.code}` };
  const lineOf = (path: readonly (string | number)[]): number => {
    const parent = document.getIn(path.slice(0, -1), true) ?? document.contents;
    const last = path.at(-1);
    const items = (parent as { items?: readonly { key?: { value?: unknown; range?: readonly number[] } }[] }).items;
    const key = items?.find((item) => item.key?.value === last)?.key;
    return key?.range ? lines.linePos(key.range[0]!).line : 1;
  };
  return { value: document.toJS({ maxAliasCount: 100 }) as unknown, lineOf };
}
