import { KubectlFailure } from '../session/failure.js';

/** A step of a path, or a text of a template. */
export type PathNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | {
      readonly type: 'slice';
      readonly from?: number;
      readonly to?: number;
      readonly step: number;
      readonly single: boolean;
    }
  | { readonly type: 'filter'; readonly left: Operand; readonly operator: string; readonly right: Operand | undefined }
  | { readonly type: 'union'; readonly parts: readonly (readonly PathNode[])[] }
  | { readonly type: 'range'; readonly path: readonly PathNode[]; readonly body: readonly PathNode[] }
  | { readonly type: 'path'; readonly steps: readonly PathNode[] };

/** A path from the element that is tested, or a value. */
export type Operand =
  | { readonly path: readonly PathNode[]; readonly fromRoot: boolean }
  | { readonly value: string | number | boolean };

const MAX_LENGTH = 20_000;
const MAX_DEPTH = 20;
const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'];

/** Models k8s.io/client-go/util/jsonpath's parser: a text with `{…}` in it. Throws KubectlFailure. */
export function parseTemplate(text: string): PathNode[] {
  if (text.length > MAX_LENGTH) throw new KubectlFailure('the JSONPath expression is too long');
  const stack: { readonly path: readonly PathNode[]; readonly nodes: PathNode[] }[] = [{ path: [], nodes: [] }];
  let at = 0;
  const add = (node: PathNode): void => void stack.at(-1)!.nodes.push(node);
  while (at < text.length) {
    const open = text.indexOf('{', at);
    if (open < 0) {
      add({ type: 'text', text: text.slice(at) });
      break;
    }
    if (open > at) add({ type: 'text', text: text.slice(at, open) });
    const close = endOfAction(text, open + 1);
    takeAction(text.slice(open + 1, close).trim());
    at = close + 1;
  }
  if (stack.length > 1) throw new KubectlFailure(`error parsing jsonpath ${text}, unclosed action`);
  return stack[0]!.nodes;

  function takeAction(body: string): void {
    if (body === 'end') {
      const closed = stack.pop()!;
      if (stack.length === 0) throw new KubectlFailure(`error parsing jsonpath ${text}, not in range, nothing to end`);
      return add({ type: 'range', path: closed.path, body: closed.nodes });
    }
    if (body.startsWith('range') && /^range\s/.test(body)) {
      if (stack.length > MAX_DEPTH) throw new KubectlFailure(`error parsing jsonpath ${text}, too many ranges`);
      return void stack.push({ path: parsePath(body.slice(5).trim(), text), nodes: [] });
    }
    for (const node of parseAction(body, text)) add(node);
  }
}

/** Where the `}` of an action stands: not in a quoted text. */
function endOfAction(text: string, from: number): number {
  let quote = '';
  let brackets = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '[') brackets++;
    else if (char === ']') brackets--;
    else if (char === '}') return at;
  }
  throw new KubectlFailure(
    `error parsing jsonpath ${text}, ${quote !== '' ? 'unterminated quoted string' : brackets > 0 ? 'unterminated array' : 'unclosed action'}`,
  );
}

/** What stands between braces: quoted texts and paths, apart by blanks. */
function parseAction(body: string, whole: string): PathNode[] {
  const nodes: PathNode[] = [];
  for (let at = 0; at < body.length;) {
    const char = body[at]!;
    if (/\s/.test(char)) {
      at++;
      continue;
    }
    const isText = char === '"' || char === "'";
    const end = endOfWord(body, at);
    const word = body.slice(at, end);
    nodes.push(isText ? { type: 'text', text: unquote(word, whole) } : { type: 'path', steps: parsePath(word, whole) });
    at = end;
  }
  return nodes;
}

function endOfWord(body: string, from: number): number {
  let quote = '';
  let brackets = 0;
  for (let at = from; at < body.length; at++) {
    const char = body[at]!;
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) {
        quote = '';
        if (brackets === 0) return at + 1;
      }
    } else if (char === '"' || char === "'") {
      if (brackets === 0 && at > from) return at;
      quote = char;
    } else if (char === '[') brackets++;
    else if (char === ']') brackets--;
    else if (brackets === 0 && /\s/.test(char)) return at;
  }
  return body.length;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' };

function unquote(word: string, whole: string): string {
  if (word.length < 2 || word.at(-1) !== word[0])
    throw new KubectlFailure(`error parsing jsonpath ${whole}, unterminated quoted string`);
  let text = '';
  for (let at = 1; at < word.length - 1; at++) {
    const char = word[at]!;
    text += char === '\\' ? (ESCAPES[word[++at]!] ?? word[at]!) : char;
  }
  return text;
}

