/** Without these letters at its end; of a text of nothing else the first one stays. */
export function trimEnd(text: string, letter: string): string {
  let end = text.length;
  while (end > 1 && text[end - 1] === letter) end--;
  return text.slice(0, end);
}
