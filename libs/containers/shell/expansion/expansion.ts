import type { Word, WordPart } from 'unbash';
import type { Bytes } from '../kernel.js';
import { CommandNeeded, ShellFailure } from '../interpreter/failure.js';
import type { Shell } from '../interpreter/shell.js';
import type { Memo } from '../state/frame.js';
import { parseQuotedText, parseWord } from '../syntax/unit.js';
import { expandBraces } from './braces.js';
import { decodeAnsi } from './escapes.js';
import { Fields, TooLarge } from './fields.js';
import { expandGlob } from './glob.js';
import { expandParameter, expandSimple } from './parameter.js';
import { hasWildcard } from './pattern.js';
import { expandTilde } from './tilde.js';

/** How the parts of a word are taken. */
export interface Mode {
  /** Within double quotes. */
  readonly quoted: boolean;
  /** Within ${x:-...}: the text itself is split as if it came of the expansion. */
  readonly operand?: boolean;
  /** A ~ after : acts too. */
  readonly assignment?: boolean;
}

/** A word whose value is long costs a step for each 256 bytes. */
const LONG_SHIFT = 8;

/** A word in which nothing acts, whatever the options of the shell. */
const PLAIN = /^[\w./,-]+$/;

/** Where a part stands in its word. */
interface Place {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const WHOLE_WORD: Place = { isFirst: true, isLast: true };
const WITHIN_WORD: Place = { isFirst: false, isLast: false };

const UNQUOTED: Mode = { quoted: false };
const QUOTED: Mode = { quoted: true };

/**
 * Expands one item: a word, a here-document. It may stop with CommandNeeded and is begun anew when the command's answer
 * is in the memo; what it has read and done until then is there too and is not done again.
 */
export class Expansion {
  private at = 0;
  private readonly records: boolean;

  constructor(
    readonly shell: Shell,
    private readonly memo: Memo,
    source: Bytes,
  ) {
    this.records = memo.length > 0 || /`|\$\(|[<>]\(/.test(source);
    shell.sys.charge(2 + (source.length >> 2));
  }

  /** Reads or changes something outside of the expansion, once. */
  effect<Answer extends Memo[number]>(act: () => Answer): Answer {
    if (this.at < this.memo.length) return this.memo[this.at++] as Answer;
    const answer = act();
    if (this.records) {
      this.memo.push(answer);
      this.at++;
    }
    return answer;
  }

  /** The fields of a word of a command line. */
  fields(word: Word): Bytes[] {
    if (
      this.shell.isBash &&
      word.parts?.some((part) => part.type === 'BraceExpansion') &&
      !this.shell.option('no-brace')
    ) {
      const words = expandBraces(word.text);
      this.shell.sys.charge(words.length * 2);
      return words.length === 1 && words[0] === word.text ? this.splitFields(word) : this.splitWords(words);
    }
    return this.splitFields(word);
  }

  /** What braces have made: most of it needs no reading. */
  private splitWords(words: readonly Bytes[]): Bytes[] {
    const found: Bytes[] = [];
    for (const text of words) {
      if (PLAIN.test(text)) found.push(text);
      else for (const field of this.splitFields(parseWord(text))) found.push(field);
    }
    return found;
  }

  /** A loop that makes no list for a field: a word may have a hundred thousand of them. */
  private splitFields(word: Word): Bytes[] {
    const fields = this.collect(word, true, UNQUOTED).finish();
    const { shell } = this;
    const isLiteral = shell.option('f');
    const isExtended = shell.isBash && shell.shopt('extglob');
    const found: Bytes[] = [];
    shell.sys.charge(fields.length);
    for (const { text, pattern } of fields) {
      if (isLiteral || !hasWildcard(pattern, isExtended)) found.push(text);
      else for (const path of this.glob(text, pattern, isExtended)) found.push(path);
    }
    return found;
  }

  private glob(text: Bytes, pattern: Bytes, isExtended: boolean): Bytes[] {
    const { shell } = this;
    const options = {
      isExtended,
      matchesDots: shell.shopt('dotglob'),
      globStar: shell.shopt('globstar'),
      ignoreCase: shell.shopt('nocaseglob'),
    };
    const paths = expandGlob(shell.sys, pattern, options);
    if (paths.length > 0) return paths;
    if (shell.shopt('failglob')) throw new ShellFailure(`no match: ${text}`, 1, 'line');
    return shell.shopt('nullglob') ? [] : [text];
  }

  /** One string: an assignment's value, the target of a redirection, the subject of a case. */
  text(word: Word): Bytes {
    return this.collect(word, false, { quoted: false, assignment: true }).joined().text;
  }

  pattern(word: Word): Bytes {
    return this.collect(word, false, UNQUOTED).joined().pattern;
  }

  /** The right side of =~: what is quoted stands for itself. */
  expression(word: Word): Bytes {
    const fields = new Fields('', false, escapeExpression);
    this.guard(() => this.addWord(word, fields, UNQUOTED));
    return fields.joined().pattern;
  }

  /** A here-document, arithmetic, a prompt: $ and ` act, quotes do not. */
  quotedText(text: Bytes): Bytes {
    const expanded = this.quotedParts(parseQuotedText(text));
    return expanded.endsWith('\n') ? expanded.slice(0, -1) : expanded;
  }

  quotedParts(parts: readonly WordPart[]): Bytes {
    const fields = new Fields('', false);
    this.guard(() => this.addParts(parts, fields, QUOTED));
    return fields.joined().text;
  }

  /** An operand within ${...}, as text. */
  operandText(word: Word | undefined, quoted: boolean): Bytes {
    if (!word) return '';
    const fields = new Fields('', false);
    this.addWord(word, fields, { quoted, operand: false });
    return fields.joined().text;
  }

  private collect(word: Word, splits: boolean, mode: Mode): Fields {
    const ifs = splits ? this.effect(() => this.shell.get('IFS') ?? ' \t\n') : '';
    const fields = new Fields(ifs, splits);
    this.guard(() => this.addWord(word, fields, mode));
    this.shell.sys.charge(fields.size >> LONG_SHIFT);
    return fields;
  }

  private guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      throw new ShellFailure('Argument list too long', this.shell.isBash ? 1 : 2, 'line');
    }
  }

