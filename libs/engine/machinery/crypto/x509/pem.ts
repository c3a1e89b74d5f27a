import { decodeBase64, decodeBase64Text, encodeBase64 } from '../../text/base64.js';

const BEGIN = '-----BEGIN ';
const END = '\n-----END ';
const DASHES = '-----';
const BODY = /^[A-Za-z0-9+/=\s]*$/;
const MAX_BLOCKS = 100;

export interface PemBlock {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** 'Proc-Type: …' lines before the body. */
  readonly hasHeaders: boolean;
}

/**
 * The PEM blocks of a text (RFC 7468); what is between them is skipped. A block begins at the last BEGIN before an END
 * line. Models encoding/pem Decode.
 */
export function decodePem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let from = 0;
  for (let end = text.indexOf(END); end >= 0 && blocks.length < MAX_BLOCKS; end = text.indexOf(END, from)) {
    const segment = text.slice(from, end + 1);
    from = end + END.length;
    const begin = segment.lastIndexOf(BEGIN);
    const isAtLineStart = begin === 0 || segment[begin - 1] === '\n';
    const block = begin >= 0 && isAtLineStart ? decodeBlock(segment.slice(begin + BEGIN.length)) : undefined;
    if (block && lineAt(text, from) === block.type + DASHES) blocks.push(block);
  }
  return blocks;
}

/** The block of a text that begins with its type and ends before its END line; undefined when it is none. */
function decodeBlock(text: string): PemBlock | undefined {
  const typeLine = lineAt(text, 0);
  if (!typeLine.endsWith(DASHES)) return undefined;
  const start = nextLine(text, 0);
  let body = start;
  while (lineAt(text, body).includes(':')) body = nextLine(text, body);
  const inside = text.slice(body);
  if (!BODY.test(inside)) return undefined;
  return { type: typeLine.slice(0, -DASHES.length), bytes: decodeBase64(inside), hasHeaders: body > start };
}

/** The line that begins at the index, without white space at its end. */
const lineAt = (text: string, start: number): string => text.slice(start, nextLine(text, start)).trimEnd();

const nextLine = (text: string, start: number): number => {
  const newline = text.indexOf('\n', start);
  return newline < 0 ? text.length : newline + 1;
};

export const encodePem = (type: string, bytes: Uint8Array): string =>
  `-----BEGIN ${type}-----\n${encodeBase64(bytes)
    .match(/.{1,64}/g)!
    .join('\n')}\n-----END ${type}-----\n`;

/**
 * Why a base64-encoded bundle of authorities cannot be loaded, in client-go's words; undefined when it can be, or when
 * it is empty.
 */
export const caBundleFault = (caBundle: string | undefined): string | undefined =>
  caBundle && !decodeBase64Text(caBundle).includes('-----BEGIN CERTIFICATE-----')
    ? 'unable to load root certificates: unable to parse bytes as PEM block'
    : undefined;
