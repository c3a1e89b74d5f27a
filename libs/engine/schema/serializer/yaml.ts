import {
  Composer,
  type CST,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  type Tags,
  type YAMLError,
} from 'yaml';
import { findYamlError } from './go-yaml/parser.js';

/** Nodes that aliases may expand to. */
const MAX_ALIASES = 1_000;
/** Levels of nesting; composing what is deeper would exhaust the stack, which no handler could catch. */
const MAX_DEPTH = 500;
const TOO_DEEP = 'yaml: exceeded max depth of 10000';
const TOO_MANY_ALIASES = 'yaml: document contains excessive aliasing';
/** Errors on repeated keys that are reported. */
const MAX_REPEATED = 100;
/** YAML 1.1 tags that Kubernetes' parser does not turn into other types. */
const DROPPED = new Set([
  'tag:yaml.org,2002:timestamp',
  'tag:yaml.org,2002:binary',
  'tag:yaml.org,2002:omap',
  'tag:yaml.org,2002:pairs',
  'tag:yaml.org,2002:set',
]);

export interface ParsedYaml {
  readonly value?: unknown;
  /** In the parser's words, as 'yaml: line 3: ...'. */
  readonly error?: string;
  /** 'line 10: key "replicas" already set in map'. */
  readonly repeated: readonly string[];
}

/**
 * One YAML document as JSON would have it. The last of repeated keys wins, as in Go. Models sigs.k8s.io/yaml.
 * `bools`: 'plain' takes `yes`, `no`, `on`, `off`, `y` and `n` for texts, as go.yaml.in/yaml/v3 does.
 */
export function parseYaml(text: string, bools: 'all' | 'plain' = 'all'): ParsedYaml {
  try {
    const lineCounter = new LineCounter();
    // The package compares every key with every other one; repeatedKeys does it in one pass.
    const composer = new Composer({
      version: '1.1',
      uniqueKeys: false,
      logLevel: 'silent',
      customTags: bools === 'plain' ? (tags) => dropExtraTags(tags).map(withPlainBools) : dropExtraTags,
      lineCounter,
    });
    const tokens = [...new Parser(lineCounter.addNewLine).parse(text)];
    if (tokens.some(isTooDeep)) return { error: TOO_DEEP, repeated: [] };
    const [document] = composer.compose(tokens, true, text.length);
    if (!document) return { repeated: [] };
    const first = document.errors[0];
    if (first)
      return {
        error: findYamlError(text) ?? toldByParser(first, lineCounter),
        repeated: [],
      };
    const repeated: string[] = [];
    findDuplicateKeys(document.contents, lineCounter, repeated);
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown, repeated };
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Excessive alias'))
      return { error: TOO_MANY_ALIASES, repeated: [] };
    return {
      error:
        findYamlError(text) ?? `yaml: ${error instanceof Error ? error.message.split('\n')[0]! : 'invalid document'}`,
      repeated: [],
    };
  }
}

/** In its own words: go-yaml finds no fault with it. */
const toldByParser = ({ message, pos }: YAMLError, lines: LineCounter): string =>
  `yaml: line ${lines.linePos(pos[0]).line}: ${message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')}`;

const dropExtraTags = (tags: Tags): Tags =>
  tags.filter((t) => typeof t === 'string' || (!DROPPED.has(t.tag) && t.format !== 'TIME')).map(withDigits);

/** A dot alone is no number. */
const withDigits = (tag: Tags[number]): Tags[number] =>
  typeof tag === 'object' && 'test' in tag && tag.test?.test('.')
    ? ({ ...tag, test: new RegExp(`^(?=.*\\d)(?:${tag.test.source})`) } as Tags[number])
    : tag;

const BOOL = 'tag:yaml.org,2002:bool';

const withPlainBools = (tag: Tags[number]): Tags[number] =>
  typeof tag === 'object' && tag.tag === BOOL && 'resolve' in tag && tag.identify
    ? ({ ...tag, test: tag.identify(true) ? /^(?:true|True|TRUE)$/ : /^(?:false|False|FALSE)$/ } as Tags[number])
    : tag;

function findDuplicateKeys(node: unknown, lines: LineCounter, into: string[]): void {
  if (into.length >= MAX_REPEATED) return;
  if (isSeq(node)) for (const item of node.items) findDuplicateKeys(item, lines, into);
  else if (isMap(node)) {
    const seen = new Set<unknown>();
    for (const pair of node.items) {
      if (isScalar(pair.key) && pair.key.value !== '<<') {
        if (seen.has(pair.key.value))
          into.push(
            `line ${lines.linePos(pair.key.range?.[0] ?? 0).line}: key ${JSON.stringify(pair.key.value)} already set in map`,
          );
        seen.add(pair.key.value);
      }
      findDuplicateKeys(pair.value, lines, into);
    }
  } else if (isPair(node)) findDuplicateKeys(node.value, lines, into);
}

function isTooDeep(document: CST.Token): boolean {
  const open: [token: CST.Token, depth: number][] = [[document, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [token, depth] = next;
    if (depth > MAX_DEPTH) return true;
    for (const child of childrenOf(token)) open.push([child, depth + 1]);
  }
  return false;
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
