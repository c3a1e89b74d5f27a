import type { Bytes } from '../../../engine/kernel/bytes.js';
import { waitForChild } from '../../../engine/kernel/process/program.js';
import { addOutput, flushOutput } from '../framework/output.js';
import { ToolFailure } from '../framework/tool.js';
import { keyOf, MAX_TEXT, type Reader, type Writer } from './machine.js';
import { Records } from './records.js';
import { textOf } from './values.js';

/** Files and commands that a program reads from and prints to. */
export class Streams extends Records {
  /** Starts /bin/sh with this descriptor as its standard input or output. */
  protected spawn(command: Bytes, descriptors: Record<number, number>): number {
    return this.sys.spawn({ path: '/bin/sh', argv: ['sh', '-c', command], descriptors });
  }

  protected readerOf(kind: string, name: Bytes): Reader | undefined {
    const { machine, sys } = this;
    const known = machine.readers[keyOf(name)];
    if (known !== undefined) return known;
    try {
      let reader: Reader;
      if (kind === 'file')
        reader = {
          descriptor: name === '-' || name === '/dev/stdin' ? 0 : sys.open(name, { read: true }),
          rest: '',
          isEnded: false,
          child: 0,
        };
      else {
        flushOutput(machine.output, sys);
        const pipe = sys.pipe();
        const child = this.spawn(name, { 0: 0, 1: pipe.writer, 2: 2 });
        sys.close(pipe.writer);
        reader = { descriptor: pipe.reader, rest: '', isEnded: false, child };
      }
      machine.readers[keyOf(name)] = reader;
      return reader;
    } catch (error) {
      if (error instanceof Error && 'code' in error) return undefined;
      throw error;
    }
  }

  protected writerOf(redirection: string, name: Bytes): number {
    const { machine, sys } = this;
    if (redirection !== '|' && name === '/dev/stdout') return 1;
    if (redirection !== '|' && name === '/dev/stderr') return 2;
    const known = machine.writers[keyOf(name)];
    if (known !== undefined) return known.descriptor;
    let writer: Writer;
    if (redirection === '|') {
      flushOutput(machine.output, sys);
      const pipe = sys.pipe();
      writer = { descriptor: pipe.writer, child: this.spawn(name, { 0: pipe.reader, 1: 1, 2: 2 }) };
      sys.close(pipe.reader);
    } else {
      try {
        const append = redirection === '>>';
        writer = {
          descriptor: sys.open(name, { write: true, create: true, append, truncate: !append }, 0o666),
          child: 0,
        };
      } catch (error) {
        throw new ToolFailure(`cannot open "${name}" for output: ${(error as Error).message}`, 2);
      }
    }
    machine.writers[keyOf(name)] = writer;
    return writer.descriptor;
  }

  protected print(text: Bytes, redirection: string): void {
    const target = redirection === '' ? 1 : this.writerOf(redirection, this.popText());
    addOutput(this.machine.output, target, text);
    this.sys.charge(1 + (text.length >> 6));
    const pending = this.machine.output.reduce((sum, [, bytes]) => sum + bytes.length, 0);
    if (pending > 16_384) flushOutput(this.machine.output, this.sys);
    if (pending > MAX_TEXT) throw new ToolFailure('out of memory', 2);
  }

  protected getline(source: string, hasAddress: boolean): void {
    const { machine } = this;
    if (source === '') {
      const record = this.readMain();
      if (record === undefined) return;
      machine.status = record === null ? 0 : 1;
      machine.line = record;
      if (record !== null) this.count('NR', 'FNR');
      return;
    }
    const depth = hasAddress ? 2 : 1;
    const name = textOf(machine.stack.at(-depth) ?? null, this.convert());
    const reader = this.readerOf(source, name);
    const record = reader === undefined ? null : this.readRecord(reader);
    if (record === undefined) return;
    machine.stack.splice(machine.stack.length - depth, 1);
    machine.status = reader === undefined ? -1 : record === null ? 0 : 1;
    machine.line = record;
    if (record !== null && source === 'command') this.count('NR');
  }

  protected system(): void {
    const { machine, sys } = this;
    if (machine.child === 0) {
      const blocked = flushOutput(machine.output, sys);
      if (blocked !== undefined) {
        this.wait = blocked;
        return;
      }
      machine.child = this.spawn(textOf(machine.stack.at(-1) ?? null), { 0: 0, 1: 1, 2: 2 });
    }
    const ended = sys.wait(machine.child);
    if (ended === undefined) {
      this.wait = waitForChild;
      return;
    }
    machine.child = 0;
    this.pop();
    this.push(ended.state === 'exited' ? ended.code : 256);
  }

  protected close(): void {
    const { machine, sys } = this;
    const name = keyOf(textOf(machine.stack.at(-1) ?? null));
    const open: Writer | undefined = machine.writers[name] ?? machine.readers[name];
    if (open === undefined) {
      this.pop();
      return this.push(-1);
    }
    const blocked = flushOutput(machine.output, sys);
    if (blocked !== undefined) {
      this.wait = blocked;
      return;
    }
    if (open.descriptor > 2) sys.close(open.descriptor);
    open.descriptor = -1;
    const ended = open.child === 0 ? { code: 0 } : sys.wait(open.child);
    if (ended === undefined) {
      this.wait = waitForChild;
      return;
    }
    delete machine.writers[name];
    delete machine.readers[name];
    this.pop();
    this.push(ended.code);
  }
}
