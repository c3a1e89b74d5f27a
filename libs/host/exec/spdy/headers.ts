import { createInflate, type Inflate } from 'node:zlib';
import { SpdyError } from './frames.js';

/** Decompressed; a block of the clients that there are has 100 bytes. */
const MAX_BLOCK_BYTES = 16 * 1024;

const NAMES =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow ' +
  'authorization cache-control connection content-base content-encoding content-language content-length ' +
  'content-location content-md5 content-range content-type date etag expect expires from host if-match ' +
  'if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma ' +
  'proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade ' +
  'user-agent vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie ' +
  'keep-alive origin';
const VALUES =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized' +
  '403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable' +
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT' +
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,' +
  'publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

/** The dictionary that both ends of SPDY/3 begin their compression with (SPDY/3 draft, section 2.6.10.1). */
export const DICTIONARY = Buffer.concat([
  ...NAMES.split(' ').map((name) => encodeText(name.replace('_', ' '))),
  Buffer.from(VALUES, 'latin1'),
]);

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(`\0\0\0\0${text}`, 'latin1');
  bytes.writeUInt32BE(text.length, 0);
  return bytes;
}

/** Names and values before compression. */
export function encodeHeaderBlock(headers: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(headers);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(entries.length, 0);
  return Buffer.concat([count, ...entries.flat().map(encodeText)]);
}

/** Throws SpdyError. */
function parseHeaderBlock(block: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  const readNumber = (): number => {
    if (at + 4 > block.length) throw new SpdyError('a header block that ends early');
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const readText = (): string => {
    const length = readNumber();
    if (at + length > block.length) throw new SpdyError('a header block that ends early');
    at += length;
    return block.toString('latin1', at - length, at);
  };
  const count = readNumber();
  for (let i = 0; i < count; i++) headers.set(readText().toLowerCase(), readText());
  return headers;
}

/** Decompresses the header blocks of one connection, which are one stream of zlib. */
export class HeaderReader {
  private readonly inflate: Inflate = createInflate({ dictionary: DICTIONARY });
  private block: Buffer[] = [];
  private blockBytes = 0;
  private fail: (error: Error) => void = () => undefined;

  constructor() {
    this.inflate.on('data', (bytes: Buffer) => {
      this.block.push(bytes);
      this.blockBytes += bytes.length;
      if (this.blockBytes > MAX_BLOCK_BYTES) this.inflate.destroy(new SpdyError('a header block that is too large'));
    });
    this.inflate.on('error', (error: Error) => this.fail(error));
  }

  /** One block after another. Names are lower case. Rejects with SpdyError. */
  async read(compressed: Buffer): Promise<ReadonlyMap<string, string>> {
    [this.block, this.blockBytes] = [[], 0];
    await new Promise<void>((resolve, reject) => {
      this.fail = (error) => reject(error instanceof SpdyError ? error : new SpdyError(error.message));
      if (this.inflate.destroyed) return reject(new SpdyError('headers after the end'));
      this.inflate.write(compressed, () => resolve());
    });
    return parseHeaderBlock(Buffer.concat(this.block));
  }

  close(): void {
    this.inflate.destroy();
  }
}

const ZLIB_HEADER = Buffer.from([0x78, 0x01]);
const STORED_BLOCK_BYTES = 5;
/** Ends what can be read so far: Go's inflater gives out nothing before. */
const SYNC_FLUSH = Buffer.from([0, 0, 0, 0xff, 0xff]);

/**
 * Writes header blocks as stored blocks of zlib, for every receiver can read those: the headers of answers are few and
 * short, and a compressor holds 256 KiB for each connection.
 */
export class HeaderWriter {
  private hasBegun = false;

  /** At most 64 KiB of headers. */
  write(headers: Readonly<Record<string, string>>): Buffer {
    const block = encodeHeaderBlock(headers);
    const stored = Buffer.alloc(STORED_BLOCK_BYTES);
    stored.writeUInt16LE(block.length, 1);
    stored.writeUInt16LE(~block.length & 0xffff, 3);
    const parts = this.hasBegun ? [stored, block, SYNC_FLUSH] : [ZLIB_HEADER, stored, block, SYNC_FLUSH];
    this.hasBegun = true;
    return Buffer.concat(parts);
  }
}
