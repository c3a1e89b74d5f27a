import type { Bytes } from '../kernel.js';
import { escapePattern } from './pattern.js';

/** A field that comes of a word: its text, and the same as a pattern in which what was quoted stands for itself. */
export interface Field {
  readonly text: Bytes;
  readonly pattern: Bytes;
}

/** Bytes that one command's fields may have. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_FIELDS = 100_000;

export class TooLarge extends Error {}

/** Gathers the fields of a word while its parts are expanded. */
export class Fields {
  private readonly fields: Field[] = [];
  private text = '';
  private pattern = '';
  /** Whether there is a field even when it is empty: something was quoted. */
  private isOpen = false;
  private bytes = 0;

  constructor(
    private readonly ifs: Bytes,
    /** Whether unquoted expansions are split. */
    readonly splits: boolean,
    private readonly escape = escapePattern,
  ) {}

  addQuoted(text: Bytes): void {
    this.isOpen = true;
    this.add(text, this.escape(text));
  }

  /** Unquoted text of the word itself. */
  addLiteral(text: Bytes): void {
    if (text !== '') this.isOpen = true;
    this.add(text, text);
  }

  /** The result of an unquoted expansion. */
  addExpanded(text: Bytes): void {
    if (!this.splits) this.addLiteral(text);
    else this.split(text);
  }

  /** Ends a field: what follows is in the next one. */
  endField(): void {
    if (this.isOpen) this.fields.push({ text: this.text, pattern: this.pattern });
    if (this.fields.length > MAX_FIELDS) throw new TooLarge('too many fields');
    this.text = this.pattern = '';
    this.isOpen = false;
  }

  /**
   * Between the values of $@: the next one is a field of its own, even an empty one if it is quoted. In a word that is
   * not split a blank stands between them.
   */
  nextField(): void {
    if (this.splits) this.endField();
    else this.addQuoted(' ');
  }

  finish(): Field[] {
    this.endField();
    return this.fields;
  }

  /** Bytes of all fields together. */
  get size(): number {
    return this.bytes;
  }

  /** All as one: for words that are not split. */
  joined(): Field {
    return { text: this.text, pattern: this.pattern };
  }

  private add(text: Bytes, pattern: Bytes): void {
    this.bytes += text.length;
    if (this.bytes > MAX_BYTES) throw new TooLarge('argument list too long');
    this.text += text;
    this.pattern += pattern;
  }

  /** By IFS: white space of it in runs, other characters of it one by one. */
  private split(text: Bytes): void {
    const { ifs } = this;
    if (ifs === '') {
      this.addLiteral(text);
      return;
    }
    let start = 0;
    let i = 0;
    const flush = (end: number): void => {
      if (end > start) this.addLiteral(text.slice(start, end));
    };
    const isSeparating = separatorsOf(ifs);
    while (i < text.length) {
      // A text of megabytes is gone through here, byte by byte.
      if (isSeparating[text.charCodeAt(i)] !== 1) {
        i++;
        continue;
      }
      flush(i);
      const hadField = this.isOpen;
      while (i < text.length && isSpaceOf(ifs, text[i]!)) i++;
      const isSeparator = i < text.length && ifs.includes(text[i]!) && !isSpaceOf(ifs, text[i]!);
      if (isSeparator) {
        this.isOpen = true;
        this.endField();
        i++;
        while (i < text.length && isSpaceOf(ifs, text[i]!)) i++;
      } else if (hadField) this.endField();
      start = i;
    }
    flush(i);
  }
}

/** 1 for each byte that is in IFS. */
function separatorsOf(ifs: Bytes): Uint8Array {
  const found = new Uint8Array(256);
  for (let i = 0; i < ifs.length; i++) found[ifs.charCodeAt(i)] = 1;
  return found;
}

const isSpaceOf = (ifs: Bytes, character: string): boolean => ' \t\n'.includes(character) && ifs.includes(character);
