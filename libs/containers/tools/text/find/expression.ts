import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { FileType } from '../../../../engine/kernel/files/file.js';
import { findGroup, findUser, type Names } from '../../accounts.js';
import { quoteName } from '../../framework/options.js';
import { type Flavour, ToolFailure, UsageFailure } from '../../framework/tool.js';

/** A tree of find's expression. Commands of -exec have a number, by which their results are known. */
export type Expression =
  | { readonly type: 'and' | 'or' | 'comma'; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'not'; readonly inner: Expression }
  | {
      readonly type: 'exec';
      readonly words: readonly Bytes[];
      readonly isBatch: boolean;
      readonly isInDirectory: boolean;
      readonly id: number;
    }
  | {
      readonly type: 'test';
      readonly name: string;
      readonly text: Bytes;
      readonly number: number;
      readonly sign: '' | '+' | '-';
    };

export interface FindPlan {
  readonly expression: Expression;
  readonly maxDepth: number;
  readonly minDepth: number;
  readonly isDepthFirst: boolean;
}

export const TYPE_OF: Readonly<Record<string, FileType>> = {
  ...{ f: 'file', d: 'directory', l: 'link', p: 'fifo', s: 'socket', c: 'char', b: 'block' },
};

const TEXT_TESTS = [
  '-name',
  '-iname',
  '-path',
  '-ipath',
  '-wholename',
  '-regex',
  '-iregex',
  '-lname',
  '-fstype',
  '-printf',
  '-fprint',
  '-samefile',
];
const NUMBER_TESTS = ['-mtime', '-atime', '-ctime', '-mmin', '-amin', '-cmin', '-links', '-inum', '-uid', '-gid'];
const PLAIN_TESTS = [
  '-print',
  '-print0',
  '-ls',
  '-delete',
  '-prune',
  '-quit',
  '-empty',
  '-true',
  '-false',
  '-readable',
  '-writable',
  '-executable',
  '-nouser',
  '-nogroup',
];
const GLOBAL = [
  '-depth',
  '-d',
  '-mount',
  '-xdev',
  '-noleaf',
  '-follow',
  '-daystart',
  '-ignore_readdir_race',
  '-warn',
  '-nowarn',
];
const ACTIONS = ['-print', '-print0', '-ls', '-delete', '-printf', '-quit'];

/** Reads an expression; what is wrong with it is told in GNU find's words. */
export class FindReader {
  private at = 0;
  private executions = 0;
  private maxDepth = Infinity;
  private minDepth = 0;
  private isDepthFirst = false;
  private hasAction = false;

  constructor(
    private readonly words: readonly Bytes[],
    private readonly names: Names,
    private readonly timeOf: (path: Bytes) => number,
    private readonly flavour: Flavour,
  ) {}

  read(): FindPlan {
    let expression: Expression = { type: 'test', name: '-true', text: '', number: 0, sign: '' };
    if (this.words.length > 0) expression = this.comma();
    const extra = this.words[this.at];
    if (extra !== undefined) {
      throw new ToolFailure(
        extra === ')' ? "invalid expression; you have too many ')'" : `paths must precede expression: \`${extra}'`,
      );
    }
    const print: Expression = { type: 'test', name: '-print', text: '', number: 0, sign: '' };
    const whole: Expression = this.hasAction ? expression : { type: 'and', left: expression, right: print };
    return { expression: whole, maxDepth: this.maxDepth, minDepth: this.minDepth, isDepthFirst: this.isDepthFirst };
  }

  private comma(): Expression {
    let left = this.either();
    while (this.words[this.at] === ',') {
      this.at++;
      left = { type: 'comma', left, right: this.either() };
    }
    return left;
  }

  private either(): Expression {
    let left = this.both();
    while (this.words[this.at] === '-o' || this.words[this.at] === '-or') {
      this.at++;
      left = { type: 'or', left, right: this.both() };
    }
    return left;
  }

  private both(): Expression {
    let left = this.primary();
    for (
      let word = this.words[this.at];
      word !== undefined && ![')', ',', '-o', '-or'].includes(word);
      word = this.words[this.at]
    ) {
      if (word === '-a' || word === '-and') this.at++;
      left = { type: 'and', left, right: this.primary() };
    }
    return left;
  }

