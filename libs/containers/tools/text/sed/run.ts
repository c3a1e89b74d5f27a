import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { FilterContext } from '../../framework/filter.js';
import { findAll } from '../../patterns/posix-regex.js';
import { ToolFailure } from '../../framework/tool.js';
import type { Address, Command } from './script.js';
import { commandsOf, emit, flushAppended, printSpace, regexOf, type State } from './state.js';
import { fillReplacement, showLine } from './text.js';

/** Commands for one line. */
const MAX_STEPS = 200_000;

/** The script on one line. */
export class Run {
  private readonly commands: Command[];

  constructor(
    private readonly tool: FilterContext,
    private readonly state: State,
    private readonly isLast: boolean,
  ) {
    this.commands = commandsOf(state);
  }

  run(start: number): number | undefined {
    const { tool, state } = this;
    let at = start;
    for (let steps = 0; at < this.commands.length; steps++) {
      if (steps > MAX_STEPS) throw new ToolFailure('the script does not end for this line');
      const command = this.commands[at]!;
      tool.sys.charge(1);
      if (!this.selects(command, at)) {
        at = command.name === '{' ? command.target + 1 : at + 1;
        continue;
      }
      const next = this.execute(command, at);
      if (typeof next === 'object') return next.code;
      at = next;
    }
    if (!state.isQuiet) printSpace(tool, state);
    flushAppended(tool, state);
    return undefined;
  }

  private matches(address: Address): boolean {
    const { state } = this;
    if (address.type === 'last') return this.isLast;
    if (address.type === 'regex')
      return regexOf(state, address.pattern, address.ignoreCase ? 'i' : '').test(state.space);
    if (address.type === 'offset' || address.type === 'multiple') return false;
    if (address.step === undefined) return state.line === address.line;
    return address.step === 0
      ? state.line === address.line
      : state.line >= address.line && (state.line - address.line) % address.step === 0;
  }

  private selects(command: Command, index: number): boolean {
    const { from, to, isNegated } = command;
    if (from === undefined) return !isNegated;
    if (to === undefined) return this.matches(from) !== isNegated;
    return this.isInRange(from, to, index) !== isNegated;
  }

  /** `ranges` has for each open range the line where it ends, or 0 when an expression or `$` ends it. */
  private isInRange(from: Address, to: Address, index: number): boolean {
    const { ranges, line } = this.state;
    const key = String(index);
    const end = ranges[key];
    if (end === undefined) {
      const isZero = from.type === 'line' && from.line === 0 && line === 1;
      if (!isZero && !this.matches(from)) return false;
      if (to.type === 'line' && to.line > line) ranges[key] = to.line;
      else if (to.type === 'offset' && to.lines > 0) ranges[key] = line + to.lines;
      else if (to.type === 'multiple' && to.lines > 0 && line % to.lines > 0) {
        ranges[key] = Math.ceil(line / to.lines) * to.lines;
      } else if (to.type === 'last' || to.type === 'regex') ranges[key] = 0;
      if (isZero && to.type === 'regex' && this.matches(to)) delete ranges[key];
      return true;
    }
    if (end > 0) {
      if (line >= end) delete ranges[key];
      // Where a command has read past the end, a counted range acts once more.
      return to.type !== 'line' || line <= end;
    }
    if (this.matches(to)) delete ranges[key];
    return true;
  }

