import { parseDocument, LineCounter, type YAMLError } from 'yaml';

const MAX_BYTES = 1 << 20;

/** What go-yaml says of what another parser has found. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^Nested mappings are not allowed/, 'mapping values are not allowed in this context'],
  [/^Tabs are not allowed|tab/i, 'found character that cannot start any token'],
  [/^All sequence items must start/, "did not find expected '-' indicator"],
  [/^All mapping items must start|^A block sequence may not be used|Unexpected/, 'did not find expected key'],
  [/^Implicit (?:map )?keys? need/, "could not find expected ':'"],
  [/^Missing closing ["']/, 'found unexpected end of stream'],
  [/^Flow sequence|expected flow sequence|with a ]/i, "did not find expected ',' or ']'"],
  [/^Flow map|expected flow map|with a }/i, "did not find expected ',' or '}'"],
];

const wordsOf = ({ message }: YAMLError): string =>
  WORDS.find(([pattern]) => pattern.test(message))?.[1] ?? 'did not find expected key';

/** A document's values, with the lines of its keys; or go-yaml's error. */
export type GoYaml =
  | { readonly value: unknown; lineOf(path: readonly (string | number)[]): number }
  | { readonly error: string };

/** Models go.yaml.in/yaml/v2: its errors in its words, as near as another parser comes to them. */
export function readGoYaml(text: string): GoYaml {
  if (text.length > MAX_BYTES) return { error: 'yaml: document is too large' };
  const lines = new LineCounter();
  const document = parseDocument(text, { version: '1.1', lineCounter: lines, logLevel: 'silent', stringKeys: true });
  const [first] = document.errors;
  if (first) return { error: `yaml: line ${lines.linePos(first.pos[0]).line}: ${wordsOf(first)}` };
  const lineOf = (path: readonly (string | number)[]): number => {
    const parent = document.getIn(path.slice(0, -1), true) ?? document.contents;
    const last = path.at(-1);
    const items = (parent as { items?: readonly { key?: { value?: unknown; range?: readonly number[] } }[] }).items;
    const key = items?.find((item) => item.key?.value === last)?.key;
    return key?.range ? lines.linePos(key.range[0]!).line : 1;
  };
  return { value: document.toJS({ maxAliasCount: 100 }) as unknown, lineOf };
}
