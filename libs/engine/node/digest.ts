import { hash32 } from '../machinery/random.js';

/** 64 hexadecimal digits that follow from a text: stands for SHA-256 where only the look matters. */
export function digestOf(text: string): string {
  let digits = '';
  for (let salt = 1; digits.length < 64; salt++) digits += hash32(text, salt).toString(16).padStart(8, '0');
  return digits;
}
