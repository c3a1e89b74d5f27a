import { isMap, isScalar, isSeq, parseAllDocuments, type Document, type Node, type YAMLMap } from 'yaml';
import type { Schema, Schemas } from './schema.js';

/** Something wrong with a text, at offsets of it. */
export interface Problem {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

const MAX_PROBLEMS = 100;
const MAX_DEPTH = 100;

/** Documents of a text, as they are parsed; each may have errors. */
export const parseDocuments = (text: string): Document.Parsed[] => {
  const parsed = parseAllDocuments(text, { prettyErrors: false, uniqueKeys: true });
  return Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [];
};

/** What the parser, and the schema of each document, has against a text. Undefined schemas are not yet known. */
export function checkYaml(
  text: string,
  schemasOf: (apiVersion: string, kind: string) => Schemas | undefined,
  words: { unknownField(path: string): string; missingField(path: string): string; wrongType(type: string): string },
): Problem[] {
  const problems: Problem[] = [];
  const add = (range: readonly number[] | null | undefined, severity: Problem['severity'], message: string): void => {
    if (problems.length >= MAX_PROBLEMS || !range) return;
    const from = Math.min(range[0] ?? 0, text.length);
    problems.push({ from, to: Math.max(from, Math.min(range[1] ?? from, text.length)), severity, message });
  };
  for (const document of parseDocuments(text)) {
    for (const { pos, message } of document.errors) add(pos, 'error', message);
    const { contents } = document;
    if (!isMap(contents)) continue;
    const apiVersion = String(contents.get('apiVersion') ?? '');
    const kind = String(contents.get('kind') ?? '');
    const schemas = schemasOf(apiVersion, kind);
    const schema = schemas?.kind(apiVersion, kind);
    if (schemas && schema) checkNode({ schemas, add, words }, contents, schema, '', 0);
  }
  return problems;
}

interface Check {
  readonly schemas: Schemas;
  readonly add: (range: readonly number[] | null | undefined, severity: Problem['severity'], message: string) => void;
  readonly words: Parameters<typeof checkYaml>[2];
}

function checkNode(check: Check, node: Node | null, given: Schema, path: string, depth: number): void {
  if (!node || depth > MAX_DEPTH) return;
  const schema = check.schemas.resolve(given);
  if (isMap(node)) return checkMap(check, node, schema, path, depth);
  if (isSeq(node)) {
    if (schema.type !== undefined && schema.type !== 'array') return mismatch(check, node, schema);
    if (schema.items)
      for (const [i, item] of node.items.entries())
        checkNode(check, item as Node, schema.items, `${path}[${i}]`, depth + 1);
    return;
  }
  if (isScalar(node)) checkScalar(check, node, schema);
}

function checkMap(check: Check, node: YAMLMap, schema: Schema, path: string, depth: number): void {
  const { schemas, add, words } = check;
  if (schema.type !== undefined && schema.type !== 'object') return mismatch(check, node, schema);
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : String(key);
    const below = path === '' ? name : `${path}.${name}`;
    const child = schemas.child(schema, name);
    if (child) checkNode(check, value as Node | null, child, below, depth + 1);
    else if (!schemas.isOpen(schema)) add((key as Node).range, 'error', words.unknownField(below));
  }
  for (const name of schema.required ?? [])
    if (!node.has(name)) add(node.range && [node.range[0], node.range[0] + 1], 'warning', words.missingField(name));
}

function checkScalar(check: Check, node: Node & { readonly value: unknown }, schema: Schema): void {
  const { value } = node;
  if (value === null) return;
  if (schema.enum && !schema.enum.includes(value))
    return check.add(node.range, 'error', check.words.wrongType(schema.enum.map(String).join(', ')));
  if (!isOfType(value, schema)) mismatch(check, node, schema);
}

function isOfType(value: unknown, { type, format, 'x-kubernetes-int-or-string': isEither }: Schema): boolean {
  if (isEither || format === 'int-or-string' || type === undefined) return true;
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'number') return typeof value === 'number';
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'string') return typeof value === 'string';
  return false;
}

const mismatch = ({ add, schemas, words }: Check, node: Node, schema: Schema): void =>
  add(node.range, 'error', words.wrongType(schemas.typeName(schema)));
