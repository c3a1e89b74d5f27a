/** Bytes as a string of characters 0 to 255, as processes and connections have them. */
export function fromBytes(array: Uint8Array): string {
  const CHUNK = 8_192;
  let text = '';
  for (let at = 0; at < array.length; at += CHUNK)
    text += Reflect.apply(String.fromCharCode, undefined, array.subarray(at, at + CHUNK)) as string;
  return text;
}

export function toBytes(text: string): Uint8Array {
  const array = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) array[i] = text.charCodeAt(i);
  return array;
}