  addWord(word: Word, fields: Fields, mode: Mode): void {
    if (!word.parts) this.addBare(word.text, fields, mode, WHOLE_WORD);
    else this.addParts(word.parts, fields, mode);
  }

  private addParts(parts: readonly WordPart[], fields: Fields, mode: Mode): void {
    const last = parts.length - 1;
    parts.forEach((part, i) => this.addPart(part, fields, mode, { isFirst: i === 0, isLast: i === last }));
  }

  private addPart(part: WordPart, fields: Fields, mode: Mode, place: Place): void {
    switch (part.type) {
      case 'Literal':
        if (mode.quoted) fields.addQuoted(part.value);
        else this.addBare(part.text, fields, mode, place);
        return;
      case 'Glob':
      case 'ExtendedGlob':
      case 'BraceExpansion':
        this.addBareGroup(part, fields, mode);
        return;
      case 'SingleQuoted':
        fields.addQuoted(part.value);
        return;
      case 'AnsiCQuoted':
        if (this.shell.isDash) fields.addQuoted('$' + part.text.slice(2, -1));
        else fields.addQuoted(decodeAnsi(part.text.slice(2, -1)));
        return;
      case 'LocaleString':
      case 'DoubleQuoted':
        if (part.type === 'LocaleString' && !this.shell.isBash) fields.addQuoted('$');
        if (part.parts.length === 0) fields.addQuoted('');
        this.addParts(part.parts, fields, QUOTED);
        return;
      case 'SimpleExpansion':
        expandSimple(this, part, fields, mode);
        return;
      case 'ParameterExpansion':
        expandParameter(this, part, fields, mode);
        return;
      case 'CommandExpansion':
        this.addResult(this.need('$', commandText(part.text, part.script?.source)), fields, mode);
        return;
      case 'ArithmeticExpansion':
        this.addResult(
          this.arithmetic(part.text.startsWith('$[') ? part.text.slice(2, -1) : part.text.slice(3, -2)),
          fields,
          mode,
        );
        return;
      case 'ProcessSubstitution':
        fields.addLiteral(this.need(part.operator, part.text.slice(2, -1)));
    }
  }

