import type { Labels } from '../../../machinery/selectors/requirement.js';

/** Whether labels are selected. */
export type Selector = (labels: Labels) => boolean;

/** Characters of a selector, and operators in it. */
const MAX_LENGTH = 4_096;
const MAX_DEPTH = 32;
const TOKEN =
  /\s*(?:(all\(\)|global\(\))|has\(\s*([\w./-]+)\s*\)|(&&|\|\||[(){},!](?!=)|==|!=)|(not\s+in|in|contains|starts\s+with|ends\s+with)\b(?=\s*[{'"])|(["'])(.*?)\5|([\w./-]+))/y;

interface Token {
  readonly type: 'all' | 'global' | 'has' | 'sign' | 'word' | 'text' | 'key';
  readonly text: string;
}

/** Reads a selector of Calico; undefined: it is none. Models libcalico-go/lib/selector. */
export function parseSelector(text: string): Selector | undefined {
  if (text.trim() === '') return () => true;
  const tokens = text.length > MAX_LENGTH ? undefined : tokenize(text);
  if (!tokens) return undefined;
  const parser = new Parser(tokens);
  const found = parser.either(0);
  return parser.isAtEnd() ? found : undefined;
}

function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const rest = text.trimEnd();
  let at = 0;
  while (at < rest.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(rest);
    if (!found) return undefined;
    at = TOKEN.lastIndex;
    const [, every, has, sign, word, quote, quoted = '', key = ''] = found;
    if (every !== undefined) tokens.push({ type: every === 'all()' ? 'all' : 'global', text: every });
    else if (has !== undefined) tokens.push({ type: 'has', text: has });
    else if (sign !== undefined) tokens.push({ type: 'sign', text: sign });
    else if (word !== undefined) tokens.push({ type: 'word', text: word.replace(/\s+/, ' ') });
    else if (quote !== undefined) tokens.push({ type: 'text', text: quoted });
    else tokens.push({ type: 'key', text: key });
  }
  return tokens;
}

const NAMESPACE = 'projectcalico.org/namespace';

class Parser {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  either(depth: number): Selector | undefined {
    return this.joined(
      '||',
      () => this.both(depth),
      (all) => (labels) => all.some((one) => one(labels)),
    );
  }

  private both(depth: number): Selector | undefined {
    return this.joined(
      '&&',
      () => this.one(depth),
      (all) => (labels) => all.every((one) => one(labels)),
    );
  }

  private joined(
    sign: string,
    read: () => Selector | undefined,
    join: (all: readonly Selector[]) => Selector,
  ): Selector | undefined {
    const all: Selector[] = [];
    do {
      const one = read();
      if (!one) return undefined;
      all.push(one);
    } while (this.take(sign));
    return all.length === 1 ? all[0] : join(all);
  }

  private one(depth: number): Selector | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (this.take('!')) {
      const inner = this.one(depth + 1);
      return inner && ((labels) => !inner(labels));
    }
    if (this.take('(')) {
      const inner = this.either(depth + 1);
      return this.take(')') ? inner : undefined;
    }
    const token = this.tokens[this.at++];
    switch (token?.type) {
      case 'all':
        return () => true;
      case 'global':
        return (labels) => labels[NAMESPACE] === undefined;
      case 'has':
        return (labels) => labels[token.text] !== undefined;
      case 'key':
        return this.comparison(token.text);
      default:
        return undefined;
    }
  }

  private comparison(key: string): Selector | undefined {
    const operator = this.tokens[this.at++];
    if (operator?.type === 'word' && (operator.text === 'in' || operator.text === 'not in')) {
      const values = this.set();
      if (!values) return undefined;
      const isIn: Selector = (labels) => labels[key] !== undefined && values.includes(labels[key]);
      return operator.text === 'in' ? isIn : (labels) => !isIn(labels);
    }
    const value = this.tokens[this.at++];
    if (value?.type !== 'text') return undefined;
    const { text } = value;
    switch (operator?.text) {
      case '==':
        return (labels) => labels[key] === text;
      case '!=':
        return (labels) => labels[key] !== text;
      case 'contains':
        return (labels) => labels[key]?.includes(text) ?? false;
      case 'starts with':
        return (labels) => labels[key]?.startsWith(text) ?? false;
      case 'ends with':
        return (labels) => labels[key]?.endsWith(text) ?? false;
      default:
        return undefined;
    }
  }

  private set(): readonly string[] | undefined {
    const values: string[] = [];
    if (!this.take('{')) return undefined;
    while (!this.take('}')) {
      if (values.length > 0 && !this.take(',')) return undefined;
      const value = this.tokens[this.at++];
      if (value?.type !== 'text') return undefined;
      values.push(value.text);
    }
    return values;
  }

  private take(sign: string): boolean {
    const token = this.tokens[this.at];
    if (token?.type !== 'sign' || token.text !== sign) return false;
    this.at++;
    return true;
  }
}
