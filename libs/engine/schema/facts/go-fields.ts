import { shortName } from './definitions.js';
import { structTagsText } from './go-struct-tags.js';

/** How Go's JSON shows a field that is zero or absent. Models the struct tags of k8s.io/api's types.go. */
export type Zero =
  /** A value with omitempty: zero is left out. */
  | 'absent'
  /** A pointer with omitempty: zero is shown, nil is left out. */
  | 'kept'
  /** A value without omitempty: always shown. */
  | 'shown'
  /** A pointer or list without omitempty: nil is shown as null. */
  | 'null';

export interface GoField {
  readonly zero: Zero;
  /** Go's name of a string type: 'v1.PullPolicy'. */
  readonly type?: string;
  /** The embedded struct that the field lies in, as Go's messages show it: 'IngressRuleValue'. */
  readonly within?: string;
}

const ZEROS: Readonly<Record<string, Zero>> = { '*': 'kept', '!': 'shown', '?': 'null' };
const PLAIN: GoField = { zero: 'absent' };

let table: Map<string, ReadonlyMap<string, GoField>> | undefined;

/** A field of a definition: 'io.k8s.api.core.v1.Container', 'stdin'. */
export function goField(definitionName: string, field: string): GoField {
  table ??= parse(structTagsText);
  const owner = table.get(definitionName.split('.').slice(-3).join('.')) ?? table.get(shortName(definitionName));
  return owner?.get(field) ?? PLAIN;
}

/** Lines of 'Struct field…'; a field is 'name', then '*', '!' or '?' (see ZEROS), '<Embedded>', '=type'. */
function parse(text: string): Map<string, ReadonlyMap<string, GoField>> {
  const structs = new Map<string, ReadonlyMap<string, GoField>>();
  for (const line of text.trim().split('\n')) {
    const [struct = '', ...fields] = line.split(' ');
    structs.set(struct, new Map(fields.map(parseField)));
  }
  return structs;
}

function parseField(text: string): [string, GoField] {
  const [, name = '', zero = '', within, type] = /^([^*!?<=]+)([*!?]?)(?:<(.+)>)?(?:=(.+))?$/.exec(text) ?? [];
  return [name, { zero: ZEROS[zero] ?? 'absent', ...(type ? { type } : {}), ...(within ? { within } : {}) }];
}