  /** The next command's index, or the end of the cycle. */
  private execute(command: Command, at: number): number | { code: number | undefined } {
    const { tool, state } = this;
    const cycle = { code: undefined };
    switch (command.name) {
      case '=':
        emit(tool, state, `${state.line}\n`);
        break;
      case 'a':
        state.appended.push(['text', command.text]);
        break;
      case 'i':
        emit(tool, state, command.text);
        break;
      case 'c':
        if (command.to === undefined || command.isNegated || state.ranges[String(at)] === undefined)
          emit(tool, state, command.text);
        flushAppended(tool, state);
        return cycle;
      case 'b':
        return command.target;
      case 't':
      case 'T': {
        const jumps = state.hasSubstituted === (command.name === 't');
        state.hasSubstituted = false;
        if (jumps) return command.target;
        break;
      }
      case 'd':
        flushAppended(tool, state);
        return cycle;
      case 'D': {
        const newline = state.space.indexOf('\n');
        if (newline < 0) {
          flushAppended(tool, state);
          return cycle;
        }
        state.space = state.space.slice(newline + 1);
        flushAppended(tool, state);
        return 0;
      }
      case 'g':
        state.space = state.hold;
        break;
      case 'G':
        this.grow(`${state.space}\n${state.hold}`);
        break;
      case 'h':
        state.hold = state.space;
        break;
      case 'H':
        this.grow(state.space);
        state.hold = `${state.hold}\n${state.space}`;
        break;
      case 'x':
        [state.space, state.hold] = [state.hold, state.space];
        break;
      case 'l':
        emit(tool, state, `${showLine(state.space)}\n`);
        break;
      case 'n':
      case 'N':
        return this.nextLine(command.name, at);
      case 'p':
        emit(tool, state, `${state.space}${state.ending}`);
        break;
      case 'P':
        emit(tool, state, `${state.space.split('\n')[0]}\n`);
        break;
      case 'q':
        if (!state.isQuiet) printSpace(tool, state);
        flushAppended(tool, state);
        return { code: command.number };
      case 'Q':
        return { code: command.number };
      case 'r':
        state.appended.push(['file', command.text]);
        break;
      case 's':
        this.substitute(command);
        break;
      case 'w':
        this.writeFile(command.text, `${state.space}\n`);
        break;
      case 'y':
        state.space = [...state.space]
          .map((c) => (command.text.includes(c) ? command.other[command.text.indexOf(c)]! : c))
          .join('');
        break;
      case 'z':
        state.space = '';
        break;
      case 'F':
        emit(tool, state, `${state.path}\n`);
        break;
    }
    return at + 1;
  }

  private grow(space: Bytes): void {
    if (space.length + this.state.hold.length > 4 << 20) throw new ToolFailure('memory exhausted', 4);
    this.state.space = space;
  }

  private nextLine(name: string, at: number): number | { code: number | undefined } {
    const { tool, state } = this;
    if (this.isLast) {
      if (!state.isQuiet) printSpace(tool, state);
      flushAppended(tool, state);
      return { code: state.isSeparate ? undefined : state.code };
    }
    if (name === 'n') {
      if (!state.isQuiet) printSpace(tool, state);
      flushAppended(tool, state);
    }
    state.isJoining = name === 'N';
    state.resumeAt = at + 1;
    return { code: undefined };
  }

  private writeFile(path: Bytes, text: Bytes): void {
    const { tool, state } = this;
    if (path === '/dev/stdout') return emit(tool, state, text);
    if (path === '/dev/stderr') return tool.err(text);
    state.files[path] ??= tool.sys.open(path, { write: true, create: true, truncate: true });
    tool.sys.write(state.files[path], text);
  }

  private substitute(command: Command): void {
    const { tool, state } = this;
    const regex = regexOf(state, command.pattern, command.flags);
    const first = Math.max(1, command.number);
    let [result, at, count] = ['', 0, 0];
    let isChanged = false;
    for (const match of findAll(regex, state.space)) {
      count++;
      if (count < first) continue;
      if (count > first && !command.flags.includes('g')) break;
      isChanged = true;
      result += state.space.slice(at, match.start) + fillReplacement(command.other, match);
      at = match.end;
      if (result.length > 4 << 20) throw new ToolFailure('memory exhausted', 4);
    }
    if (!isChanged) return;
    state.space = result + state.space.slice(at);
    state.hasSubstituted = true;
    if (command.flags.includes('p')) emit(tool, state, `${state.space}${state.ending}`);
    if (command.flags.includes('w')) this.writeFile(command.text, `${state.space}\n`);
  }
}
