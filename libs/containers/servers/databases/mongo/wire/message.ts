import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import type { Document } from '../data/value.js';
import { decodeDocument, encodeDocument, int32, readInt32 } from './bson.js';

/** A command, from OP_MSG or from the OP_QUERY that older drivers begin with. */
export interface Command {
  readonly id: number;
  readonly opcode: number;
  readonly document: Document;
  /** The bytes that it took. */
  readonly length: number;
  /** The client wants no answer. */
  readonly isSilent: boolean;
}

const [OP_REPLY, OP_QUERY, OP_MSG] = [1, 2_004, 2_013];
const HEADER = 16;
const MAX_MESSAGE = 4 << 20;
const MORE_TO_COME = 2;

/** Undefined: it is not whole. 'bad': no command. */
export function takeCommand(received: Bytes): Command | 'bad' | undefined {
  if (received.length < HEADER) return undefined;
  const length = readInt32(received, 0);
  if (length < HEADER + 5 || length > MAX_MESSAGE) return 'bad';
  if (received.length < length) return undefined;
  const bytes = received.slice(0, length);
  const [id, opcode] = [readInt32(bytes, 4), readInt32(bytes, 12)];
  try {
    if (opcode === OP_MSG)
      return {
        id,
        opcode,
        length,
        document: readSections(bytes),
        isSilent: (readInt32(bytes, HEADER) & MORE_TO_COME) !== 0,
      };
    if (opcode !== OP_QUERY) return 'bad';
    const end = bytes.indexOf('\0', HEADER + 4);
    const document = decodeDocument(bytes, end + 9);
    const $db = bytes.slice(HEADER + 4, end).replace(/\.\$cmd$/, '');
    return { id, opcode, length, document: { ...document, $db }, isSilent: false };
  } catch (error) {
    if (error instanceof RangeError) return 'bad';
    throw error;
  }
}

/** The body, and the sequences of documents that stand apart from it. */
function readSections(bytes: Bytes): Document {
  let document: Document = {};
  let at = HEADER + 4;
  while (at < bytes.length) {
    const kind = bytes.charCodeAt(at++);
    const size = readInt32(bytes, at);
    if (size < 5 || at + size > bytes.length) {
      // Four bytes at the end are a checksum.
      if (bytes.length - at <= 4) break;
      throw new RangeError('bad section');
    }
    if (kind === 0) document = { ...decodeDocument(bytes, at), ...document };
    else if (kind === 1) {
      const nameEnd = bytes.indexOf('\0', at + 4);
      const documents: Document[] = [];
      for (let from = nameEnd + 1; from < at + size; from += readInt32(bytes, from))
        documents.push(decodeDocument(bytes, from));
      document = { ...document, [bytes.slice(at + 4, nameEnd)]: documents };
    } else throw new RangeError('bad section');
    at += size;
  }
  return document;
}

const frame = (id: number, to: number, opcode: number, body: Bytes): Bytes =>
  int32(HEADER + body.length) + int32(id) + int32(to) + int32(opcode) + body;

/** A server's answer in the form of what was asked. */
export function formatReply(command: Pick<Command, 'id' | 'opcode'>, answer: Document): Bytes {
  const document = encodeDocument(answer);
  if (command.opcode === OP_MSG) return frame(0, command.id, OP_MSG, `${int32(0)}\0${document}`);
  return frame(0, command.id, OP_REPLY, `${int32(8)}${'\0'.repeat(8)}${int32(0)}${int32(1)}${document}`);
}

/** A client's command. */
export const formatCommand = (id: number, document: Document): Bytes =>
  frame(id, 0, OP_MSG, `${int32(0)}\0${encodeDocument(document)}`);