/** `.items[*].metadata.name`, `$.a`, `@.a`. Throws KubectlFailure. */
export function parsePath(text: string, whole = text, depth = 0): PathNode[] {
  const fail = (why: string): never => {
    throw new KubectlFailure(`error parsing jsonpath ${whole}, ${why}`);
  };
  if (depth > MAX_DEPTH) fail('too many brackets');
  const nodes: PathNode[] = [];
  for (let at = 0; at < text.length;) {
    const char = text[at]!;
    if ((char === '$' || char === '@') && at === 0) at++;
    else if (text.startsWith('..', at)) {
      nodes.push({ type: 'recursive' });
      at += 2;
      if (at < text.length && text[at] !== '[') at = takeName(at);
    } else if (char === '.') {
      if (text[at + 1] === '[' || at + 1 === text.length) at++;
      else at = takeName(at + 1);
    } else if (char === '[') {
      const end = endOfWord(text, at);
      const close = closingBracket(text, at, end);
      if (close < 0) fail('unterminated array');
      nodes.push(...parseBracket(text.slice(at + 1, close).trim(), whole, depth, fail));
      at = close + 1;
    } else if (at === 0) {
      const end = nameEnd(text, 0);
      if (end === 0)
        fail(
          `unrecognized character in action: U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')} '${char}'`,
        );
      fail(`unrecognized identifier ${text.slice(0, end)}`);
    } else
      fail(
        `unrecognized character in action: U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')} '${char}'`,
      );
  }
  return nodes;

  function takeName(from: number): number {
    const end = nameEnd(text, from);
    const name = text.slice(from, end).replaceAll('\\', '');
    if (name === '')
      fail(
        `unrecognized character in action: U+${(text.charCodeAt(from) || 0).toString(16).toUpperCase().padStart(4, '0')} '${text[from] ?? ''}'`,
      );
    nodes.push(name === '*' ? { type: 'wildcard' } : { type: 'field', name });
    return end;
  }
}

function nameEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if ('.[]{}()|\'"$@ \t,'.includes(text[at]!)) break;
  }
  return Math.min(at, text.length);
}

function closingBracket(text: string, from: number, end: number): number {
  let quote = '';
  let brackets = 0;
  for (let at = from; at < end; at++) {
    const char = text[at]!;
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '[') brackets++;
    else if (char === ']' && --brackets === 0) return at;
  }
  return -1;
}

function parseBracket(body: string, whole: string, depth: number, fail: (why: string) => never): PathNode[] {
  if (body === '*') return [{ type: 'wildcard' }];
  if (body.startsWith('?(') && body.endsWith(')')) return [parseFilter(body.slice(2, -1), whole, depth, fail)];
  const parts = splitAtCommas(body);
  if (parts.length > 1)
    return [{ type: 'union', parts: parts.map((part) => parseBracket(part.trim(), whole, depth + 1, fail)) }];
  if (/^(['"]).*\1$/s.test(body)) return [{ type: 'field', name: unquote(body, whole) }];
  if (/^-?\d+$/.test(body)) {
    const from = Number(body);
    return [{ type: 'slice', from, to: from + 1, step: 1, single: true }];
  }
  const slice = /^(-?\d*):(-?\d*)(?::(-?\d*))?$/.exec(body);
  if (!slice) return fail(`invalid array index ${body}`);
  const number = (word: string | undefined): number | undefined => (word ? Number(word) : undefined);
  const [from, to, step] = [number(slice[1]), number(slice[2]), number(slice[3]) ?? 1];
  return [{ type: 'slice', ...(from !== undefined && { from }), ...(to !== undefined && { to }), step, single: false }];
}

function splitAtCommas(body: string): string[] {
  const parts: string[] = [''];
  let quote = '';
  for (const char of body) {
    if (quote === '' && char === ',') {
      parts.push('');
      continue;
    }
    if (quote !== '' ? char === quote : char === '"' || char === "'") quote = quote === '' ? char : '';
    parts[parts.length - 1] += char;
  }
  return parts;
}

function parseFilter(body: string, whole: string, depth: number, fail: (why: string) => never): PathNode {
  const [at, operator] = findOperator(body);
  const operand = (text: string): Operand => parseOperand(text.trim(), whole, depth, fail);
  if (operator === '') return { type: 'filter', left: operand(body), operator: 'exists', right: undefined };
  return {
    type: 'filter',
    left: operand(body.slice(0, at)),
    operator,
    right: operand(body.slice(at + operator.length)),
  };
}

function findOperator(body: string): [at: number, operator: string] {
  let quote = '';
  for (let at = 0; at < body.length; at++) {
    const char = body[at]!;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else {
      const found = OPERATORS.find((one) => body.startsWith(one, at));
      if (found !== undefined) return [at, found];
    }
  }
  return [-1, ''];
}

function parseOperand(text: string, whole: string, depth: number, fail: (why: string) => never): Operand {
  if (text.startsWith('"') || text.startsWith("'")) return { value: unquote(text, whole) };
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return { value: Number(text) };
  if (!/^[@$.[]/.test(text)) fail(`unrecognized identifier ${text}`);
  return { path: parsePath(text, whole, depth + 1), fromRoot: text.startsWith('$') };
}
