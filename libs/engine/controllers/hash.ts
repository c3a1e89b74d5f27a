import { canonicalJson } from './canonical-json.js';

const ALPHANUMS = 'bcdfghjklmnpqrstvwxz2456789';

/** Spells a text in letters that make no words. Models apimachinery/pkg/util/rand SafeEncodeString. */
export function safeEncodeString(text: string): string {
  let encoded = '';
  for (let i = 0; i < text.length; i++) encoded += ALPHANUMS[text.charCodeAt(i) % ALPHANUMS.length];
  return encoded;
}

/** FNV-1a, 32 bits, over UTF-16 code units. */
export function fnv32a(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** Names a template's content: 'pod-template-hash'. Models pkg/controller/controller_utils.go ComputeHash. */
export const computeHash = (content: unknown, collisionCount?: number): string =>
  safeEncodeString(String(fnv32a(canonicalJson(content) + (collisionCount === undefined ? '' : `#${collisionCount}`))));
