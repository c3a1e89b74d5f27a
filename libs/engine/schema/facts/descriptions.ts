import { descriptionsJson } from './descriptions.generated.js';

let texts: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;

/** The description of a definition or of one of its fields; parsed at the first call. */
export function description(definitionName: string, field = ''): string | undefined {
  texts ??= JSON.parse(descriptionsJson) as Record<string, Record<string, string>>;
  return Object.hasOwn(texts, definitionName) ? texts[definitionName]![field] : undefined;
}
