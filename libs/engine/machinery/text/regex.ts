import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** A compiled pattern in RE2's syntax (Go's regexp): matching takes linear time whatever the pattern is. */
export interface Pattern {
  /** Is there a match anywhere in the text? */
  test(text: string): boolean;
  /** The first match, or undefined. */
  find(text: string): string | undefined;
  /** The first `limit` matches. */
  findAll(text: string, limit: number): string[];
  /** The whole first match and its groups, or undefined. */
  groups(text: string): (string | undefined)[] | undefined;
}

const MAX_PATTERN = 10_000;
/** Characters of all patterns that are cached. */
const MAX_CACHED_CHARACTERS = 100_000;

/** Compiled patterns by their text; a text that is no pattern has none. */
// oxlint-disable-next-line house/no-module-state -- compiled texts
const patterns = new LRUCache<string, { readonly pattern?: Pattern }>({
  maxSize: MAX_CACHED_CHARACTERS,
  sizeCalculation: (_compiled, text) => text.length + 1,
  memoMethod: (text) => ({ pattern: compileFresh(text) }),
});

/** Undefined when the text is no pattern. */
export const compilePattern = (text: string): Pattern | undefined => patterns.memo(text).pattern;

/** What is wrong with a pattern, in Go's words; undefined when nothing is. */
export function patternFault(text: string): string | undefined {
  if (text.length > MAX_PATTERN) return 'error parsing regexp: expression too large';
  try {
    RE2JS.compile(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function compileFresh(text: string): Pattern | undefined {
  if (text.length > MAX_PATTERN) return undefined;
  try {
    const compiled = RE2JS.compile(text);
    const matches = function* (subject: string): Generator<string> {
      const matcher = compiled.matcher(subject);
      while (matcher.find()) yield matcher.group() ?? '';
    };
    return {
      test: (subject) => compiled.matcher(subject).find(),
      find: (subject) => matches(subject).next().value as string | undefined,
      findAll: (subject, limit) => {
        const found: string[] = [];
        for (const match of matches(subject)) {
          if (found.length >= limit) break;
          found.push(match);
        }
        return found;
      },
      groups: (subject) => {
        const matcher = compiled.matcher(subject);
        if (!matcher.find()) return undefined;
        return Array.from({ length: matcher.groupCount() + 1 }, (_none, index) => matcher.group(index) ?? undefined);
      },
    };
  } catch {
    return undefined;
  }
}
