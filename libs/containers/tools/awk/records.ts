import type { Bytes } from '../../../engine/kernel/bytes.js';
import { waitToRead } from '../../../engine/kernel/process/program.js';
import { trimEnd } from '../names.js';
import { findAll } from '../patterns/posix-regex.js';
import { ToolFailure } from '../framework/tool.js';
import { Cells } from './cells.js';
import { MAX_TEXT, type Reader } from './machine.js';
import { unescapeAwk } from './tokens.js';
import { type Cell, inputCell, numberOf, textOf } from './values.js';

/** Fields of a record, and parts of a text that is split. */
const MAX_PARTS = 100_000;

/** The record with its fields, and where the next one comes from. */
export class Records extends Cells {
  protected setRecord(record: Bytes): void {
    this.machine.record = record;
    this.machine.fields = null;
  }

  protected splitRecord(): Bytes[] {
    return (this.machine.fields ??= this.split(this.machine.record, this.setting('FS', ' '), false));
  }

  protected split(text: Bytes, separator: Bytes, isRegex: boolean): Bytes[] {
    if (text === '') return [];
    this.sys.charge(1 + (text.length >> 4));
    const parts = this.cutText(text, separator, isRegex);
    if (parts.length > MAX_PARTS) throw new ToolFailure('out of memory', 2);
    this.sys.charge(parts.length);
    return parts;
  }

  /** At most one part more than there may be. */
  private cutText(text: Bytes, separator: Bytes, isRegex: boolean): Bytes[] {
    if (separator === ' ' && !isRegex) return text.split(/[ \t\n]+/, MAX_PARTS + 2).filter((word) => word !== '');
    if (separator === '') return text.split('', MAX_PARTS + 1);
    if (separator.length === 1 && separator !== '\\' && !isRegex) return text.split(separator, MAX_PARTS + 1);
    const parts: Bytes[] = [];
    let at = 0;
    for (const match of findAll(this.regex(separator), text)) {
      if (match.end === match.start) continue;
      parts.push(text.slice(at, match.start));
      at = match.end;
      if (parts.length > MAX_PARTS) break;
    }
    parts.push(text.slice(at));
    return parts;
  }

  protected field(index: number): Cell {
    if (index < 0) throw new ToolFailure(`trying to access out of range field ${index}`, 2);
    if (index === 0) return inputCell(this.machine.record);
    const text = this.splitRecord()[index - 1];
    return text === undefined ? null : inputCell(text);
  }

  protected setField(index: number, text: Bytes): void {
    if (index < 0 || index > MAX_PARTS) throw new ToolFailure(`trying to access out of range field ${index}`, 2);
    if (index === 0) return this.setRecord(text);
    const fields = this.splitRecord();
    while (fields.length < index) fields.push('');
    fields[index - 1] = text;
    this.rebuild(fields);
  }

  protected setFieldCount(count: number): void {
    const fields = this.splitRecord().slice(0, Math.max(0, Math.min(count, MAX_PARTS)));
    while (fields.length < count && fields.length < MAX_PARTS) fields.push('');
    this.rebuild(fields);
  }

  protected rebuild(fields: Bytes[]): void {
    this.machine.fields = fields;
    this.machine.record = fields.join(this.setting('OFS', ' '));
  }

  /** A record; null: the end; undefined: it waits. */
  protected readRecord(reader: Reader): Bytes | null | undefined {
    const separator = this.setting('RS', '\n');
    for (;;) {
      const found = this.cutRecord(reader, separator);
      if (found !== undefined) return found;
      if (reader.isEnded) {
        const { rest } = reader;
        reader.rest = '';
        return rest === '' ? null : separator === '' ? trimEnd(rest, '\n') || null : rest;
      }
      const bytes = this.sys.read(reader.descriptor, 32_768);
      if (bytes === undefined) {
        this.wait = waitToRead(reader.descriptor);
        return undefined;
      }
      if (bytes === '') reader.isEnded = true;
      reader.rest += bytes;
      this.sys.charge(1 + (bytes.length >> 4));
      if (reader.rest.length > MAX_TEXT) throw new ToolFailure('out of memory', 2);
    }
  }

  protected cutRecord(reader: Reader, separator: Bytes): Bytes | undefined {
    const { rest } = reader;
    if (separator === '') {
      reader.rest = rest.replace(/^\n+/, '');
      const end = reader.rest.indexOf('\n\n');
      if (end < 0) return undefined;
      const record = reader.rest.slice(0, end);
      const after = reader.rest.slice(end).replace(/^\n+/, '');
      if (after === '' && !reader.isEnded) return undefined;
      reader.rest = after;
      return record;
    }
    if (separator.length === 1) {
      const end = rest.indexOf(separator);
      if (end < 0) return undefined;
      reader.rest = rest.slice(end + 1);
      return rest.slice(0, end);
    }
    const match = this.regex(separator).find(rest);
    // A match at the end of what was read may go on.
    if (match === undefined || match.end === match.start || (match.end === rest.length && !reader.isEnded))
      return undefined;
    reader.rest = rest.slice(match.end);
    return rest.slice(0, match.start);
  }

  /** The next record of the operands' files, or of standard input; null: there is none; undefined: it waits. */
  protected readMain(): Bytes | null | undefined {
    const { machine, sys } = this;
    for (;;) {
      if (machine.main === null && !this.openNext()) return null;
      const record = this.readRecord(machine.main!);
      if (record !== null) return record;
      if (machine.main!.descriptor > 0) sys.close(machine.main!.descriptor);
      machine.main = null;
    }
  }

  protected openNext(): boolean {
    const { machine, sys } = this;
    const args = machine.arrays['g:ARGV'] ?? {};
    while (machine.argument < numberOf(machine.globals['ARGC'] ?? 0)) {
      const text = textOf(args[String(machine.argument++)] ?? null);
      if (text === '') continue;
      const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(text) ?? [];
      if (name !== undefined) {
        machine.globals[name] = inputCell(unescapeAwk(value!));
        continue;
      }
      machine.hasInput = true;
      try {
        const descriptor = text === '-' ? 0 : sys.open(text, { read: true });
        if (sys.fstat(descriptor).type === 'directory') continue;
        machine.main = { descriptor, rest: '', isEnded: false, child: 0 };
      } catch (error) {
        throw new ToolFailure(`cannot open ${text} (${(error as Error).message})`, 2);
      }
      machine.globals['FILENAME'] = text;
      machine.globals['FNR'] = 0;
      return true;
    }
    if (machine.hasInput) return false;
    machine.hasInput = true;
    machine.main = { descriptor: 0, rest: '', isEnded: false, child: 0 };
    return true;
  }

  protected count(...names: string[]): void {
    for (const name of names) this.machine.globals[name] = numberOf(this.machine.globals[name] ?? 0) + 1;
  }
}
