import { decodeBase64, decodeBase64Text, encodeBase64 } from '../../base64.js';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)-----END \1-----/g;
const HEADER = /^[A-Za-z-]+:/m;
const BODY = /^[A-Za-z0-9+/=\s]*$/;
const MAX_BLOCKS = 100;

export interface PemBlock {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** 'Proc-Type: …' lines before the body. */
  readonly hasHeaders: boolean;
}

/** The PEM blocks of a text (RFC 7468); what is between them is skipped. Models encoding/pem. */
export function decodePem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (const [, type = '', inside = ''] of text.matchAll(BLOCK)) {
    const hasHeaders = HEADER.test(inside);
    const body = hasHeaders ? inside.slice(inside.search(/\r?\n\r?\n/) + 1) : inside;
    if (BODY.test(body)) blocks.push({ type, bytes: decodeBase64(body), hasHeaders });
    if (blocks.length === MAX_BLOCKS) break;
  }
  return blocks;
}

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