  private primary(): Expression {
    const word = this.words[this.at++];
    if (word === undefined) {
      const before = this.words[this.at - 2];
      throw new ToolFailure(`expected an expression after ${quoteName(before!)}`);
    }
    if (word === '!' || word === '-not') return { type: 'not', inner: this.primary() };
    if (word === '(') {
      const inner = this.comma();
      if (this.words[this.at++] !== ')') {
        throw new ToolFailure("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
      }
      return inner;
    }
    return this.test(word);
  }

  private missing(name: Bytes): ToolFailure {
    return new ToolFailure(this.flavour === 'gnu' ? `missing argument to \`${name}'` : `${name} requires an argument`);
  }

  private argument(name: Bytes): Bytes {
    const text = this.words[this.at++];
    if (text === undefined) throw this.missing(name);
    return text;
  }

  private test(name: Bytes): Expression {
    const make = (text: Bytes = '', number = 0, sign: '' | '+' | '-' = '', as = name): Expression => ({
      type: 'test',
      name: as,
      text,
      number,
      sign,
    });
    if (ACTIONS.includes(name)) this.hasAction = true;
    if (name === '-delete') this.isDepthFirst = true;
    if (PLAIN_TESTS.includes(name)) return make();
    if (GLOBAL.includes(name)) {
      if (name === '-depth' || name === '-d') this.isDepthFirst = true;
      return make('', 0, '', '-true');
    }
    if (name === '-maxdepth' || name === '-mindepth') {
      const text = this.argument(name);
      if (!/^\d+$/.test(text))
        throw new ToolFailure(
          `Expected a positive decimal integer argument to ${name}, but got \u2018${text}\u2019`.replace(
            /[\u2018\u2019]/g,
            "'",
          ),
        );
      if (name === '-maxdepth') this.maxDepth = Number(text);
      else this.minDepth = Number(text);
      return make('', 0, '', '-true');
    }
    if (TEXT_TESTS.includes(name)) return make(this.argument(name));
    if (NUMBER_TESTS.includes(name)) {
      const [number, sign] = this.number(name, this.argument(name));
      return make('', number, sign);
    }
    switch (name) {
      case '-type':
      case '-xtype': {
        const text = this.argument(name);
        const unknown = text.split(',').find((letter) => TYPE_OF[letter] === undefined);
        if (unknown !== undefined) throw new ToolFailure(`Unknown argument to ${name}: ${unknown}`);
        return make(text);
      }
      case '-size': {
        const text = this.argument(name);
        const [, sign = '', digits, unit = 'b'] = /^([-+]?)(\d+)([bcwkMG]?)$/.exec(text) ?? [];
        if (digits === undefined) throw new ToolFailure(`Invalid argument \`${text}' to -size`);
        return make(unit === '' ? 'b' : unit, Number(digits), sign as '');
      }
      case '-perm': {
        const text = this.argument(name);
        if (!/^[-/]?(?:[0-7]+|[ugoa]*[-+=].*)$/.test(text)) throw new ToolFailure(`invalid mode \`${text}'`);
        return make(text);
      }
      case '-user':
      case '-group': {
        const text = this.argument(name);
        const id = name === '-user' ? findUser(this.names, text) : findGroup(this.names, text);
        if (id === undefined)
          throw new ToolFailure(
            `\`${text}' is not the name of ${name === '-user' ? 'a known user' : 'an existing group'}`,
          );
        return make('', id);
      }
      case '-newer':
      case '-anewer':
      case '-cnewer':
        return make('', this.timeOf(this.argument(name)), '', '-newer');
      case '-exec':
      case '-execdir':
        return this.execution(name);
      case '-ok':
      case '-okdir':
        throw new ToolFailure(`${name} asks, which is not supported here`);
      default:
        if (this.flavour === 'busybox') throw new UsageFailure(`unrecognized: ${name}`);
        throw new ToolFailure(
          name.startsWith('-') ? `unknown predicate \`${name}'` : `paths must precede expression: \`${name}'`,
        );
    }
  }

  private number(name: Bytes, text: Bytes): [number, '' | '+' | '-'] {
    const [, sign = '', digits] = /^([-+]?)(\d+)$/.exec(text) ?? [];
    if (digits === undefined) {
      throw new ToolFailure(
        this.flavour === 'gnu' ? `invalid argument \`${text}' to \`${name}'` : `invalid number '${text}'`,
      );
    }
    return [Number(digits), sign as ''];
  }

  private execution(name: Bytes): Expression {
    this.hasAction = true;
    const words: Bytes[] = [];
    for (;;) {
      const word = this.words[this.at++];
      if (word === undefined) throw this.missing(name);
      const isBatch = word === '+' && words.at(-1) === '{}';
      if (word === ';' || isBatch) {
        if (words.length === 0) throw new ToolFailure(`invalid argument \`;' to \`${name}'`);
        return { type: 'exec', words, isBatch, isInDirectory: name === '-execdir', id: this.executions++ };
      }
      words.push(word);
    }
  }
}
