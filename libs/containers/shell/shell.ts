import type { LogLine, PodHttpAnswer, PodHttpRequest } from '@terrarium/engine';
import { commands } from './commands.js';
import { Exit, LoopControl, type Running } from './control.js';
import { expandWord, expandWords } from './expand.js';
import { parse, SyntaxProblem, type Node, type Redirect } from './parse.js';

export interface World {
  /** Virtual time of the start, in ms since the epoch. */
  readonly startedAt: number;
  readonly env: Readonly<Record<string, string>>;
  readonly hostname: string;
  /** Where volumes are mounted: their files exist, with contents nobody knows. */
  readonly mounts: readonly string[];
  resolves(host: string, at: number): boolean;
  connects(host: string, port: number, at: number): boolean;
  /** Asks an HTTP server; without it nobody tells what it answers. */
  fetch?(host: string, request: PodHttpRequest): PodHttpAnswer | undefined;
}

const MAX_LINES = 5_000;
const MAX_KEPT = 2 * 1024 * 1024;
const MAX_FILE = 64 * 1024;
const MAX_VALUE = 64 * 1024;
const MAX_FILES = 200;
const MAX_DEPTH = 40;
/** A loop that does nothing but turn still takes a little time. */
export const STEP_MS = 1;

/** A shell script that runs in virtual time: pure, resumable, bounded. It knows the commands that manifests use. */
export class Shell {
  /** ms since the start. */
  now = 0;
  steps = 0;
  status = 0;
  /** Hosts that did not answer when they were last asked: what happens next depends on the cluster. */
  readonly missing = new Set<string>();
  readonly lines: LogLine[] = [];
  readonly variables = new Map<string, string>();
  readonly files = new Map<string, string>();
  /** When files appeared and went, for probes that look at them. */
  readonly fileTimes: { readonly at: number; readonly path: string; readonly exists: boolean }[] = [];
  private partial = '';
  /** Characters of all lines. */
  private kept = 0;
  /** The last line has no end of its own. */
  private openEnd = false;
  private readonly captures: string[] = [];
  private depth = 0;
  stdin = '';
  /** It has been told to exit. */
  left = false;

  constructor(readonly world: World) {
    for (const name in world.env) this.variables.set(name, world.env[name]!);
  }

  write(text: string): void {
    if (this.captures.length > 0) {
      if (this.captures.at(-1)!.length < MAX_FILE) this.captures[this.captures.length - 1] += text;
      return;
    }
    this.partial += text;
    let end: number;
    while ((end = this.partial.indexOf('\n')) >= 0) {
      this.lines.push({ at: this.now, text: this.partial.slice(0, end) });
      this.kept += end;
      this.openEnd = false;
      this.partial = this.partial.slice(end + 1);
      while (this.lines.length > MAX_LINES || this.kept > MAX_KEPT) this.kept -= this.lines.shift()!.text.length;
    }
    if (this.partial.length > MAX_FILE) this.flush();
  }

  /** Everything written so far, to the letter. */
  get text(): string {
    const whole = this.lines.map((l) => `${l.text}\n`).join('');
    return this.openEnd ? whole.slice(0, -1) : whole + this.partial;
  }

  flush(): void {
    this.openEnd = this.partial !== '';
    if (this.partial) this.lines.push({ at: this.now, text: this.partial });
    this.partial = '';
  }

  setFile(path: string, text: string | undefined): void {
    const existed = this.files.has(path);
    if (text === undefined) this.files.delete(path);
    else if (existed || this.files.size < MAX_FILES) this.files.set(path, text.slice(-MAX_FILE));
    if (existed !== (text !== undefined) && this.fileTimes.length < 1000)
      this.fileTimes.push({ at: this.now, path, exists: text !== undefined });
  }

  *sleep(ms: number): Running {
    this.now += ms;
    yield;
    return 0;
  }

  *script(text: string): Running {
    let node: Node;
    try {
      node = parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error;
      this.write(`sh: ${error.message}\n`);
      return 2;
    }
    return yield* this.run(node);
  }

  /** Runs and gives what was written. */
  *capture(body: () => Running): Generator<void, string, void> {
    const depth = this.captures.push('');
    try {
      this.status = yield* body();
    } catch (error) {
      if (!(error instanceof Exit)) {
        this.captures.length = depth - 1;
        throw error;
      }
      this.status = error.code;
    }
    return this.captures.pop()!;
  }

