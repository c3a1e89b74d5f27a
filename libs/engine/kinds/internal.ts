/** The shape of a struct of upstream's internal types: Go's names, and all fields, which have no JSON tags. */
export interface Struct {
  /** Go name -> the printed zero value; a Struct for a nested struct, a list of one Struct for a list of structs. */
  readonly [name: string]: '' | 0 | false | null | Struct | readonly [Struct] | Pointer;
}
interface Pointer {
  readonly to: Struct;
}

/** A pointer to a struct, which prints as null when it is absent. */
export const pointer = (to: Struct): Pointer => ({ to });

type Fields = Readonly<Record<string, unknown>>;

/** Converts `value` from its JSON shape to the form in which upstream prints the internal type in a message. */
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
