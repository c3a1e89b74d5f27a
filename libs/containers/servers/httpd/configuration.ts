import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../tools/accounts.js';
import { isModule, isUnsimulated, moduleOf } from './modules.js';

/** A directive or section with where it stands; plain data. Names are lower case. */
export type Directive = { name: string; args: Bytes[]; block: Directive[] | null; file: Bytes; line: number };

export type Configuration = { directives: Directive[]; modules: string[]; root: Bytes };

/** Apache's own words about a configuration. */
export class ConfigurationFailure extends Error {}

const ROOT = '/usr/local/apache2';
const MAX_BYTES = 1 << 20;
const MAX_FILES = 100;
const MAX_LEVELS = 20;
/** Sections that stand for what is in them, when their condition holds. */
const CONDITIONS = ['ifmodule', 'ifdefine', 'ifversion'];

/** Reads a configuration with all that it includes. `defines`: names of -D. Throws ConfigurationFailure. */
export function readConfiguration(sys: Syscalls, path: Bytes, defines: readonly string[]): Configuration {
  const reader = new Reader(sys, new Set(defines));
  const directives = reader.readFile(reader.resolve(path), undefined);
  const root = findAll(directives, 'documentroot').at(-1);
  if (root !== undefined && !isDirectory(sys, reader.resolve(root.args[0] ?? '')))
    throw failAt(root, `DocumentRoot '${reader.resolve(root.args[0] ?? '')}' is not a directory, or is not readable`);
  if (![...reader.modules].some((name) => name.startsWith('mpm_')))
    throw new ConfigurationFailure('AH00534: httpd: Configuration error: No MPM loaded.');
  return { directives, modules: [...reader.modules], root: reader.root };
}

/** Directives of a name that stand directly in a block. */
export const findAll = (block: readonly Directive[] | null, name: string): readonly Directive[] =>
  block?.filter((directive) => directive.name === name) ?? [];

export const findLast = (block: readonly Directive[] | null, name: string): Directive | undefined =>
  block?.findLast((directive) => directive.name === name);

