import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { type Bytes, toArray } from '../../../../engine/kernel/bytes.js';
import { openFailure } from '../../filter.js';
import { splitLines } from '../../format.js';
import { parseOptions } from '../../options.js';
import { defineTool, strerror, type Tool, type ToolContext } from '../../tool.js';
import { readEach } from '../lines/lines.js';

type Digest = (bytes: Uint8Array) => Uint8Array;

const OPTIONS = [
  'b,binary',
  'c,check',
  't,text',
  'z,zero',
  'tag',
  'quiet',
  'status',
  'ignore-missing',
  'strict',
  'w,warn',
  's',
];

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function sumTool(name: string, digest: Digest): Tool {
  return defineTool(
    (tool) => {
      const options = parseOptions(tool, OPTIONS);
      const sum = (text: Bytes) => {
        tool.sys.charge(text.length >> 2);
        return hex(digest(toArray(text)));
      };
      if (options.has('c'))
        return checkSums(tool, options.operands, sum, options.has('quiet'), options.has('status', 's'));
      return readEach(tool, options.operands, (text, path) => {
        const line = options.has('tag')
          ? `${name} (${path}) = ${sum(text)}`
          : `${sum(text)} ${options.has('b') ? '*' : ' '}${path}`;
        tool.out(line + (options.has('z') ? '\0' : '\n'));
      });
    },
    { usage: '[OPTION]... [FILE]...' },
  );
}

function checkSums(
  tool: ToolContext,
  lists: readonly Bytes[],
  sum: (text: Bytes) => string,
  isQuiet: boolean,
  isSilent: boolean,
): number {
  let [failed, missing, read, wrong] = [0, 0, 0, 0];
  const code = readEach(tool, lists, (text, list) => {
    let found = 0;
    for (const line of splitLines(text)) {
      const [, expected, path] = /^([\da-fA-F]{32,128}) [ *](.+)$/.exec(line) ?? [];
      if (expected === undefined || path === undefined) {
        wrong++;
        continue;
      }
      found++;
      read++;
      try {
        const isRight = sum(tool.input(path)) === expected.toLowerCase();
        if (!isRight) failed++;
        if (!isSilent && !(isRight && isQuiet)) tool.out(`${path}: ${isRight ? 'OK' : 'FAILED'}\n`);
      } catch (error) {
        missing++;
        tool.warn(openFailure(tool.flavour, path, strerror(error)));
        if (!isSilent) tool.out(`${path}: FAILED${tool.flavour === 'gnu' ? ' open or read' : ''}\n`);
      }
    }
    if (found === 0)
      tool.warn(
        tool.flavour === 'gnu' ? `${list}: no properly formatted checksum lines found` : 'no checksum lines found',
      );
  });
  const plural = (n: number, one: string, many: string) => `WARNING: ${n} ${n === 1 ? one : many}`;
  if (tool.flavour === 'busybox') {
    const bad = failed + missing;
    if (bad > 0 && !isSilent) tool.warn(`WARNING: ${bad} of ${read} computed checksums did NOT match`);
  } else if (!isSilent) {
    if (wrong > 0 && read > 0)
      tool.warn(plural(wrong, 'line is improperly formatted', 'lines are improperly formatted'));
    if (missing > 0) tool.warn(plural(missing, 'listed file could not be read', 'listed files could not be read'));
    if (failed > 0) tool.warn(plural(failed, 'computed checksum did NOT match', 'computed checksums did NOT match'));
  }
  return code !== 0 || failed + missing > 0 || read === 0 ? 1 : 0;
}

export const md5sum = sumTool('MD5', md5);
export const sha1sum = sumTool('SHA1', sha1);
export const sha224sum = sumTool('SHA224', sha224);
export const sha256sum = sumTool('SHA256', sha256);
export const sha384sum = sumTool('SHA384', sha384);
export const sha512sum = sumTool('SHA512', sha512);

const CRC_TABLE = Array.from({ length: 256 }, (_, i) => {
  let crc = i << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

export const cksum = defineTool((tool) =>
  readEach(tool, parseOptions(tool, []).operands, (text, path) => {
    let crc = 0;
    const add = (byte: number) => (crc = ((crc << 8) ^ CRC_TABLE[((crc >>> 24) ^ byte) & 255]!) >>> 0);
    for (let i = 0; i < text.length; i++) add(text.charCodeAt(i));
    for (let length = text.length; length > 0; length = Math.floor(length / 256)) add(length & 255);
    tool.out(`${~crc >>> 0} ${text.length}${path === '-' ? '' : ` ${path}`}\n`);
  }),
);
