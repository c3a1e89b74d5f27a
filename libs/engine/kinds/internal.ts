/** How Go prints a struct of upstream's internal types: names as Go spells them, every field there. */
export interface Struct {
  /**
   * Name -> what is printed when the field is absent; a Struct for a struct within, a list of one for a list of them.
   */
  readonly [name: string]: '' | 0 | false | null | Struct | readonly [Struct] | Pointer;
}
interface Pointer {
  readonly to: Struct;
}

/** A struct that may be absent: null. The key is no Go name. */
export const pointer = (to: Struct): Pointer => ({ to });

type Fields = Readonly<Record<string, unknown>>;

/** `value` in its JSON shape, as the internal type prints it in a message. */
export const asInternal = (shape: Struct, value: unknown): object =>
  Object.fromEntries(
    Object.entries(shape).map(([name, of]) => [name, fieldOf(of, (value as Fields | undefined)?.[jsonName(name)])]),
  );

function fieldOf(of: Struct[string], value: unknown): unknown {
  if (of === null || typeof of !== 'object') return value ?? of;
  if (isList(of)) return Array.isArray(value) ? value.map((item) => asInternal(of[0], item)) : null;
  if (isPointer(of)) return value === undefined || value === null ? null : asInternal(of.to, value);
  return asInternal(of, value);
}

const isList = (of: object): of is readonly [Struct] => Array.isArray(of);
const isPointer = (of: object): of is Pointer => 'to' in of;

/** 'APIVersion' -> 'apiVersion', 'UID' -> 'uid', 'NodeName' -> 'nodeName', 'CIDRs' -> 'cidrs'. */
const jsonName = (name: string): string =>
  name.replace(/^[A-Z]+(?=s?$|[A-Z][a-z])|^[A-Z]/, (head) => head.toLowerCase());