function isDirectory(sys: Syscalls, path: Bytes): boolean {
  try {
    return sys.stat(path).type === 'directory';
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

const failAt = ({ file, line }: { file: Bytes; line: number }, message: Bytes): ConfigurationFailure =>
  new ConfigurationFailure(`AH00526: Syntax error on line ${line} of ${file}:\n${message}`);

class Reader {
  readonly modules = new Set<string>();
  root: Bytes = ROOT;
  private files = 0;
  private readonly values = new Map<string, Bytes>();

  constructor(
    private readonly sys: Syscalls,
    private readonly defines: Set<string>,
  ) {}

  /** A path of the configuration: relative ones begin at ServerRoot. */
  resolve(path: Bytes): Bytes {
    return path.startsWith('/') ? path : `${this.root}/${path}`;
  }

  readFile(path: Bytes, from: Directive | undefined): Directive[] {
    if (++this.files > MAX_FILES) throw new ConfigurationFailure('AH00526: too many files are included');
    if (!this.sys.access(path, 'r')) {
      const why = this.sys.access(path, '') ? 'Permission denied' : 'No such file or directory';
      if (from) throw failAt(from, `Could not open configuration file ${path}: ${why}`);
      throw new ConfigurationFailure(`httpd: Could not open configuration file ${path}: ${why}`);
    }
    return this.readBlock(new Lines(readSmallFile(this.sys, path).slice(0, MAX_BYTES), path), undefined, 0);
  }

  private readBlock(lines: Lines, section: Directive | undefined, level: number): Directive[] {
    const block: Directive[] = [];
    for (let line = lines.next(); line !== undefined; line = lines.next()) {
      const at = { file: lines.file, line: line.number };
      if (line.text.startsWith('</')) {
        const name = line.text.slice(2).replace('>', '').trim();
        if (section === undefined) throw failAt(at, `</${name}> without matching <${name}> section`);
        if (name.toLowerCase() !== section.name)
          throw failAt(at, `Expected </${sectionName(section)}> but saw </${name}>`);
        return block;
      }
      const isSection = line.text.startsWith('<');
      if (isSection && !line.text.endsWith('>')) throw failAt(at, `${line.text}> directive missing closing '>'`);
      const words = splitWords(this.expand(isSection ? line.text.slice(1, -1) : line.text));
      const directive: Directive = {
        ...{ name: (words[0] ?? '').toLowerCase(), args: words.slice(1), block: null },
        ...at,
      };
      if (!isSection) block.push(...this.take(directive, words[0] ?? ''));
      else block.push(...this.enter(directive, lines, level, words[0] ?? ''));
    }
    if (section !== undefined) throw failAt(section, `<${sectionName(section)}> was not closed.`);
    return block;
  }

  private enter(section: Directive, lines: Lines, level: number, given: Bytes): readonly Directive[] {
    if (level > MAX_LEVELS) throw failAt(section, 'too many nested sections');
    if (!CONDITIONS.includes(section.name)) {
      this.check(section, `<${given}`);
      section.block = this.readBlock(lines, section, level + 1);
      return [section];
    }
    const [condition = ''] = section.args;
    const wanted = condition.replace(/^!/, '');
    const name = wanted.replace(/^mod_/, '').replace(/(?:_module|\.c)$/, '');
    const holds = section.name === 'ifdefine' ? this.defines.has(wanted) : this.modules.has(name);
    const isTrue = section.name === 'ifversion' || holds !== condition.startsWith('!');
    if (isTrue) return this.readBlock(lines, section, level + 1);
    lines.skip(section.name);
    return [];
  }

  /** What a directive stands for: itself, or what it includes. */
  private take(directive: Directive, given: Bytes): readonly Directive[] {
    const { name, args } = directive;
    this.check(directive, given);
    if (name === 'include' || name === 'includeoptional') return this.include(directive);
    if (name === 'loadmodule') this.load(directive);
    if (name === 'serverroot') this.root = args[0] ?? ROOT;
    if (name === 'define') {
      this.defines.add(args[0] ?? '');
      this.values.set(args[0] ?? '', args[1] ?? '');
    }
    if (name === 'listen' && !/^(?:\S*:)?\d{1,5}$/.test(args[0] ?? ''))
      throw failAt(directive, 'Port must be specified');
    return [directive];
  }

  private check(directive: Directive, given: Bytes): void {
    const owner = moduleOf(directive.name);
    if (owner === 'core' || (owner !== undefined && this.modules.has(owner))) return;
    throw failAt(
      directive,
      `Invalid command '${given}', perhaps misspelled or defined by a module not included in the server configuration`,
    );
  }

  private load(directive: Directive): void {
    const [given = '', path = ''] = directive.args;
    const name = given.replace(/_module$/, '');
    const file = this.resolve(path);
    const why = isUnsimulated(name)
      ? 'it is not simulated'
      : 'cannot open shared object file: No such file or directory';
    if (!isModule(name))
      throw new ConfigurationFailure(
        `httpd: Syntax error on line ${directive.line} of ${directive.file}: Cannot load ${path} into server: ${file}: ${why}`,
      );
    this.modules.add(name);
  }

  private include(directive: Directive): readonly Directive[] {
    const path = this.resolve(directive.args[0] ?? '');
    const at = path.lastIndexOf('/');
    const [folder, name] = [path.slice(0, at), path.slice(at + 1)];
    if (!name.includes('*')) {
      const isMissing = !this.sys.access(path, '');
      return isMissing && directive.name === 'includeoptional' ? [] : this.readFile(path, directive);
    }
    const [first = '', last = ''] = name.split('*', 2);
    const names = this.sys.access(folder, 'r') ? this.sys.readDirectory(folder) : [];
    const fits = (one: Bytes): boolean => one.length >= name.length - 1 && one.startsWith(first) && one.endsWith(last);
    return names.filter(fits).flatMap((one) => this.readFile(`${folder}/${one}`, directive));
  }

  /** `${NAME}` of Define and of the environment. */
  private expand(text: Bytes): Bytes {
    return text.replace(/\$\{(\w+)\}/g, (whole, name: string) => this.values.get(name) ?? this.sys.env[name] ?? whole);
  }
}

const NAMES: Readonly<Record<string, string>> = { virtualhost: 'VirtualHost', ifmodule: 'IfModule' };
const sectionName = ({ name }: Directive): string => NAMES[name] ?? `${(name[0] ?? '').toUpperCase()}${name.slice(1)}`;

/** Lines without comments, joined at a backslash at their end. */
class Lines {
  private at = 0;
  private readonly lines: readonly Bytes[];

  constructor(
    text: Bytes,
    readonly file: Bytes,
  ) {
    this.lines = text.split('\n');
  }

  next(): { readonly text: Bytes; readonly number: number } | undefined {
    while (this.at < this.lines.length) {
      const number = this.at + 1;
      let text = this.lines[this.at++]!.trim();
      while (text.endsWith('\\') && this.at < this.lines.length)
        text = `${text.slice(0, -1)}${this.lines[this.at++]!.trim()}`;
      if (text !== '' && !text.startsWith('#')) return { text, number };
    }
    return undefined;
  }

  /** To behind the end of a section whose condition is false. */
  skip(name: string): void {
    let depth = 1;
    for (let line = this.next(); line !== undefined; line = this.next()) {
      const text = line.text.toLowerCase();
      if (text.startsWith(`<${name}`)) depth++;
      if (text.startsWith(`</${name}`) && --depth === 0) return;
    }
  }
}

/** Words, which quotes keep together. */
export function splitWords(text: Bytes): Bytes[] {
  const words: Bytes[] = [];
  for (let at = 0; at < text.length;) {
    const sign = text[at]!;
    if (sign === ' ' || sign === '\t') {
      at++;
      continue;
    }
    let word = '';
    if (sign === '"' || sign === "'") {
      for (at++; at < text.length && text[at] !== sign; at++) {
        if (text[at] === '\\' && (text[at + 1] === sign || text[at + 1] === '\\')) at++;
        word += text[at]!;
      }
      at++;
    } else for (; at < text.length && text[at] !== ' ' && text[at] !== '\t'; at++) word += text[at]!;
    words.push(word);
  }
  return words;
}
