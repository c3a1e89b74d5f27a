import { parseDocument, type Tags } from 'yaml';

/** Nodes that aliases may expand to, as many as sigs.k8s.io/yaml would ever allow a real manifest. */
const MAX_ALIASES = 1_000;
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
    const document = parseDocument(text, { version: '1.1', uniqueKeys: true, prettyErrors: true, logLevel: 'silent', customTags: withoutExtras });
    const faults = document.errors.filter((e) => e.code !== 'DUPLICATE_KEY');
    const first = faults[0];
    if (first) return { error: `yaml: line ${first.linePos?.[0].line ?? 1}: ${first.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')}`, repeated: [] };
    const repeated = document.errors.map((e) => `line ${e.linePos?.[0].line ?? 1}: key ${JSON.stringify(keyAt(text, e.pos[0]))} already set in map`);
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown, repeated };
  } catch (error) {
    return { error: `yaml: ${error instanceof Error ? error.message.split('\n')[0]! : 'invalid document'}`, repeated: [] };
  }
}

const withoutExtras = (tags: Tags): Tags =>
  tags.filter((t) => typeof t === 'string' || (!DROPPED.has(t.tag) && t.format !== 'TIME'));

/** The key that begins at an offset. */
const keyAt = (text: string, at: number): string => /^["']?([^"':\n]*)/.exec(text.slice(at, at + 300))?.[1]?.trim() ?? '';
