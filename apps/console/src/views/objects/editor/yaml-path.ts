/** Where a place in YAML text is, found by indentation: it must do while the text is not yet YAML. */
export interface YamlPlace {
  /** Keys down to the mapping in which the place is; a list adds none. */
  readonly path: readonly string[];
  /** The key whose value is written here; undefined where a key is. */
  readonly key: string | undefined;
  /** What is written of the word so far. */
  readonly word: string;
  /** Offset where the word begins. */
  readonly from: number;
  /** The lines of its document. */
  readonly document: string;
}

const KEY = /^(\s*(?:- +)*)(?:"([^"]*)"|'([^']*)'|([^\s#:'"[\]{},-][^:#]*)):(?:\s|$)/;
const SEPARATOR = /^---(?:\s|$)/;

interface Line {
  readonly indent: number;
  /** Of what follows the dashes of list items. */
  readonly content: number;
  readonly key: string | undefined;
}

function readLine(text: string): Line | undefined {
  if (/^\s*(?:#|$)/.test(text)) return undefined;
  const [dashes = ''] = /^\s*(?:- +)*(?:-$)?/.exec(text) ?? [];
  const found = KEY.exec(text);
  const key = found?.[2] ?? found?.[3] ?? found?.[4]?.trimEnd();
  return { indent: /^\s*/.exec(text)![0].length, content: dashes.length, key };
}

/** The place at an offset. */
export function placeAt(text: string, offset: number): YamlPlace {
  const before = text.slice(0, offset);
  const lines = before.split('\n');
  const current = lines.pop()!;
  const begin = lines.findLastIndex((line) => SEPARATOR.test(line)) + 1;
  const document = documentAt(text.split('\n'), lines.length);
  const keyed = KEY.exec(current);
  const value = keyed ? current.slice(keyed[0].length) : '';
  const word = keyed ? value.trimStart() : current.replace(/^[\s-]+/, '').trimEnd();
  const from = offset - word.length;
  const column = readLine(current)?.content ?? current.length;
  const path = parentsOf(lines.slice(begin), keyed ? column : Math.min(column, current.length - word.length));
  return { path, key: keyed ? (keyed[2] ?? keyed[3] ?? keyed[4]?.trimEnd()) : undefined, word, from, document };
}

/** Keys of the lines above that are less indented than the column, from the outermost. */
function parentsOf(lines: readonly string[], column: number): string[] {
  const path: string[] = [];
  let limit = column;
  for (let i = lines.length - 1; i >= 0 && limit > 0; i--) {
    const line = readLine(lines[i]!);
    if (!line) continue;
    if (line.content < limit && line.key !== undefined) path.unshift(line.key);
    // A list may stand as far left as the key that it belongs to.
    else if (line.content === limit && line.indent < line.content) limit = line.indent + 1;
    if (line.content < limit && line.key !== undefined)
      limit = line.indent < line.content ? line.indent + 1 : line.content;
  }
  return path;
}

/** The lines of the document in which a line is. */
function documentAt(lines: readonly string[], line: number): string {
  const begin = lines.slice(0, line + 1).findLastIndex((text) => SEPARATOR.test(text)) + 1;
  const end = lines.findIndex((text, i) => i > line && SEPARATOR.test(text));
  return lines.slice(begin, end < 0 ? undefined : end).join('\n');
}

/** apiVersion and kind of a document, as far as they are written. */
export function kindOf(document: string): { readonly apiVersion: string; readonly kind: string } {
  const field = (name: string): string =>
    new RegExp(`^${name}:\\s*["']?([A-Za-z0-9./-]+)`, 'm').exec(document)?.[1] ?? '';
  return { apiVersion: field('apiVersion'), kind: field('kind') };
}
