import { createGunzip, createGzip } from 'node:zlib';
import { Readable, type Transform } from 'node:stream';
import { ApiError, ImportedState, withoutAuthority, type CheckpointState } from '@terrarium/engine';
import { z } from 'zod';
import { Refusal } from '../refusal.js';

/**
 * A cluster as one file: gzip of lines of JSON. The first line is the header, the last one counts the objects, and each
 * of those between is one object with its resource.
 */
export const FORMAT = 'terrarium.dev/cluster';
const VERSION = 1;
/** Of the file, and of its text. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_TEXT_BYTES = 192 * 1024 * 1024;
const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;
const MAX_OBJECTS = 100_000;
const MAX_REVISION = 10 ** 12;
/** Objects between two rounds of the event loop. */
const OBJECTS_AT_ONCE = 100;
const LINE_END = 10;

const Header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  name: z.string().min(1).max(63),
  template: z.string().max(63),
  speed: z.enum(['realistic', 'instant']),
  seed: z.string().min(1).max(64),
  release: z.string().max(16).optional(),
  revision: z.int().min(1).max(MAX_REVISION),
  now: z.int().min(0).max(8.64e15),
  authority: z.string().max(4_096),
});
const Footer = z.strictObject({ objects: z.int() });

export type ClusterFileHeader = Omit<z.infer<typeof Header>, 'format' | 'version'>;

/** The bytes of a file, made as they are read. */
export function writeClusterFile(header: ClusterFileHeader, { objects }: CheckpointState): Transform {
  function* lines(): Generator<string> {
    yield `${JSON.stringify({ format: FORMAT, version: VERSION, ...header })}\n`;
    for (const { resource, object } of objects) yield `${JSON.stringify({ resource, object })}\n`;
    yield `${JSON.stringify({ objects: objects.length })}\n`;
  }
  const gzip = createGzip({ level: 1 });
  Readable.from(lines())
    .on('error', (error) => gzip.destroy(error))
    .pipe(gzip);
  return gzip;
}

/** A state that came in a file, without the certificate of the cluster that it was of. */
export interface ReadClusterFile {
  readonly header: ClusterFileHeader;
  readonly state: CheckpointState;
  readonly nodes: number;
}

/** Reads a file that anybody may have written. Throws Refusal 400 and 413, and ApiError 400. */
export async function readClusterFile(file: Uint8Array): Promise<ReadClusterFile> {
  let header: ClusterFileHeader | undefined;
  let state: ImportedState | undefined;
  let isComplete = false;
  for await (const line of linesOf(file)) {
    if (isComplete) throw refusal('there are lines behind the last one');
    const value = parseLine(line);
    if (!header || !state) {
      header = parsePart(Header, value);
      state = new ImportedState(header.revision, header.now);
    } else if (typeof value === 'object' && value !== null && 'objects' in value) {
      if (parsePart(Footer, value).objects !== state.size) throw refusal('objects are missing');
      isComplete = true;
    } else add(state, value);
    if (state.size % OBJECTS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (!header || !state || !isComplete) throw refusal('it ends early');
  return { header, state: withoutAuthority(state.finish(), header.authority), nodes: state.count('nodes') };
}

function add(state: ImportedState, value: unknown): void {
  if (state.size === MAX_OBJECTS) throw new Refusal(413, `the file has more than ${MAX_OBJECTS} objects`);
  try {
    state.add(value);
  } catch (error) {
    throw error instanceof ApiError ? refusal(error.message) : error;
  }
}

const refusal = (why: string): Refusal => new Refusal(400, `this is no file of a cluster: ${why}`);

async function* linesOf(file: Uint8Array): AsyncGenerator<string> {
  const gunzip = createGunzip();
  gunzip.end(file);
  let pending: Buffer[] = [];
  let [bytes, pendingBytes] = [0, 0];
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_TEXT_BYTES) throw new Refusal(413, `the file has more than ${MAX_TEXT_BYTES} bytes of text`);
      let start = 0;
      for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
        yield Buffer.concat([...pending, chunk.subarray(start, end)]).toString();
        [pending, pendingBytes, start] = [[], 0, end + 1];
      }
      pending.push(chunk.subarray(start));
      pendingBytes += chunk.length - start;
      if (pendingBytes > MAX_LINE_CHARACTERS) throw new Refusal(413, 'a line of the file is too long');
    }
  } catch (error) {
    throw error instanceof Refusal || error instanceof ApiError ? error : refusal('it is not compressed by gzip');
  }
  if (pendingBytes > 0) throw refusal('it ends early');
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The caller is told.
    throw refusal('a line is no JSON');
  }
}

function parsePart<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refusal(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
