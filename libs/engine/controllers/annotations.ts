/** The whole number that an annotation holds; undefined without the annotation, or when it holds anything else. */
export function parseNumberAnnotation(
  annotations: { [key: string]: string } | undefined,
  name: string,
): number | undefined {
  const text = annotations?.[name];
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}
