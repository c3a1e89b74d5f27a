/** The text without the characters `char` at its end, in one pass. Models Go's strings.TrimRight. */
export function trimRight(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end--;
  return text.slice(0, end);
}
