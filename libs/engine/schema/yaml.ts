import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Tags } from 'yaml';

/** Nodes that aliases may expand to. */
const MAX_ALIASES = 1_000;
/** Errors on repeated keys that are reported. */
const MAX_REPEATED = 100;
/** YAML 1.1 tags that Kubernetes' parser does not turn into other types. */
const DROPPED = new Set(['tag:yaml.org,2002:timestamp', 'tag:yaml.org,2002:binary', 'tag:yaml.org,2002:omap', 'tag:yaml.org,2002:pairs', 'tag:yaml.org,2002:set']);

export interface ParsedYaml {
  readonly value?: unknown;
  /** In the parser's words, as 'yaml: line 3: ...'. */
  readonly error?: string;
  /** 'line 10: key "replicas" already set in map'. */
  readonly repeated: readonly string[];
}

/** One YAML document as JSON would have it. The last of repeated keys wins, as in Go. Models sigs.k8s.io/yaml. */
export function parseYaml(text: string): ParsedYaml {
  try {
    const lineCounter = new LineCounter();
    // The package compares every key with every other one; repeatedKeys does it in one pass.
    const document = parseDocument(text, { version: '1.1', uniqueKeys: false, logLevel: 'silent', customTags: withoutExtras, lineCounter });
    const first = document.errors[0];
    if (first) return { error: `yaml: line ${lineCounter.linePos(first.pos[0]).line}: ${first.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')}`, repeated: [] };
    const repeated: string[] = [];
    findRepeated(document.contents, lineCounter, repeated);
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown, repeated };
  } catch (error) {
    return { error: `yaml: ${error instanceof Error ? error.message.split('\n')[0]! : 'invalid document'}`, repeated: [] };
  }
}

const withoutExtras = (tags: Tags): Tags =>
  tags.filter((t) => typeof t === 'string' || (!DROPPED.has(t.tag) && t.format !== 'TIME'));

function findRepeated(node: unknown, lines: LineCounter, into: string[]): void {
  if (into.length >= MAX_REPEATED) return;
  if (isSeq(node)) for (const item of node.items) findRepeated(item, lines, into);
  else if (isMap(node)) {
    const seen = new Set<unknown>();
    for (const pair of node.items) {
      if (isScalar(pair.key) && pair.key.value !== '<<') {
        if (seen.has(pair.key.value)) into.push(`line ${lines.linePos(pair.key.range?.[0] ?? 0).line}: key ${JSON.stringify(pair.key.value)} already set in map`);
        seen.add(pair.key.value);
      }
      findRepeated(pair.value, lines, into);
    }
  } else if (isPair(node)) findRepeated(node.value, lines, into);
}
