import { GoInt, isMap } from '../../go-template/values.js';
import { HelmFailure } from '../failure.js';
import { putField, type Values } from './values.js';

/** How a value of `--set` and its like is read. */
export type ReadValue = (text: string) => unknown;

const MAX_INDEX = 65_536;
const MAX_NESTING = 30;

/** `--set`: true, false, null and integers are what they look like. Models pkg/strvals typedVal. */
export function readTyped(text: string): unknown {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  if (text === '0') return new GoInt(0, 'int64');
  return /^[-+]?[1-9]\d{0,17}$/.test(text) ? new GoInt(Number(text), 'int64') : text;
}

/** Reads `a.b[0]=c,d={x,y}` into values. Models pkg/strvals ParseInto. Throws HelmFailure. */
export function setValues(text: string, target: Values, read: ReadValue): void {
  new Parser(text, read).parse(target);
}

/** `--set-json`: `a={"b":1},c=2`, or a whole object. */
export function setJson(text: string, target: Values): Values {
  if (!text.trimStart().startsWith('{')) {
    new Parser(text, readTyped, true).parse(target);
    return target;
  }
  return { ...target, ...(parseJson(text) as Values) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new HelmFailure(`invalid character in the JSON value ${JSON.stringify(text)}`);
  }
}

class Parser {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly read: ReadValue,
    private readonly isJson = false,
  ) {}

  parse(target: Values): void {
    while (this.at < this.text.length) this.key(target, 0);
  }

  /** What stands up to one of the letters, which is passed; `end` is '' at the end of the text. */
  private until(stops: string): { word: string; end: string } {
    let word = '';
    while (this.at < this.text.length) {
      const letter = this.text[this.at++]!;
      if (stops.includes(letter)) return { word, end: letter };
      word += letter === '\\' ? (this.text[this.at++] ?? '') : letter;
    }
    return { word, end: '' };
  }

  private key(target: Values, depth: number): void {
    if (depth > MAX_NESTING)
      throw new HelmFailure(`value name nested level is greater than maximum supported nested level of ${MAX_NESTING}`);
    const { word, end } = this.until('=[,.');
    if (end === '') {
      if (word === '') return;
      throw new HelmFailure(`key ${JSON.stringify(word)} has no value`);
    }
    if (end === ',') throw new HelmFailure(`key ${JSON.stringify(word)} has no value (cannot end with ,)`);
    const was = Object.hasOwn(target, word) ? target[word] : undefined;
    if (end === '=') return this.put(target, word, this.value());
    if (end === '[') return this.put(target, word, this.item(Array.isArray(was) ? was : [], this.index(), depth));
    if (was !== undefined && was !== null && !isMap(was))
      throw new HelmFailure(
        `unable to parse key: interface conversion: interface {} is ${typeof was}, not map[string]interface {}`,
      );
    const inner = isMap(was) ? was : {};
    this.key(inner, depth + 1);
    if (Object.keys(inner).length === 0) throw new HelmFailure(`key map ${JSON.stringify(word)} has no value`);
    this.put(target, word, inner);
  }

  private put(target: Values, word: string, value: unknown): void {
    if (word !== '') putField(target, word, value);
  }

  private index(): number {
    const { word, end } = this.until(']');
    if (end === '') throw new HelmFailure('error parsing index: EOF');
    if (!/^[-+]?\d+$/.test(word))
      throw new HelmFailure(`error parsing index: strconv.Atoi: parsing ${JSON.stringify(word)}: invalid syntax`);
    const index = Number(word);
    if (index < 0) throw new HelmFailure(`negative ${index} index not allowed`);
    if (index > MAX_INDEX)
      throw new HelmFailure(`index of ${index} is greater than maximum supported index of ${MAX_INDEX}`);
    return index;
  }

  private item(list: readonly unknown[], index: number, depth: number): unknown[] {
    const { word, end } = this.until('[.=');
    if (word !== '') throw new HelmFailure(`unexpected data at end of array index: ${JSON.stringify(word)}`);
    const was = list[index];
    const filled: unknown[] = Array.from({ length: Math.max(list.length, index + 1) }, (_, i) => list[i] ?? null);
    if (end === '=') filled[index] = this.value();
    else if (end === '[') filled[index] = this.item(Array.isArray(was) ? was : [], this.index(), depth + 1);
    else if (end === '.') {
      const inner = isMap(was) ? was : {};
      this.key(inner, depth + 1);
      filled[index] = inner;
    } else throw new HelmFailure('EOF');
    return filled;
  }

  private value(): unknown {
    if (this.isJson) return this.json();
    if (this.text[this.at] !== '{') return this.at >= this.text.length ? '' : this.read(this.until(',').word);
    this.at++;
    const list: unknown[] = [];
    for (;;) {
      const { word, end } = this.until(',}');
      if (end === '') throw new HelmFailure("list must terminate with '}'");
      list.push(this.read(word));
      if (end !== '}') continue;
      if (this.text[this.at] === ',') this.at++;
      return list;
    }
  }

  /** The shortest text before a comma or the end that is JSON. */
  private json(): unknown {
    const start = this.at;
    for (let end = this.text.indexOf(',', start); ; end = this.text.indexOf(',', end + 1)) {
      const text = this.text.slice(start, end < 0 ? undefined : end);
      this.at = end < 0 ? this.text.length : end + 1;
      if (text.trim() === '') return null;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        if (end < 0) return parseJson(text);
      }
    }
  }
}
