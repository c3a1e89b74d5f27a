const SUBSCRIPT_START = "['";
const SUBSCRIPT_END = "']";

export interface SubscriptedPath {
  /** 'metadata.labels'. */
  readonly path: string;
  readonly subscript: string;
}

/** The parts of "metadata.labels['app']"; undefined for a path without a subscript. Models pkg/fieldpath. */
export function splitMaybeSubscriptedPath(fieldPath: string): SubscriptedPath | undefined {
  const at = fieldPath.indexOf(SUBSCRIPT_START);
  const subscriptAt = at + SUBSCRIPT_START.length;
  const end = fieldPath.length - SUBSCRIPT_END.length;
  if (at <= 0 || subscriptAt > end || !fieldPath.endsWith(SUBSCRIPT_END)) return undefined;
  return { path: fieldPath.slice(0, at), subscript: fieldPath.slice(subscriptAt, end) };
}