  addResult(text: Bytes, fields: Fields, mode: Mode): void {
    if (mode.quoted) fields.addQuoted(text);
    else fields.addExpanded(text);
  }

  /** Patterns may have expansions within. */
  private addBareGroup(
    part: Extract<WordPart, { type: 'Glob' | 'ExtendedGlob' | 'BraceExpansion' }>,
    fields: Fields,
    mode: Mode,
  ): void {
    if (!part.parts) {
      if (mode.quoted) fields.addQuoted(part.text);
      else this.addBare(part.text, fields, mode, WITHIN_WORD);
      return;
    }
    const first = part.parts[0];
    const last = part.parts.at(-1);
    const [open, close] =
      first && last ? [first.pos - part.pos, last.end - part.pos] : [part.text.length, part.text.length];
    fields.addLiteral(part.text.slice(0, open));
    this.addParts(part.parts, fields, { ...mode, operand: false });
    fields.addLiteral(part.text.slice(close));
  }

  /** Unquoted text: backslashes quote, a ~ at the beginning is somebody's home. */
  private addBare(text: Bytes, fields: Fields, mode: Mode, { isFirst, isLast }: Place): void {
    if (mode.quoted) {
      fields.addQuoted(text);
      return;
    }
    let rest = text;
    if (isFirst && rest.startsWith('~')) rest = this.addHome(rest, fields, mode, isLast);
    for (;;) {
      const colon = mode.assignment ? rest.indexOf(':~') : -1;
      const backslash = rest.indexOf('\\');
      if (colon >= 0 && (backslash < 0 || colon < backslash)) {
        fields.addLiteral(rest.slice(0, colon + 1));
        rest = this.addHome(rest.slice(colon + 1), fields, mode, isLast);
        continue;
      }
      this.addUnquoted(backslash < 0 ? rest : rest.slice(0, backslash), fields, mode);
      if (backslash < 0) return;
      const escaped = rest[backslash + 1];
      if (escaped === undefined) fields.addQuoted('\\');
      else if (escaped !== '\n') fields.addQuoted(escaped);
      rest = rest.slice(backslash + 2);
    }
  }

  private addUnquoted(text: Bytes, fields: Fields, mode: Mode): void {
    if (text === '') return;
    if (mode.operand) fields.addExpanded(text);
    else fields.addLiteral(text);
  }

  /** Of a prefix that goes on in the next part of its word, an expansion or a quoted text, ~ stands for itself. */
  private addHome(text: Bytes, fields: Fields, mode: Mode, isLast: boolean): Bytes {
    const end = text.search(mode.assignment ? /[/:]/ : /\//);
    const prefix = end < 0 ? text : text.slice(0, end);
    const isPlain = !prefix.includes('\\') && (end >= 0 || isLast);
    const home = isPlain ? expandTilde(this.shell, prefix) : undefined;
    if (home !== undefined) fields.addQuoted(home);
    else if (prefix.includes('\\')) return text;
    else fields.addLiteral(prefix);
    return text.slice(prefix.length);
  }

  /** The answer of a command, if it is there. Throws CommandNeeded. */
  private need(kind: '$' | '<' | '>', text: Bytes): Bytes {
    if (this.at < this.memo.length) return this.memo[this.at++] as Bytes;
    if (kind !== '$' && this.shell.isDash) throw new ShellFailure('Syntax error: "(" unexpected', 2, 'shell');
    throw new CommandNeeded(kind, text);
  }

  /** The value of an arithmetic expression as it stands in the text. Throws ShellFailure. */
  arithmetic(text: Bytes): Bytes {
    const expression = this.quotedText(text).replaceAll('"', '');
    return this.effect(() => String(this.shell.evaluate(expression)));
  }
}

const escapeExpression = (text: Bytes): Bytes => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** The command within $(...) or `...`. */
function commandText(text: Bytes, decoded: Bytes | undefined): Bytes {
  if (text.startsWith('`')) return decoded ?? text.slice(1, -1).replace(/\\([\\`$])/g, '$1');
  return text.slice(2, -1);
}
