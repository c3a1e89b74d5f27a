import { type Bytes, textOf } from '../../../engine/kernel/bytes.js';
import type { FilterContext } from '../framework/filter.js';
import { dump } from './values/json.js';
import { JsonFault, JsonReader } from './values/read-json.js';
import type { Json } from './values/values.js';

/** What the command line says; plain data. */
export type JqOptions = {
  program: string;
  files: Bytes[];
  /** Letters and names of the flags: 'r', 'raw-output' is 'r'. */
  flags: string[];
  indent: string;
  /** As JSON: --arg and its kin. */
  named: Record<string, string>;
  positional: string[];
};

/** Ends jq before it runs, with these words. */
export class JqRefusal extends Error {
  constructor(
    message: string,
    readonly code = 2,
  ) {
    super(message);
  }
}

const LONG: Readonly<Record<string, string>> = {
  ...{ slurp: 's', 'raw-output': 'r', 'join-output': 'j', 'compact-output': 'c', 'color-output': 'C' },
  ...{ 'monochrome-output': 'M', 'ascii-output': 'a', 'sort-keys': 'S', 'raw-input': 'R', 'null-input': 'n' },
  ...{ 'from-file': 'f', 'exit-status': 'e', version: 'V', help: 'h', binary: 'b' },
};
const FLAGS = 'srjcCMaSRnfeVhb';
const LONG_ONLY = ['raw-output0', 'unbuffered', 'tab', 'seq', 'stream', 'args', 'jsonargs', 'build-configuration'];
const PAIRS = ['arg', 'argjson', 'slurpfile', 'rawfile'];

/** The program of a command line without one. */
const IDENTITY = '.';
const HINT =
  'Use jq --help for help with command-line options,\n' +
  'or see the jq manpage, or online docs  at https://jqlang.github.io/jq\n';
export const refuse = (message: string): never => {
  throw new JqRefusal(`${message}\n${HINT}`);
};

/** `read`: a file's content. Throws JqRefusal. */
export function readOptions(tool: FilterContext, read: (path: Bytes) => Bytes): JqOptions {
  const isTyped = tool.sys.isTerminal(0) && tool.sys.isTerminal(1);
  const reader = new OptionReader([...tool.args], read, isTyped);
  return reader.run();
}

class OptionReader {
  private readonly options: JqOptions = {
    ...{ program: '', files: [], flags: [], indent: '  ', named: {}, positional: [] },
  };
  private program: Bytes | undefined;
  private rest: 'files' | 'args' | 'jsonargs' = 'files';

  constructor(
    private readonly words: Bytes[],
    private readonly read: (path: Bytes) => Bytes,
    private readonly isTyped: boolean,
  ) {}

  run(): JqOptions {
    let isDone = false;
    for (let word = this.words.shift(); word !== undefined; word = this.words.shift()) {
      if (isDone || !/^-[-A-Za-z]/.test(word)) this.operand(word);
      else if (word === '--') isDone = true;
      else if (word.startsWith('--')) this.long(word.slice(2), word);
      else this.short(word.slice(1), word);
    }
    const { options } = this;
    const asks = options.flags.some((flag) => ['V', 'h', 'build-configuration'].includes(flag));
    if (this.program === undefined) {
      if (asks) return options;
      // As main.c has it: who types at a terminal is told how.
      if (this.isTyped) throw new JqRefusal(SHORT_USAGE);
      this.program = IDENTITY;
    }
    options.program = textOf(options.flags.includes('f') ? this.programFile(this.program) : this.program);
    return options;
  }

  private operand(word: Bytes): void {
    if (this.program === undefined) this.program = word;
    else if (this.rest === 'files') this.options.files.push(word);
    else if (this.rest === 'args') this.options.positional.push(dump(textOf(word)));
    else this.options.positional.push(dump(this.parse(word, 'Invalid JSON text passed to --jsonargs')));
  }

  private programFile(path: Bytes): Bytes {
    try {
      return this.read(path);
    } catch (error) {
      throw new JqRefusal(`jq: error: Could not open ${path}: ${(error as Error).message}\n`);
    }
  }

  private short(letters: Bytes, word: Bytes): void {
    for (let i = 0; i < letters.length; i++) {
      const letter = letters[i]!;
      if (letter === 'L') {
        if (i === letters.length - 1 && this.words.shift() === undefined)
          refuse('-L takes a parameter: (e.g. -L /search/path or -L/search/path)');
        return;
      }
      if (!FLAGS.includes(letter)) refuse(`jq: Unknown option: ${word}`);
      this.flag(letter);
    }
  }

  private flag(name: string): void {
    this.options.flags.push(name);
    if (name === 'c') this.options.indent = '';
  }

