/** Addresses that begin with the same bits. Texts are as inet_ntop prints them. */
export interface Prefix {
  readonly text: string;
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[];
  readonly bits: number;
}

/** Characters of '/32' and '/128'. */
const WHOLE: Readonly<Record<number, number>> = { 4: 3, 16: 4 };

/** The prefix that '10.0.0.0/8', '10.0.0.1' or 'fd00::/8' stands for. Throws RangeError for any other text. */
export function prefixOf(text: string): Prefix {
  const slash = text.indexOf('/');
  const bytes = bytesOfAddress(slash < 0 ? text : text.slice(0, slash));
  const bits = slash < 0 ? (bytes?.length ?? 0) * 8 : Number(text.slice(slash + 1));
  if (bytes === undefined || !Number.isInteger(bits) || bits < 0 || bits > bytes.length * 8)
    throw new RangeError(`no prefix: ${text}`);
  return { text: slash < 0 ? `${text}/${bits}` : text, bytes, bits };
}

/** Whether an address is in a prefix; never when their families differ. */
export function isInPrefix({ text, bytes, bits }: Prefix, address: string): boolean {
  if (bits === bytes.length * 8)
    return text.length - WHOLE[bytes.length]! === address.length && text.startsWith(address);
  const own = bytesOfAddress(address);
  if (own?.length !== bytes.length) return false;
  const whole = bits >> 3;
  for (let i = 0; i < whole; i++) if (own[i] !== bytes[i]) return false;
  const mask = 0xff & ~(0xff >> (bits & 7));
  return mask === 0 || (own[whole]! & mask) === (bytes[whole]! & mask);
}

/** Texts and their bytes: a walk asks the same few addresses of rule after rule. */
// oxlint-disable-next-line house/no-module-state -- a text's bytes are the same everywhere, and nothing else is kept
const known = new Map<string, readonly number[] | undefined>();
const MAX_KNOWN = 1_024;

/** The bytes of an address; undefined when the text is none. */
export function bytesOfAddress(text: string): readonly number[] | undefined {
  const found = known.get(text);
  if (found) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const read = text.includes(':') ? bytesOf6(text) : bytesOf4(text);
  known.set(text, read);
  return read;
}

/** A dot's place before the digits. */
const DOT = 46 - 48;

function bytesOf4(text: string): number[] | undefined {
  const bytes: number[] = [];
  let value = -1;
  for (let i = 0; i <= text.length; i++) {
    const digit = i < text.length ? text.charCodeAt(i) - 48 : DOT;
    if (digit === DOT) {
      if (value < 0 || bytes.length === 4) return undefined;
      bytes.push(value);
      value = -1;
    } else if (digit < 0 || digit > 9 || value > 25) return undefined;
    else value = (value < 0 ? 0 : value) * 10 + digit;
    if (value > 255) return undefined;
  }
  return bytes.length === 4 ? bytes : undefined;
}

function bytesOf6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2 || text.length > 45) return undefined;
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head!.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head!, ...Array.from({ length: tail ? missing : 0 }, () => '0'), ...(tail ?? [])];
  const bytes: number[] = [];
  for (const group of groups) {
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined;
    const value = Number.parseInt(group, 16);
    bytes.push(value >> 8, value & 0xff);
  }
  return bytes;
}