  *run(node: Node): Running {
    if (++this.depth > MAX_DEPTH) throw new Exit(2);
    try {
      this.status = yield* this.dispatch(node);
      return this.status;
    } finally {
      this.depth--;
    }
  }

  private *dispatch(node: Node): Running {
    this.steps++;
    if (this.steps % 64 === 0) yield;
    switch (node.type) {
      case 'simple':
        return yield* this.simple(node);
      case 'seq': {
        let status = 0;
        for (const item of node.items) {
          status = yield* this.run(item);
          if (status !== 0 && this.variables.get('-e') === '1' && item.type === 'simple') throw new Exit(status);
        }
        return status;
      }
      case 'and':
        return (yield* this.run(node.left)) === 0 ? yield* this.run(node.right) : this.status;
      case 'or':
        return (yield* this.run(node.left)) !== 0 ? yield* this.run(node.right) : 0;
      case 'not':
        return (yield* this.run(node.body)) === 0 ? 1 : 0;
      case 'group':
        return yield* this.subshell(node.body);
      // What runs beside the script is not followed: it would need a second clock.
      case 'background':
        return 0;
      case 'pipe':
        return yield* this.pipe(node.parts);
      case 'if': {
        for (const { test, body } of node.branches) if ((yield* this.run(test)) === 0) return yield* this.run(body);
        return node.otherwise ? yield* this.run(node.otherwise) : 0;
      }
      case 'while':
        return yield* this.loop(node);
      case 'for':
        return yield* this.each(node);
    }
  }

  private *subshell(body: Node): Running {
    try {
      return yield* this.run(body);
    } catch (error) {
      if (error instanceof Exit) return error.code;
      throw error;
    }
  }

  private *pipe(parts: readonly Node[]): Running {
    let input = '';
    for (const part of parts.slice(0, -1)) {
      this.stdin = input;
      input = yield* this.capture(() => this.run(part));
    }
    this.stdin = input;
    const status = yield* this.run(parts.at(-1)!);
    this.stdin = '';
    return status;
  }

  private *loop(node: Extract<Node, { type: 'while' }>): Running {
    let status = 0;
    for (;;) {
      const before = this.now;
      if (((yield* this.run(node.test)) === 0) === node.until) return status;
      const turn = yield* this.turn(node.body);
      if (turn === 'break') return 0;
      status = this.status;
      if (this.now === before) {
        this.now += STEP_MS;
        yield;
      }
    }
  }

  private *each(node: Extract<Node, { type: 'for' }>): Running {
    for (const word of yield* expandWords(this, node.words)) {
      this.variables.set(node.name, word);
      if ((yield* this.turn(node.body)) === 'break') break;
    }
    return 0;
  }

  private *turn(body: Node): Generator<void, 'break' | 'next', void> {
    try {
      yield* this.run(body);
    } catch (error) {
      if (!(error instanceof LoopControl)) throw error;
      if (error.kind === 'break') return 'break';
    }
    return 'next';
  }

  private *simple(node: Extract<Node, { type: 'simple' }>): Running {
    for (const [name, value] of node.assigns)
      this.variables.set(name, (yield* expandWord(this, value)).slice(0, MAX_VALUE));
    const words = yield* expandWords(this, node.words);
    if (words.length === 0) return node.assigns.length > 0 ? 0 : this.status;
    return node.redirects.length === 0 ? yield* this.call(words) : yield* this.redirected(words, node.redirects);
  }

  private *redirected(words: readonly string[], redirects: readonly Redirect[]): Running {
    const out = redirects.find((r) => r.fd === '1' && (r.op === '>' || r.op === '>>'));
    const from = redirects.find((r) => r.op === '<');
    if (from) this.stdin = this.files.get(yield* expandWord(this, from.target)) ?? '';
    if (!out) return yield* this.call(words);
    const target = yield* expandWord(this, out.target);
    const text = yield* this.capture(() => this.call(words));
    const status = this.status;
    if (target === '/dev/stdout' || target === '/dev/stderr' || target.startsWith('/proc/1/fd/')) this.write(text);
    else if (target !== '/dev/null')
      this.setFile(target, out.op === '>>' ? (this.files.get(target) ?? '') + text : text);
    return status;
  }

  *call(words: readonly string[]): Running {
    const name = words[0]!.split('/').at(-1)!;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    return command ? yield* command(this, words.slice(1)) : yield* unknown(this, words[0]!);
  }
}

/** A program nobody models: it does its work in a moment and is content. */
function* unknown(shell: Shell, _name: string): Running {
  yield* shell.sleep(1000);
  return 0;
}
