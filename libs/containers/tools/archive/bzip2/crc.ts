const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1;
  return crc;
});

/** The CRC-32 that begins with the highest bit; 0 is that of nothing. */
export function checksum(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) crc = (crc << 8) ^ TABLE[((crc >>> 24) ^ byte) & 255]!;
  return ~crc >>> 0;
}

/** The checksum of a stream, of those of its blocks. */
export const combine = (stream: number, block: number): number => (((stream << 1) | (stream >>> 31)) ^ block) >>> 0;