  private long(name: Bytes, word: Bytes): void {
    const known = LONG[name];
    if (known !== undefined) return this.flag(known);
    if (PAIRS.includes(name)) return this.pair(name);
    if (name === 'indent') return this.indent();
    if (name === 'library-path') {
      if (this.words.shift() === undefined) refuse('-L takes a parameter: (e.g. -L /search/path or -L/search/path)');
      return;
    }
    if (!LONG_ONLY.includes(name)) refuse(`jq: Unknown option: ${word}`);
    if (name === 'args' || name === 'jsonargs') this.rest = name;
    else if (name === 'tab') this.options.indent = '\t';
    else this.options.flags.push(name);
  }

  private indent(): void {
    const given = this.words.shift();
    if (given === undefined) refuse('jq: --indent takes one parameter');
    const count = Number.parseInt(given!, 10) || 0;
    if (count < -1 || count > 7)
      refuse(`jq: Cannot indent ${count < 0 ? 'less' : 'more'} than ${count < 0 ? -1 : 7} characters`);
    this.options.indent = count < 0 ? '\t' : ' '.repeat(count);
  }

  private pair(option: string): void {
    const [name, value] = [this.words.shift(), this.words.shift()];
    const what = option.endsWith('file') ? 'filename' : option === 'arg' ? 'value' : 'text';
    if (name === undefined || value === undefined) {
      return refuse(`jq: --${option} takes two parameters (e.g. --${option} varname ${what})`);
    }
    this.options.named[textOf(name)] ??= dump(this.valueOf(option, name, value));
  }

  private valueOf(option: string, name: Bytes, value: Bytes): Json {
    if (option === 'arg') return textOf(value);
    if (option === 'argjson') return this.parse(value, 'Invalid JSON text passed to --argjson');
    let content: Bytes;
    try {
      content = this.read(value);
    } catch (error) {
      throw new JqRefusal(
        `jq: Bad JSON in --${option} ${name} ${value}: Could not open ${value}: ${(error as Error).message}\n`,
      );
    }
    if (option === 'rawfile') return textOf(content);
    try {
      const reader = new JsonReader(content);
      const all: Json[] = [];
      for (let next = reader.next(); next !== undefined; next = reader.next()) all.push(next.value);
      return all;
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      throw new JqRefusal(`jq: Bad JSON in --${option} ${name} ${value}: ${error.message}\n`);
    }
  }

  private parse(text: Bytes, message: string): Json {
    try {
      const reader = new JsonReader(text);
      const first = reader.next();
      if (first !== undefined && reader.next() === undefined) return first.value;
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
    }
    return refuse(`jq: ${message}`);
  }
}

const HEAD = [
  'Usage:\tjq [OPTIONS] FILTER [FILES...]',
  '\tjq [OPTIONS] --args FILTER [ARGUMENTS...]',
  '\tjq [OPTIONS] --jsonargs FILTER [JSON_VALUES...]',
  '',
  'jq is a tool for processing JSON inputs, applying the given filter to',
  "its JSON text inputs and producing the filter's results as JSON on",
  'standard output.',
  '',
  "The simplest filter is ., which copies jq's input to its output",
  'unmodified except for formatting. For more advanced filters see',
  'the jq(1) manpage ("man jq") and/or https://jqlang.github.io/jq/.',
  '',
  'Example:\n\n\t$ echo \'{"foo": 0}\' | jq .\n\t{\n\t  "foo": 0\n\t}',
  '',
].join('\n');
const SHORT_USAGE = `${HEAD}\nFor listing the command options, use jq --help.\n`;

export const HELP = `${HEAD}
Command options:
  -n, --null-input          use \`null\` as the single input value;
  -R, --raw-input           read each line as string instead of JSON;
  -s, --slurp               read all inputs into an array and use it as
                            the single input value;
  -c, --compact-output      compact instead of pretty-printed output;
  -r, --raw-output          output strings without escapes and quotes;
      --raw-output0         implies -r and output NUL after each output;
  -j, --join-output         implies -r and output without newline after
                            each output;
  -a, --ascii-output        output strings by only ASCII characters
                            using escape sequences;
  -S, --sort-keys           sort keys of each object on output;
  -C, --color-output        colorize JSON output;
  -M, --monochrome-output   disable colored output;
      --tab                 use tabs for indentation;
      --indent n            use n spaces for indentation (max 7 spaces);
      --unbuffered          flush output stream after each output;
      --stream              parse the input value in streaming fashion;
      --seq                 parse input/output as application/json-seq;
  -f, --from-file file      load filter from the file;
  -L directory              search modules from the directory;
      --arg name value      set $name to the string value;
      --argjson name value  set $name to the JSON value;
      --slurpfile name file set $name to an array of JSON values read
                            from the file;
      --rawfile name file   set $name to string contents of file;
      --args                consume remaining arguments as positional
                            string values;
      --jsonargs            consume remaining arguments as positional
                            JSON values;
  -e, --exit-status         set exit status code based on the output;
  -V, --version             show the version;
  --build-configuration     show jq's build configuration;
  -h, --help                show the help;
  --                        terminates argument processing;

Named arguments are also available as $ARGS.named[], while
positional arguments are available as $ARGS.positional[].
`;
